// Built-in types and enumerations of the device language, as the kernels spell them.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

/// IEEE binary16. Conversions are explicit, so that code which compiles here does not lean on them.
struct half {
  half() = default;
  explicit half(float value) : bits_(encode(value)) {}
  explicit operator float() const { return decode(bits_); }

 private:
  static float decode(uint16_t bits) {
    const int exponent = (bits >> 10) & 31;
    const int mantissa = bits & 1023;
    float magnitude;
    if (exponent == 31)
      magnitude = mantissa ? NAN : INFINITY;
    else if (exponent == 0)
      magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    else
      magnitude = std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
  }
  static uint16_t encode(float value) {
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    if (std::isnan(value)) return 0x7e00;
    const float magnitude = std::fabs(value);
    if (magnitude >= 65520.0f) return sign | 0x7c00;
    if (magnitude < std::ldexp(1.0f, -14)) return sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(magnitude, 24)));
    int exponent;
    const float fraction = std::frexp(magnitude, &exponent);  // magnitude = fraction * 2^exponent, fraction in [0.5, 1)
    const uint32_t mantissa = static_cast<uint32_t>(std::nearbyint(std::ldexp(fraction, 11)));  // 1024..2048
    return sign | static_cast<uint16_t>(((exponent + 14) << 10) + (mantissa - 1024));
  }
  uint16_t bits_;
};

/// bfloat16: moved and cast only, as on the 2201 vector core.
struct bfloat16_t {
  bfloat16_t() = default;

 private:
  uint16_t bits_;
};

static_assert(sizeof(half) == 2 && sizeof(bfloat16_t) == 2, "16-bit floats");

enum pipe_t { PIPE_S = 0, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_FIX = 10 };

enum event_t { EVENT_ID0 = 0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

enum KernelMetaType { KERNEL_TYPE_AIV_ONLY = 0, KERNEL_TYPE_MIX_AIV_1_0, KERNEL_TYPE_MIX_AIC_1_1 };

namespace AscendC {

using TEventID = int8_t;

enum class TPosition : uint8_t {
  GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, LCM = VECCALC, SPM, SHM = SPM, TSCM, C2PIPE2GM,
  C2PIPE2LOCAL, MAX
};
using QuePosition = TPosition;

enum class HardEvent : uint8_t {
  MTE2_MTE1, MTE1_MTE2, MTE1_M, M_MTE1, MTE2_V, V_MTE2, MTE3_V, V_MTE3, M_V, V_M, V_V, MTE3_MTE1, MTE1_MTE3, MTE1_V,
  MTE2_M, M_MTE2, V_MTE1, M_FIX, FIX_M, MTE3_MTE2, MTE2_MTE3, S_V, V_S, S_MTE2, MTE2_S, S_MTE3, MTE3_S, MTE2_FIX,
  FIX_MTE2, FIX_S, M_S, FIX_MTE3, MTE1_FIX, FIX_MTE1, FIX_FIX, MAX
};

enum class RoundMode : uint8_t {
  CAST_NONE = 0, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD, UNKNOWN = 0xFF
};

enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT };

}  // namespace AscendC

namespace pld_emu {

template <typename T> struct TypeName;
#define PLD_EMU_TYPE(T) template <> struct TypeName<T> { static constexpr const char* value = #T; }
PLD_EMU_TYPE(int8_t);
PLD_EMU_TYPE(uint8_t);
PLD_EMU_TYPE(int16_t);
PLD_EMU_TYPE(uint16_t);
PLD_EMU_TYPE(half);
PLD_EMU_TYPE(bfloat16_t);
PLD_EMU_TYPE(int32_t);
PLD_EMU_TYPE(uint32_t);
PLD_EMU_TYPE(float);
PLD_EMU_TYPE(int64_t);
PLD_EMU_TYPE(uint64_t);
PLD_EMU_TYPE(double);
#undef PLD_EMU_TYPE

/// Name of an element type, for reports.
template <typename T> constexpr const char* typeName() { return TypeName<T>::value; }

/// True if T is one of Ts.
template <typename T, typename... Ts> constexpr bool oneOf = (std::is_same_v<T, Ts> || ...);

}  // namespace pld_emu
