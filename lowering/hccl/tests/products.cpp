// Products of common/pld_cube.h of all element types, transpositions and ragged sizes, against plain host arithmetic.
// Exit code 0 if all agree.
#include <cstdio>

#include "common/pld_cube.h"
#include "host/runner.h"

using namespace AscendC;

namespace {

constexpr uint32_t kSide = 256 * 1024;  ///< bytes of the workspace for a side or a product, behind the cell's 512

int wrong = 0;

/// Small numbers, exact in every type, whose sums are exact in float.
int Number(uint32_t seed, uint32_t index) {
  uint32_t x = (index + 1) * 2654435761u ^ seed * 40503u;
  x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
  return static_cast<int>(x % 15) - 7;
}

template <typename T, typename C, uint32_t M, uint32_t N, uint32_t K, bool turnedA, bool turnedB>
void Kernel(GM_ADDR workspace) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
  TPipe pipe;
  GM_ADDR a = workspace + 512;
  GM_ADDR b = a + kSide;
  GM_ADDR c = b + kSide;
  if ASCEND_IS_AIC {
    pld::Cube cube(pipe, workspace);
    for (int32_t wanted = cube.Next(); wanted != 0; wanted = cube.Next()) {
      if (wanted == 7) cube.Product<T, C, turnedA, turnedB>(a, b, c, M, N, K);
      cube.Done();
    }
  }
  if ASCEND_IS_AIV {
    TBuf<TPosition::VECIN> arena;
    pipe.InitBuffer(arena, 180 * 1024);
    auto slot = arena.GetWithOffset<int32_t>(8, 0);
    // Twice, since the buffers are used again.
    auto tile = arena.GetWithOffset<C>(M * ((N + 7) / 8 * 8), 32);
    for (int round = 0; round < 2; ++round) {
      pld::Multiply(workspace, 7, slot);
      pld::GetProduct(tile, c, M, N);
      pld::Sync<HardEvent::MTE2_MTE3>();
      pld::PutSide(c + kSide, tile, M, N);
    }
    pld::EndCube(workspace, slot);
  }
  PipeBarrier<PIPE_ALL>();
}

template <typename T>
std::vector<T> Values(uint32_t seed, uint32_t count) {
  std::vector<T> values(count);
  for (uint32_t i = 0; i < count; ++i) values[i] = pld_emu::narrow<T>(Number(seed, i), RoundMode::CAST_RINT);
  return values;
}

template <typename T, typename C, uint32_t M, uint32_t N, uint32_t K, bool turnedA, bool turnedB>
int Check(const char* type) {
  static_assert(M * K * sizeof(T) <= kSide && N * K * sizeof(T) <= kSide && M * N * 4 <= kSide, "fits the workspace");
  pld::DeviceBuffer memory;
  const size_t bytes = 512 + 4 * kSide;
  PLD_ACL(memory.Allocate(bytes));
  const auto a = Values<T>(1, M * K), b = Values<T>(2, K * N);
  PLD_ACL(aclrtMemcpy(memory.get() + 512, kSide, a.data(), a.size() * sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE));
  PLD_ACL(aclrtMemcpy(memory.get() + 512 + kSide, kSide, b.data(), b.size() * sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE));
  (ICPU_RUN_KF((Kernel<T, C, M, N, K, turnedA, turnedB>), 1, memory.get()));
  std::vector<C> found(M * N);
  PLD_ACL(aclrtMemcpy(found.data(), M * N * 4, memory.get() + 512 + 3 * kSide, M * N * 4, ACL_MEMCPY_DEVICE_TO_HOST));
  for (uint32_t i = 0; i < M; ++i)
    for (uint32_t j = 0; j < N; ++j) {
      int sum = 0;
      for (uint32_t k = 0; k < K; ++k) sum += Number(1, turnedA ? k * M + i : i * K + k) * Number(2, turnedB ? j * K + k : k * N + j);
      if (static_cast<C>(sum) == found[i * N + j]) continue;
      if (++wrong < 20)
        std::printf("%s %ux%ux%u %d%d: element (%u, %u) is %g, expected %d\n", type, M, N, K, turnedA, turnedB, i, j,
                    static_cast<double>(found[i * N + j]), sum);
      return pld::kOk;
    }
  return pld::kOk;
}

template <typename T, typename C, uint32_t M, uint32_t N, uint32_t K>
int Turns(const char* type) {
  PLD_TRY((Check<T, C, M, N, K, false, false>(type)));
  PLD_TRY((Check<T, C, M, N, K, false, true>(type)));
  PLD_TRY((Check<T, C, M, N, K, true, false>(type)));
  return Check<T, C, M, N, K, true, true>(type);
}

template <typename T, typename C>
int Ragged(const char* type) {
  return Turns<T, C, 30, 50, 70>(type);
}

std::vector<int64_t> WindowBytes(const pld::World&) { return {}; }

int Main(pld::Rank&) {
  PLD_TRY((Ragged<half, float>("half")));
  PLD_TRY((Ragged<bfloat16_t, float>("bfloat16_t")));
  PLD_TRY((Ragged<float, float>("float")));
  PLD_TRY((Ragged<int8_t, int32_t>("int8_t")));
  PLD_TRY((Check<half, float, 1, 1, 1, false, false>("half")));
  // More than the cube core holds at a time: rows, columns and depth in parts.
  PLD_TRY((Check<float, float, 130, 260, 67, true, false>("float")));
  PLD_TRY((Check<half, float, 140, 20, 300, false, false>("half")));
  return Check<int8_t, int32_t, 5, 290, 520, false, false>("int8_t");
}

const pld::Program kProgram = {"products", {}, {}, WindowBytes, Main};

}  // namespace

int main(int argc, char** argv) {
  const int code = pld::Run(kProgram, argc, argv);
  return code ? code : wrong ? 1 : 0;
}
