// The ranks of one run as they fail together: peers may wait for a failed rank in a kernel for ever.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "acl/acl.h"
#include "check.h"

namespace pld {

class Team {
 public:
  explicit Team(uint32_t ranks) : members_(ranks) {}

  /// From here on peers may end what this rank's stream does. The stream lives until Leave.
  void Join(uint32_t id, aclrtStream stream);

  /// The rank launches nothing more and touches no peer's window; this is how it went. If a rank has failed, returns when
  /// all have left; what their streams do is ended.
  void Leave(uint32_t id, int code);

  /// How the run went: kOk, or what the first rank that failed came to.
  int result() const { return result_; }

 private:
  struct Member {
    aclrtStream stream = nullptr;
    bool left = false;
  };

  bool EndOthers();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Member> members_;
  int result_ = kOk;
};

}  // namespace pld
