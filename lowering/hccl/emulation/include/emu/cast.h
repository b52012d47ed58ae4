// Cast: the pairs of arch 2201, each with its rounding modes.
#pragma once

#include "vector.h"

namespace pld_emu {

// Sets of rounding modes; kRounding stands for RINT, FLOOR, CEIL, ROUND and TRUNC.
constexpr uint8_t kNoCast = 0, kNone = 1, kRounding = 2, kOdd = 4;

/// Modes that Cast from S to D takes.
template <typename D, typename S>
constexpr uint8_t castModes() {
  constexpr uint8_t both = kNone | kRounding;
  if constexpr (oneOf<S, int8_t, uint8_t>) return oneOf<D, half> ? kNone : kNoCast;
  if constexpr (oneOf<S, int16_t>) return oneOf<D, half> ? both : oneOf<D, float> ? kNone : kNoCast;
  if constexpr (oneOf<S, half>)
    return oneOf<D, int8_t, uint8_t> ? both : oneOf<D, int16_t, int32_t> ? kRounding : oneOf<D, float> ? kNone : kNoCast;
  if constexpr (oneOf<S, bfloat16_t>) return oneOf<D, int32_t> ? kRounding : oneOf<D, float> ? kNone : kNoCast;
  if constexpr (oneOf<S, int32_t>) return oneOf<D, int16_t, int64_t> ? kNone : oneOf<D, float> ? both : kNoCast;
  if constexpr (oneOf<S, float>)
    return oneOf<D, half> ? uint8_t{both | kOdd} : oneOf<D, int16_t, bfloat16_t, int32_t, float, int64_t> ? kRounding : kNoCast;
  if constexpr (oneOf<S, int64_t>) return oneOf<D, int32_t> ? kNone : oneOf<D, float> ? kRounding : kNoCast;
  return kNoCast;
}

inline uint8_t castMode(AscendC::RoundMode mode) {
  switch (mode) {
    case AscendC::RoundMode::CAST_NONE: return kNone;
    case AscendC::RoundMode::CAST_ODD: return kOdd;
    case AscendC::RoundMode::UNKNOWN: return kNoCast;
    default: return kRounding;
  }
}

/// A 64-bit integer as a double that every float rounds alike: bits that do not fit leave the last one set.
inline double widenForRounding(int64_t value) {
  uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  int shift = 0;
  while (magnitude >> shift >> 53) ++shift;
  const uint64_t lost = magnitude & ((uint64_t{1} << shift) - 1);
  magnitude = (magnitude >> shift | (lost != 0)) << shift;
  const double result = static_cast<double>(magnitude);
  return value < 0 ? -result : result;
}

template <typename D, typename S>
D castElement(S value, AscendC::RoundMode mode) {
  if constexpr (std::is_same_v<S, int64_t> && std::is_same_v<D, int32_t>)
    return static_cast<int32_t>(std::min<int64_t>(std::max<int64_t>(value, INT32_MIN), INT32_MAX));
  else if constexpr (std::is_same_v<S, D>)
    return static_cast<D>(roundToInteger(value, mode));
  else if constexpr (std::is_same_v<S, int32_t> && std::is_same_v<D, int64_t>)
    return value;
  else if constexpr (std::is_same_v<S, int64_t>)
    return narrow<D>(widenForRounding(value), mode);
  else
    return narrow<D>(widen(value), mode);
}

}  // namespace pld_emu

namespace AscendC {

template <typename T, typename U>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint32_t count,
          PLD_EMU_AT) {
  static_assert(pld_emu::castModes<T, U>() != pld_emu::kNoCast, "arch 2201 has no Cast between these types");
  if (!(pld_emu::castModes<T, U>() & pld_emu::castMode(roundMode)))
    pld_emu::core("Cast", at).fail(pld_emu::format("Cast of %s to %s does not take this rounding mode (%d)",
                                                   pld_emu::typeName<U>(), pld_emu::typeName<T>(),
                                                   static_cast<int>(roundMode)),
                                   at);
  pld_emu::map1<T, U>("Cast", dst, src, count,
                      [mode = roundMode](U a) { return pld_emu::castElement<T, U>(a, mode); }, at);
}

}  // namespace AscendC
