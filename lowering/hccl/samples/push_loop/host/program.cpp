// Host function @main of program.mlir. Every rank runs it; a dispatch takes place on its rank only.
#include "runner.h"

#include "../kernels/launch.h"

namespace {

std::vector<int64_t> WindowBytes(const pld::World& world) {
  const int64_t n = world.ranks;
  return {
      40 * 64 * 4,  // program.mlir:43 data_buf
      n * 1 * 4,    // program.mlir:44 sig_buf
  };
}

int Main(pld::Rank& rank) {
  const float factor = rank.world().scalar<float>(3);
  const int64_t n = rank.ranks();                            // program.mlir:42
  for (int64_t r = 0; r < n; r += 1) {                       // program.mlir:45
    uint8_t* data = rank.Window(0);                          // program.mlir:46
    uint8_t* sig = rank.Window(1);                           // program.mlir:47
    if (r == rank.id()) {                                    // program.mlir:51
      uint8_t* xr = nullptr;
      PLD_TRY(rank.Shard(0, r, &xr));                        // program.mlir:48
      uint8_t* yr = nullptr;
      PLD_TRY(rank.Shard(1, r, &yr));                        // program.mlir:49
      uint8_t* tr = nullptr;
      PLD_TRY(rank.Shard(2, r, &tr));                        // program.mlir:50
      launch_push_loop(1, rank.stream(), xr, yr, tr, data, sig, factor, rank.Context());
    }
  }
  return pld::kOk;
}

const pld::Program kProgram = {
    "push_loop",
    {
        {"x", pld::Kind::WorldArray, pld::DType::F32, {-1, 40, 64}, pld::Direction::In},
        {"y", pld::Kind::WorldArray, pld::DType::F32, {-1, 40, 64}, pld::Direction::Out},
        {"total", pld::Kind::WorldArray, pld::DType::I32, {-1, 1, 1}, pld::Direction::Out},
        {"factor", pld::Kind::Scalar, pld::DType::F32, {}, pld::Direction::In},
    },
    {},
    WindowBytes,
    Main,
};

}  // namespace

int main(int argc, char** argv) { return pld::Run(kProgram, argc, argv); }
