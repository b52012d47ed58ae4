// Values of vector ops, casts, paddings and atomics, against plain host arithmetic. Exit code 0 if all agree.
#include <cstdio>

#include "common/pld_comm.h"
#include "host/runner.h"

using namespace AscendC;
using E = HardEvent;

namespace {

int wrong = 0;

void Expect(const char* what, double found, double expected) {
  if (found == expected || (std::isnan(found) && std::isnan(expected))) return;
  std::printf("%s: %.9g, expected %.9g\n", what, found, expected);
  ++wrong;
}

/// UB tiles of 64 elements of any type.
struct Tiles {
  TPipe pipe;
  TBuf<TPosition::VECCALC> arena;
  Tiles() { pipe.InitBuffer(arena, 8192); }
  template <typename T>
  LocalTensor<T> At(uint32_t index) { return arena.GetWithOffset<T>(64, index * 512); }
};

template <typename T>
void Put(const LocalTensor<T>& t, std::initializer_list<double> values) {
  uint32_t i = 0;
  for (double v : values) t.SetValue(i++, static_cast<T>(static_cast<float>(v)));
  pld::Sync<E::S_V>();
}

template <typename T>
double Value(const LocalTensor<T>& t, uint32_t i) {
  return static_cast<double>(static_cast<float>(t.GetValue(i)));
}

template <typename T>
void Check(const char* what, const LocalTensor<T>& t, std::initializer_list<double> expected) {
  PipeBarrier<PIPE_ALL>();
  uint32_t i = 0;
  for (double v : expected) Expect(what, Value(t, i++), v);
  PipeBarrier<PIPE_ALL>();
}

template <typename T>
void Arithmetic(Tiles& tiles) {
  auto a = tiles.At<T>(0), b = tiles.At<T>(1), c = tiles.At<T>(2);
  Put(a, {1, -2, 3, 100});
  Put(b, {4, 5, -6, 7});
  Add(c, a, b, 4), Check("Add", c, {5, 3, -3, 107});
  Sub(c, a, b, 4), Check("Sub", c, {-3, -7, 9, 93});
  Mul(c, a, b, 4), Check("Mul", c, {4, -10, -18, 700});
  Max(c, a, b, 4), Check("Max", c, {4, 5, 3, 100});
  Min(c, a, b, 4), Check("Min", c, {1, -2, -6, 7});
  const T two = static_cast<T>(2.0f);
  Adds(c, a, two, 4), Check("Adds", c, {3, 0, 5, 102});
  Muls(c, a, two, 4), Check("Muls", c, {2, -4, 6, 200});
  Maxs(c, a, two, 4), Check("Maxs", c, {2, 2, 3, 100});
  Mins(c, a, two, 4), Check("Mins", c, {1, -2, 2, 2});
  Duplicate(c, two, 4), Check("Duplicate", c, {2, 2, 2, 2});
  Add(a, a, a, 4), Check("Add in place", a, {2, -4, 6, 200});
}

template <typename T>
void Real(Tiles& tiles) {
  auto a = tiles.At<T>(0), b = tiles.At<T>(1), c = tiles.At<T>(2);
  Put(a, {4, 0.25, 16, 1});
  Put(b, {2, -0.5, 4, 8});
  Div(c, a, b, 4), Check("Div", c, {2, -0.5, 4, 0.125});
  Sqrt(c, a, 4), Check("Sqrt", c, {2, 0.5, 4, 1});
  Rsqrt(c, a, 4), Check("Rsqrt", c, {0.5, 2, 0.25, 1});
  Reciprocal(c, a, 4), Check("Reciprocal", c, {0.25, 4, 0.0625, 1});
  Abs(c, b, 4), Check("Abs", c, {2, 0.5, 4, 8});
  Relu(c, b, 4), Check("Relu", c, {2, 0, 4, 8});
  Duplicate(c, static_cast<T>(0.0f), 4), PipeBarrier<PIPE_V>();
  Exp(c, c, 4), Check("Exp", c, {1, 1, 1, 1});
  Ln(c, c, 4), Check("Ln", c, {0, 0, 0, 0});
  ReduceSum(c, a, b, 4), Check("ReduceSum", c, {21.25});
  ReduceMax(c, a, tiles.At<T>(3), 4), Check("ReduceMax", c, {16});
  ReduceMin(c, a, tiles.At<T>(3), 4), Check("ReduceMin", c, {0.25});
}

template <typename D, typename S>
void CheckCast(Tiles& tiles, const char* what, RoundMode mode, std::initializer_list<double> from,
               std::initializer_list<double> to) {
  auto source = tiles.At<S>(0);
  auto target = tiles.At<D>(1);
  Put(source, from);
  Cast(target, source, mode, static_cast<uint32_t>(from.size()));
  Check(what, target, to);
}

void Casts(Tiles& tiles) {
  const std::initializer_list<double> ties = {0.5, 1.5, -0.5, -1.5, 2.25, -2.75};
  CheckCast<int32_t, float>(tiles, "rint", RoundMode::CAST_RINT, ties, {0, 2, 0, -2, 2, -3});
  CheckCast<int32_t, float>(tiles, "floor", RoundMode::CAST_FLOOR, ties, {0, 1, -1, -2, 2, -3});
  CheckCast<int32_t, float>(tiles, "ceil", RoundMode::CAST_CEIL, ties, {1, 2, 0, -1, 3, -2});
  CheckCast<int32_t, float>(tiles, "round", RoundMode::CAST_ROUND, ties, {1, 2, -1, -2, 2, -3});
  CheckCast<int32_t, float>(tiles, "trunc", RoundMode::CAST_TRUNC, ties, {0, 1, 0, -1, 2, -2});
  CheckCast<float, float>(tiles, "float to float", RoundMode::CAST_RINT, ties, {0, 2, -0.0, -2, 2, -3});
  CheckCast<int16_t, float>(tiles, "saturate", RoundMode::CAST_RINT, {1e6, -1e6, 7}, {32767, -32768, 7});
  CheckCast<half, float>(tiles, "half", RoundMode::CAST_RINT, {2049, 2051, 65504, 1e6, 6e-8}, {2048, 2052, 65504, INFINITY, std::ldexp(1.0, -24)});
  CheckCast<half, float>(tiles, "half floor", RoundMode::CAST_FLOOR, {2051, -2049}, {2050, -2050});
  CheckCast<half, float>(tiles, "half odd", RoundMode::CAST_ODD, {2049, 2051}, {2050, 2050});
  CheckCast<float, half>(tiles, "widen", RoundMode::CAST_NONE, {1.5, -2, 65504}, {1.5, -2, 65504});
  CheckCast<half, int8_t>(tiles, "int8 to half", RoundMode::CAST_NONE, {-128, 127}, {-128, 127});
  CheckCast<int8_t, half>(tiles, "half to int8", RoundMode::CAST_RINT, {-300, 2.5, 99}, {-128, 2, 99});
  CheckCast<float, int32_t>(tiles, "int32 to float", RoundMode::CAST_RINT, {16777216, -5}, {16777216, -5});
  CheckCast<int64_t, int32_t>(tiles, "int32 to int64", RoundMode::CAST_NONE, {-7, 9}, {-7, 9});
  auto wide = tiles.At<float>(0), back = tiles.At<float>(2);
  auto narrow = tiles.At<bfloat16_t>(1);
  Put(wide, {1.0, 257, 259, -2.55e38});
  Cast(narrow, wide, RoundMode::CAST_RINT, 4), PipeBarrier<PIPE_V>();
  Cast(back, narrow, RoundMode::CAST_NONE, 4);
  Check("bf16", back, {1.0, 256, 260, -192 * std::ldexp(1.0, 120)});
}

void Wrapping(Tiles& tiles) {
  auto a = tiles.At<int32_t>(0), c = tiles.At<int32_t>(2);
  Duplicate(a, INT32_MAX, 8), PipeBarrier<PIPE_V>(), Adds(c, a, 1, 8);
  pld::Sync<E::V_S>();
  Expect("wrap", c.GetValue(0), INT32_MIN);
  PipeBarrier<PIPE_ALL>();
}

/// Bits, shifts, compare and select, gather, multiply-add.
void Logic(Tiles& tiles) {
  auto a = tiles.At<int16_t>(0), b = tiles.At<int16_t>(1), c = tiles.At<int16_t>(2);
  Put(a, {12, -1, 7});
  Put(b, {10, 5, -8});
  And(c, a, b, 3), Check("And", c, {8, 5, 0});
  Or(c, a, b, 3), Check("Or", c, {14, -1, -1});
  Not(c, a, 3), Check("Not", c, {-13, 0, -8});
  ShiftLeft(c, a, static_cast<int16_t>(2), 3), Check("ShiftLeft", c, {48, -4, 28});
  ShiftRight(c, b, static_cast<int16_t>(1), 3), Check("ShiftRight", c, {5, 2, -4});
  auto x = tiles.At<float>(0), y = tiles.At<float>(1), z = tiles.At<float>(2);
  auto mask = tiles.At<uint8_t>(3);
  Duplicate(x, 1.0f, 64), Duplicate(y, 2.0f, 64);
  pld::Sync<E::V_S>(), x.SetValue(3, 5.0f), x.SetValue(9, 6.0f), pld::Sync<E::S_V>();
  PipeBarrier<PIPE_V>();
  Compare(mask, x, y, CMPMODE::GT, 64), PipeBarrier<PIPE_V>();
  Select(z, mask, x, y, SELMODE::VSEL_TENSOR_TENSOR_MODE, 10);
  Check("Select", z, {2, 2, 2, 5, 2, 2, 2, 2, 2, 6});
  CompareScalar(mask, x, 5.0f, CMPMODE::LE, 64), PipeBarrier<PIPE_V>();
  Select(z, mask, x, -1.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 10);
  Check("Select scalar", z, {1, 1, 1, 5, 1, 1, 1, 1, 1, -1});
  auto offsets = tiles.At<uint32_t>(3);
  Put(offsets, {12, 0, 36});
  Gather(z, x, offsets, 0, 3), Check("Gather", z, {5, 1, 6});
  MulAddDst(y, x, x, 10), Check("MulAddDst", y, {3, 3, 3, 27, 3, 3, 3, 3, 3, 38});
  LeakyRelu(z, y, 0.5f, 2), Check("LeakyRelu", z, {3, 3});
}

/// Subtracts a column from 8 rows of 8 floats: Brcb, then a repeat form with block stride 1 over rows of one block.
void Broadcast(Tiles& tiles) {
  auto rows = tiles.At<float>(0), column = tiles.At<float>(1), wide = tiles.At<float>(2), result = tiles.At<float>(3);
  for (uint32_t i = 0; i < 64; ++i) rows.SetValue(i, static_cast<float>(i));
  Put(column, {0, 8, 16, 24, 32, 40, 48, 56});
  Brcb(wide, column, 1, {1, 8}), PipeBarrier<PIPE_V>();
  Sub(result, rows, wide, 64, 1, {1, 1, 1, 8, 8, 8});
  PipeBarrier<PIPE_ALL>();
  for (uint32_t i = 0; i < 64; ++i) Expect("row minus column", Value(result, i), i % 8);
  PipeBarrier<PIPE_ALL>();
  Duplicate(wide, 3.0f, 8), PipeBarrier<PIPE_V>();
  Mul(result, rows, wide, 64, 1, {1, 1, 0, 8, 8, 0});
  PipeBarrier<PIPE_ALL>();
  for (uint32_t i = 0; i < 64; ++i) Expect("block stride 0", Value(result, i), 3 * i);
  PipeBarrier<PIPE_ALL>();
}

/// The second block of each of 3 rows of 2 blocks, side by side, and back into the first ones.
void Blocks(Tiles& tiles) {
  auto rows = tiles.At<int32_t>(0), part = tiles.At<int32_t>(1);
  for (int32_t i = 0; i < 48; ++i) rows.SetValue(i, i);
  pld::Sync<E::S_V>();
  DataCopy(part, rows[8], DataCopyParams{3, 1, 1, 0}), PipeBarrier<PIPE_V>();
  Check("blocks of row 1", part[8], {24, 25, 26, 27, 28, 29, 30, 31});
  DataCopy(rows, part, DataCopyParams{3, 1, 0, 1});
  Check("blocks into row 2", rows[32], {40, 41, 42, 43, 44, 45, 46, 47});
  Check("the rest of row 1", rows[24], {24, 25, 26, 27, 28, 29, 30, 31});
}

/// NaN propagates, and -0 is below +0, whatever the order.
void Extremes(Tiles& tiles) {
  auto a = tiles.At<float>(0), c = tiles.At<float>(2), scratch = tiles.At<float>(3);
  Put(a, {-0.0, 0.0, -0.0});
  ReduceMax(c, a, scratch, 3), Check("ReduceMax of zeros", c, {0.0});
  Expect("its sign", std::signbit(c.GetValue(0)), 0);
  PipeBarrier<PIPE_ALL>();
  ReduceMin(c, a, c, 3), Check("ReduceMin of zeros", c, {0.0});
  Expect("its sign", std::signbit(c.GetValue(0)), 1);
  PipeBarrier<PIPE_ALL>();
  Put(a, {1, NAN, 3});
  ReduceMax(c, a, scratch, 3), Check("ReduceMax of NaN", c, {NAN});
  ReduceMin(c, a, scratch, 3), Check("ReduceMin of NaN", c, {NAN});
}

/// 3 rows of 5 floats out of rows of 7, padded on both sides; then back, and added onto.
void Moves(Tiles& tiles, GM_ADDR memory) {
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(memory));
  auto line = tiles.At<float>(0);
  for (uint32_t i = 0; i < 24; ++i) line.SetValue(i, static_cast<float>(i));
  pld::Sync<E::S_MTE3>();
  DataCopy(gm, line, 24);
  PipeBarrier<PIPE_ALL>();
  auto tile = tiles.At<float>(1);
  DataCopyPad(tile, gm[1], {3, 20, 8, 0, 0}, {true, 1, 2, -1.0f});
  Check("row 0", tile, {-1, 1, 2, 3, 4, 5, -1, -1});
  Check("row 1", tile[8], {-1, 8, 9, 10, 11, 12, -1, -1});
  Check("row 2", tile[16], {-1, 15, 16, 17, 18, 19, -1, -1});
  auto packed = tiles.At<float>(2);
  DataCopyPad(packed, gm[0], {2, 32, 16, 1, 0}, {});
  Check("gap", packed[16], {12, 13, 14, 15, 16, 17, 18, 19});
  SetAtomicAdd<float>();
  DataCopyPad(gm[2], packed, {2, 8, 1, 12, 0});  // 0 1 onto elements 2 3, and 12 13 onto 7 8
  PipeBarrier<PIPE_ALL>();
  SetAtomicMax<float>();
  DataCopyPad(gm[0], packed[16], {1, 4, 0, 0, 0});
  SetAtomicNone();
  PipeBarrier<PIPE_ALL>();
  DataCopy(line, gm, 24);
  Check("combined", line, {12, 1, 2 + 0, 3 + 1, 4, 5, 6, 7 + 12, 8 + 13, 9});
}

extern "C" __global__ __aicore__ void values(GM_ADDR memory) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  Tiles tiles;
  Arithmetic<float>(tiles);
  Arithmetic<half>(tiles);
  Arithmetic<int16_t>(tiles);
  Arithmetic<int32_t>(tiles);
  Real<float>(tiles);
  Real<half>(tiles);
  Casts(tiles);
  Wrapping(tiles);
  Logic(tiles);
  Broadcast(tiles);
  Blocks(tiles);
  Extremes(tiles);
  Moves(tiles, memory);
}

int Main(pld::Rank& rank) {
  uint8_t* memory = nullptr;
  PLD_TRY(rank.Allocate(4096, &memory));
  ICPU_RUN_KF(values, 1, memory);
  return wrong ? pld::kFailed : pld::kOk;
}

const pld::Program kProgram = {"values", {}, {}, [](const pld::World&) { return std::vector<int64_t>{}; }, Main};

}  // namespace

int main(int argc, char** argv) { return pld::Run(kProgram, argc, argv); }
