#include "team.h"

#include <chrono>
#include <cstdlib>

namespace pld {

void Team::Join(uint32_t id, aclrtStream stream) {
  const std::lock_guard<std::mutex> lock(mutex_);
  members_[id].stream = stream;
}

void Team::Leave(uint32_t id, int code) {
  std::unique_lock<std::mutex> lock(mutex_);
  members_[id].left = true;
  if (result_ == kOk) result_ = code;
  changed_.notify_all();
  // A peer may launch once more after its stream was ended: again and again until it has seen the failure.
  while (result_ != kOk && EndOthers()) changed_.wait_for(lock, std::chrono::milliseconds(10));
}

/// Ends what the streams of the others do; false if all have left.
bool Team::EndOthers() {
  bool any = false;
  for (const Member& member : members_) {
    if (member.left) continue;
    any = true;
    if (!member.stream) continue;
    const aclError code = aclrtStreamAbort(member.stream);
    if (code == ACL_SUCCESS) continue;
    FailedAcl("aclrtStreamAbort(member.stream)", code, __FILE__, __LINE__);
    std::_Exit(result_);  // the peer may go on for ever: there is nothing to go back to
  }
  return any;
}

}  // namespace pld
