// Emulation of HCCL's symmetric window header.
#pragma once

#include "hccl_comm.h"

/// Address of byte `offset` of the window on `peerRank`, as this rank may use it.
inline HcclResult HcclSymWinGetPeerPointer(HcclCommSymWindow winHandle, size_t offset, uint32_t peerRank, void** ptr) {
  pld_emu::System::Lock lock(pld_emu::System::get().mutex);
  if (const HcclResult r = pld_emu::open("HcclSymWinGetPeerPointer"); r != HCCL_SUCCESS) return r;
  if (!pld_emu::hostState().windows.count(winHandle) || !ptr)
    return pld_emu::refuse(HCCL_E_PTR, "HcclSymWinGetPeerPointer: not a window, or null");
  const auto* window = static_cast<const pld_emu::SymmetricWindow*>(winHandle);
  if (peerRank >= window->comm->size || offset >= window->bytes)
    return pld_emu::refuse(HCCL_E_PARA, "HcclSymWinGetPeerPointer: rank or offset out of range");
  *ptr = reinterpret_cast<void*>((*window->bases)[peerRank] + offset);
  return HCCL_SUCCESS;
}
