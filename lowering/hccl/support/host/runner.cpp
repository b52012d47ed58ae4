#include "runner.h"

#include <cstdlib>
#include <future>
#include <thread>

#include "args.h"
#include "team.h"

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
  Team team;
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

/// From open windows to the results, when no peer touches this rank's window any more.
int RunProgram(const Program& program, Rank& rank) try {
  PLD_TRY(rank.OpenWindows());
  PLD_ACL(aclrtSynchronizeStream(rank.stream()));
  PLD_HCCL(HcclBarrier(rank.comm(), rank.stream()));  // all windows are zero
  PLD_TRY(program.run(rank));
  PLD_HCCL(HcclBarrier(rank.comm(), rank.stream()));
  PLD_ACL(aclrtSynchronizeStream(rank.stream()));
  return rank.CopyResults();
} catch (const Ended& ended) {
  return ended.code;
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
  job.team.Join(id, stream.get());
  const int code = RunProgram(job.world.program, rank);
  job.team.Leave(id, code);  // before anything that peers may use is given back
  return code;
}

int HoldDevice(Job& job, uint32_t id) {
  Device device;
  PLD_TRY(device.Set(job.world.devices[id]));
  return RunOnDevice(job, id);
}

void RunRank(Job& job, uint32_t id) {
  const int code = HoldDevice(job, id);
  // A rank 0 that failed early must not leave the others waiting.
  if (id == 0 && job.root.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    job.promise.set_value(Root{});
  job.team.Leave(id, code);
}

int RunRanks(World& world) {
  Job job{world, Team(world.ranks), {}, {}};
  std::vector<std::thread> threads;
  for (uint32_t id = 0; id < world.ranks; ++id) threads.emplace_back([&job, id] { RunRank(job, id); });
  for (std::thread& thread : threads) thread.join();
  return job.team.result();
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
