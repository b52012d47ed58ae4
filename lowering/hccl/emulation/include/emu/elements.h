// Element values: reading and writing them as bytes, rounding, and the conversions of Cast and of DMA atomics.
#pragma once

#include <limits>

#include "types.h"

namespace pld_emu {

inline float bf16ToFloat(uint16_t bits) {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

/// The truncated bits; exact for values that `roundFloat` has rounded to 8 bits of significand.
inline uint16_t floatToBf16(float value) {
  uint32_t wide;
  std::memcpy(&wide, &value, sizeof wide);
  if (std::isnan(value)) return 0x7fc0;
  return static_cast<uint16_t>(wide >> 16);
}

template <typename T>
T loadElement(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T>
void storeElement(uint8_t* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

/// Rounds to an integer value; NONE means RINT where the value is not exact.
inline double roundToInteger(double value, AscendC::RoundMode mode) {
  switch (mode) {
    case AscendC::RoundMode::CAST_FLOOR: return std::floor(value);
    case AscendC::RoundMode::CAST_CEIL: return std::ceil(value);
    case AscendC::RoundMode::CAST_ROUND: return std::round(value);
    case AscendC::RoundMode::CAST_TRUNC: return std::trunc(value);
    case AscendC::RoundMode::CAST_ODD: {
      const double whole = std::trunc(value);
      if (whole == value || std::fmod(whole, 2.0) != 0) return whole;
      return whole + std::copysign(1.0, value);
    }
    default: return std::nearbyint(value);
  }
}

/// What a value beyond the greatest one rounds to: infinity, or the greatest where the mode rounds towards it.
inline double overflowed(double value, AscendC::RoundMode mode, double greatest) {
  const bool inwards = mode == AscendC::RoundMode::CAST_TRUNC || mode == AscendC::RoundMode::CAST_ODD ||
                       (mode == AscendC::RoundMode::CAST_FLOOR && value > 0) ||
                       (mode == AscendC::RoundMode::CAST_CEIL && value < 0);
  return std::copysign(inwards ? greatest : INFINITY, value);
}

/// Rounds to a float format of `bits` significand bits, least exponent `minExponent` and greatest value `greatest`.
inline double roundFloat(double value, AscendC::RoundMode mode, int bits, int minExponent, double greatest) {
  if (!std::isfinite(value) || value == 0) return value;
  const int exponent = std::max(std::ilogb(value), minExponent);
  const double rounded = std::ldexp(roundToInteger(std::ldexp(value, bits - 1 - exponent), mode), exponent - bits + 1);
  return std::fabs(rounded) > greatest ? overflowed(value, mode, greatest) : rounded;
}

inline double widen(half value) { return static_cast<float>(value); }
inline double widen(bfloat16_t value) { return bf16ToFloat(loadElement<uint16_t>(reinterpret_cast<uint8_t*>(&value))); }
template <typename T>
double widen(T value) {
  return static_cast<double>(value);
}

/// Converts a value to T: floats round by `mode`, integers round by `mode` and saturate.
template <typename T>
T narrow(double value, AscendC::RoundMode mode) {
  if constexpr (std::is_same_v<T, half>) {
    return half(static_cast<float>(roundFloat(value, mode, 11, -14, 65504.0)));
  } else if constexpr (std::is_same_v<T, bfloat16_t>) {
    const double greatest = std::ldexp(255.0, 120);
    const uint16_t bits = floatToBf16(static_cast<float>(roundFloat(value, mode, 8, -126, greatest)));
    return loadElement<T>(reinterpret_cast<const uint8_t*>(&bits));
  } else if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(roundFloat(value, mode, 24, -126, std::numeric_limits<float>::max()));
  } else {
    if (std::isnan(value)) return 0;
    const double whole = roundToInteger(value, mode);
    if (whole <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (whole >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(whole);
  }
}

/// Integer add, subtract and multiply wrap.
template <typename T, typename F>
T wrap(T a, T b, F f) {
  using Wide = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  return static_cast<T>(f(static_cast<Wide>(a), static_cast<Wide>(b)));
}

/// a op b in T, floats through binary32 or better and rounded once.
template <typename T, typename F>
T arithmetic(T a, T b, F f) {
  if constexpr (std::is_same_v<T, float>)
    return f(a, b);
  else if constexpr (oneOf<T, half, bfloat16_t>)
    return narrow<T>(f(static_cast<float>(widen(a)), static_cast<float>(widen(b))), AscendC::RoundMode::CAST_RINT);
  else
    return wrap(a, b, f);
}

struct Plus {
  template <typename V> V operator()(V a, V b) const { return a + b; }
};
struct Minus {
  template <typename V> V operator()(V a, V b) const { return a - b; }
};
struct Times {
  template <typename V> V operator()(V a, V b) const { return a * b; }
};

/// Whether a is the lesser; -0 is below +0.
inline bool below(double a, double b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }

/// The documentation says nothing of NaN and of zeros of two signs: NaN propagates here and -0 is below +0.
template <typename T>
T greater(T a, T b) { return std::isnan(widen(b)) || below(widen(a), widen(b)) ? b : a; }
template <typename T>
T lesser(T a, T b) { return std::isnan(widen(b)) || below(widen(b), widen(a)) ? b : a; }

}  // namespace pld_emu
