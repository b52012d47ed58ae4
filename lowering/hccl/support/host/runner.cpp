#include "runner.h"

#include <cstdlib>
#include <future>
#include <thread>

#include "args.h"

namespace pld {
namespace {

/// Rank 0's root info on its way to the other threads; `valid` is false if rank 0 failed before it had one.
struct Root {
  HcclRootInfo info;
  bool valid;
};

/// What the threads share.
struct Job {
  World& world;
  std::mutex results;
  std::promise<Root> promise;
  std::shared_future<Root> root = promise.get_future().share();
};

int MakeRoot(Job& job) {
  Root root{};
  const HcclResult code = HcclGetRootInfo(&root.info);
  root.valid = code == HCCL_SUCCESS;
  job.promise.set_value(root);
  return root.valid ? kOk : FailedHccl("HcclGetRootInfo", code, __FILE__, __LINE__);
}

/// Up to the point where no peer touches this rank's window any more.
int RunProgram(const Program& program, Rank& rank) {
  PLD_TRY(program.run(rank));
  PLD_HCCL(HcclBarrier(rank.comm(), rank.stream()));
  PLD_ACL(aclrtSynchronizeStream(rank.stream()));
  return kOk;
}

int RunOnDevice(Job& job, uint32_t id) {
  Stream stream;
  PLD_TRY(stream.Create());
  if (id == 0) PLD_TRY(MakeRoot(job));
  const Root root = job.root.get();
  if (!root.valid) return kFailed;
  Communicator comm;
  PLD_TRY(comm.Init(job.world.ranks, root.info, id));
  Rank rank(job.world, job.results, id, comm.get(), stream.get());
  PLD_TRY(rank.OpenWindows());
  PLD_ACL(aclrtSynchronizeStream(stream.get()));
  PLD_HCCL(HcclBarrier(comm.get(), stream.get()));  // all windows are zero
  const int ran = RunProgram(job.world.program, rank);
  if (ran != kOk) {
    // Peers may wait for this rank for ever, or use its window: there is nothing to go back to.
    Quit(ran);
  }
  return rank.CopyResults();
}

int RunRank(Job& job, uint32_t id) {
  Device device;
  const int set = device.Set(job.world.devices[id]);
  const int result = set == kOk ? RunOnDevice(job, id) : set;
  // A rank 0 that failed early must not leave the others waiting.
  if (id == 0 && job.root.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    job.promise.set_value(Root{});
  return result;
}

int RunRanks(World& world) {
  Job job{world, {}, {}};
  std::vector<int> codes(world.ranks, kOk);
  std::vector<std::thread> threads;
  for (uint32_t id = 0; id < world.ranks; ++id)
    threads.emplace_back([&job, &codes, id] { codes[id] = RunRank(job, id); });
  for (std::thread& thread : threads) thread.join();
  for (int code : codes)
    if (code != kOk) return code;
  return kOk;
}

}  // namespace

int Run(const Program& program, int argc, char** argv) {
  World world(program);
  Outputs outputs;
  PLD_TRY(ReadCommandLine(program, argc, argv, world, outputs));
  PLD_ACL(aclInit(nullptr));
  const int ran = RunRanks(world);
  PLD_ACL(aclFinalize());
  PLD_TRY(ran);
  PLD_TRY(failedRelease);
  return WriteOutputs(world, outputs);
}

}  // namespace pld
