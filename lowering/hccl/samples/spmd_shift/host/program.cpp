// Host function @main of program.mlir. Every rank runs it; a dispatch takes place on its rank only.
#include "runner.h"

#include "../kernels/launch.h"

namespace {

std::vector<int64_t> WindowBytes(const pld::World& world) {
  const int64_t n = world.ranks;
  return {
      2 * 64 * 4,  // program.mlir:28 data_buf
      n * 1 * 4,   // program.mlir:29 sig_buf
  };
}

int Main(pld::Rank& rank) {
  const int64_t n = rank.ranks();                            // program.mlir:27
  for (int64_t r = 0; r < n; r += 1) {                       // program.mlir:30
    uint8_t* data = rank.Window(0);                          // program.mlir:31
    uint8_t* sig = rank.Window(1);                           // program.mlir:32
    if (r == rank.id()) {                                    // program.mlir:35
      uint8_t* xr = nullptr;
      PLD_TRY(rank.Shard(0, r, &xr));                        // program.mlir:33
      uint8_t* yr = nullptr;
      PLD_TRY(rank.Shard(1, r, &yr));                        // program.mlir:34
      launch_spmd_shift(2, rank.stream(), xr, yr, data, sig, rank.Context());
    }
  }
  return pld::kOk;
}

const pld::Program kProgram = {
    "spmd_shift",
    {
        {"x", pld::Kind::WorldArray, pld::DType::F32, {-1, 2, 64}, pld::Direction::In},
        {"y", pld::Kind::WorldArray, pld::DType::F32, {-1, 2, 64}, pld::Direction::Out},
    },
    {},
    WindowBytes,
    Main,
};

}  // namespace

int main(int argc, char** argv) { return pld::Run(kProgram, argc, argv); }
