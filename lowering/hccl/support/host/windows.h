// Where symmetric windows come from. CANN offers several ways, each with its own range of versions and products.
#pragma once

#include <memory>

#include "../common/pld_context.h"
#include "check.h"

namespace pld {

/// NotSupported: the same on every rank, another provider may be tried. Failed: said on stderr, the end of this rank.
enum class WindowStatus { Ok, NotSupported, Failed };

/// Windows of one communicator on one rank. Keeps them until it is destroyed.
struct WindowProvider {
  virtual ~WindowProvider() = default;
  /// Collective. Fills `context` with a window of `bytes` bytes on each of the `n` ranks; all or nothing.
  virtual WindowStatus acquire(HcclComm comm, uint32_t rank, uint32_t n, size_t bytes, CommContext& context) = 0;
  virtual const char* name() const = 0;
};

/// Collective. Tries the providers of this build in order, or only the one that PLD_WINDOWS names. All ranks get the
/// same one. Returns kOk and the provider that holds the windows, or prints why none could.
int OpenWindows(HcclComm comm, aclrtStream stream, uint32_t rank, uint32_t n, size_t bytes, CommContext& context,
                std::unique_ptr<WindowProvider>& provider);

}  // namespace pld
