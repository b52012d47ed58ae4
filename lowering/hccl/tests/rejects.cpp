// Statements that the device headers refuse to compile for arch 2201, each behind its own macro; run.py reads the
// `reject:` comments for what the compiler must say.
#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
LocalTensor<T> Tile() {
  return {};
}

template <typename T>
GlobalTensor<T> Gm() {
  return {};
}

void Cases() {
  // reject: add_bf16: int16, half, int32 or float
#ifdef CASE_add_bf16
  Add(Tile<bfloat16_t>(), Tile<bfloat16_t>(), Tile<bfloat16_t>(), 16);
#endif
  // reject: add_int8: int16, half, int32 or float
#ifdef CASE_add_int8
  Add(Tile<int8_t>(), Tile<int8_t>(), Tile<int8_t>(), 32);
#endif
  // reject: add_int64: int16, half, int32 or float
#ifdef CASE_add_int64
  Add(Tile<int64_t>(), Tile<int64_t>(), Tile<int64_t>(), 16);
#endif
  // reject: add_mixed: no matching function
#ifdef CASE_add_mixed
  Add(Tile<float>(), Tile<half>(), Tile<float>(), 16);
#endif
  // reject: muls_bf16: int16, half, int32 or float
#ifdef CASE_muls_bf16
  Muls(Tile<bfloat16_t>(), Tile<bfloat16_t>(), bfloat16_t{}, 16);
#endif
  // reject: muls_scalar_type: no matching function
#ifdef CASE_muls_scalar_type
  Muls(Tile<float>(), Tile<float>(), 2, 16);
#endif
  // reject: div_int32: half or float
#ifdef CASE_div_int32
  Div(Tile<int32_t>(), Tile<int32_t>(), Tile<int32_t>(), 16);
#endif
  // reject: exp_int32: half or float
#ifdef CASE_exp_int32
  Exp(Tile<int32_t>(), Tile<int32_t>(), 16);
#endif
  // reject: sum_int32: half or float
#ifdef CASE_sum_int32
  ReduceSum(Tile<int32_t>(), Tile<int32_t>(), Tile<int32_t>(), 16);
#endif
  // reject: duplicate_int8: 16- and 32-bit types
#ifdef CASE_duplicate_int8
  Duplicate(Tile<int8_t>(), static_cast<int8_t>(1), 32);
#endif
  // reject: cast_bf16_half: no Cast between these types
#ifdef CASE_cast_bf16_half
  Cast(Tile<half>(), Tile<bfloat16_t>(), RoundMode::CAST_NONE, 16);
#endif
  // reject: cast_int8_float: no Cast between these types
#ifdef CASE_cast_int8_float
  Cast(Tile<float>(), Tile<int8_t>(), RoundMode::CAST_NONE, 16);
#endif
  // reject: pad_missing: no matching function
#ifdef CASE_pad_missing
  DataCopyPad(Tile<float>(), Gm<float>(), {1, 32, 0, 0, 0});
#endif
  // reject: pad_gm_gm: no matching function
#ifdef CASE_pad_gm_gm
  DataCopyPad(Gm<float>(), Gm<float>(), {1, 32, 0, 0, 0});
#endif
  // reject: neg: not declared
#ifdef CASE_neg
  Neg(Tile<float>(), Tile<float>(), 16);
#endif
  // reject: subs: not declared
#ifdef CASE_subs
  Subs(Tile<float>(), Tile<float>(), 1.0f, 16);
#endif
  // reject: atomic_int64: int8, int16, half, bfloat16, int32 or float
#ifdef CASE_atomic_int64
  SetAtomicAdd<int64_t>();
#endif
  // reject: barrier_s: PipeBarrier: any pipe but PIPE_S
#ifdef CASE_barrier_s
  PipeBarrier<PIPE_S>();
#endif
  // reject: no_event: no core has such an event
#ifdef CASE_no_event
  SetFlag<HardEvent::MTE1_V>(0);
#endif
  // reject: half_from_int: error
#ifdef CASE_half_from_int
  Duplicate(Tile<half>(), 1, 16);
#endif
}
