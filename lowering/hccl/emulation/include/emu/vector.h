// Vector operations on the first n elements: elementwise, scalar operand, Duplicate and UB-to-UB copies.
#pragma once

#include "move.h"

namespace pld_emu {

template <typename T>
UbRange operand(const Core& c, const Site& site, const AscendC::LocalTensor<T>& tensor, int64_t count,
                uint32_t alignment = 32) {
  const uint32_t begin = static_cast<uint32_t>(tensor.GetPhyAddr());
  if (count < 0) c.fail(format("%s: negative count", site.op), site.at);
  if (begin % alignment) c.fail(format("%s: unified buffer address %u is not %u-byte aligned", site.op, begin, alignment), site.at);
  if (count > static_cast<int64_t>(tensor.GetSize()))
    c.fail(format("%s: count %lld exceeds a tensor of %u elements", site.op, static_cast<long long>(count), tensor.GetSize()),
           site.at);
  return {begin, begin + static_cast<uint32_t>(count) * static_cast<uint32_t>(sizeof(T))};
}

/// Destination and source may be the same bytes, or share none.
PLD_EMU_BODY void checkOverlap(const Core& c, const Site& site, const UbRange& dst, const UbRange& src) {
  const bool apart = dst.end <= src.begin || src.end <= dst.begin;
  if (!apart && (dst.begin != src.begin || dst.end != src.end))
    c.fail(format("%s: destination and source overlap in part", site.op), site.at);
}

/// Issues a V operation over the given ranges.
PLD_EMU_BODY void vectorOp(Core& c, const Site& site, std::initializer_list<UbRange> reads, const UbRange& write,
                     std::function<void()> body) {
  const Access access = c.access(Pipe::V, site);
  noteWork(c);
  for (const UbRange& r : reads) c.touchUb(r, access, Mode::Read);
  c.touchUb(write, access, Mode::Write);
  c.issue(access, {std::move(body)});
}

PLD_EMU_BODY bool allDefined(const Core& c, uint32_t at, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i)
    if (!c.ubDefined[at + i]) return false;
  return true;
}

/// Element i of dst from element i of src; an element is defined if its source is, and with `bytewise` each byte if its
/// own source byte is.
template <typename D, typename S, bool bytewise = false, typename F>
void map1(const char* op, const AscendC::LocalTensor<D>& dst, const AscendC::LocalTensor<S>& src, int64_t count, F f,
          const At& at) {
  const Site site{op, at};
  Core& c = step(op, at);
  const UbRange d = operand(c, site, dst, count), s = operand(c, site, src, count);
  checkOverlap(c, site, d, s);
  if (count == 0) return;
  Core* core = &c;
  vectorOp(c, site, {s}, d, [=] {
    for (uint32_t i = 0; i < static_cast<uint32_t>(count); ++i) {
      const uint32_t from = s.begin + i * sizeof(S), to = d.begin + i * sizeof(D);
      constexpr uint32_t grain = bytewise ? 1 : sizeof(S), written = bytewise ? 1 : sizeof(D);
      storeElement<D>(core->ub.data() + to, f(loadElement<S>(core->ub.data() + from)));
      for (uint32_t part = 0; part < sizeof(S) / grain; ++part) {
        const bool defined = allDefined(*core, from + part * grain, grain);
        std::memset(core->ubDefined.data() + to + part * written, defined, written);
      }
    }
  });
}

template <typename T, bool bytewise = false, typename F>
void map2(const char* op, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& a,
          const AscendC::LocalTensor<T>& b, int64_t count, F f, const At& at) {
  const Site site{op, at};
  Core& c = step(op, at);
  const UbRange d = operand(c, site, dst, count), ra = operand(c, site, a, count), rb = operand(c, site, b, count);
  checkOverlap(c, site, d, ra);
  checkOverlap(c, site, d, rb);
  if (count == 0) return;
  Core* core = &c;
  vectorOp(c, site, {ra, rb}, d, [=] {
    for (uint32_t i = 0; i < static_cast<uint32_t>(count) * sizeof(T); i += sizeof(T)) {
      constexpr uint32_t grain = bytewise ? 1 : sizeof(T);
      const uint8_t* ub = core->ub.data();
      storeElement<T>(core->ub.data() + d.begin + i, f(loadElement<T>(ub + ra.begin + i), loadElement<T>(ub + rb.begin + i)));
      for (uint32_t b = i; b < i + sizeof(T); b += grain) {
        const bool defined = allDefined(*core, ra.begin + b, grain) && allDefined(*core, rb.begin + b, grain);
        std::memset(core->ubDefined.data() + d.begin + b, defined, grain);
      }
    }
  });
}

/// A function of floats applied to a half or float.
template <typename F>
auto real(F f) {
  return [f](auto value) {
    return narrow<decltype(value)>(f(static_cast<float>(widen(value))), AscendC::RoundMode::CAST_RINT);
  };
}

template <typename T> constexpr bool arithmeticType = oneOf<T, int16_t, half, int32_t, float>;
template <typename T> constexpr bool realType = oneOf<T, half, float>;
template <typename T> constexpr bool fillType = oneOf<T, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>;

}  // namespace pld_emu

// A scalar operand must have the element type exactly, as with the vendor's templates.
#define PLD_EMU_BINARY(NAME, TYPES, WHICH, F)                                                                    \
  template <typename T>                                                                                          \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                   \
            const int32_t& count, PLD_EMU_AT) {                                                                  \
    static_assert(pld_emu::TYPES<T>, #NAME " on arch 2201: " WHICH);                                             \
    pld_emu::map2<T>(#NAME, dst, src0, src1, count, [](T a, T b) { return F; }, at);                             \
  }
#define PLD_EMU_SCALAR(NAME, F)                                                                                  \
  template <typename T>                                                                                          \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, const int32_t& count,    \
            PLD_EMU_AT) {                                                                                        \
    static_assert(pld_emu::arithmeticType<T>, #NAME " on arch 2201: int16, half, int32 or float");               \
    pld_emu::map1<T, T>(#NAME, dst, src, count, [b = scalarValue](T a) { return F; }, at);                       \
  }
#define PLD_EMU_UNARY(NAME, F)                                                                                   \
  template <typename T>                                                                                          \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count, PLD_EMU_AT) {            \
    static_assert(pld_emu::realType<T>, #NAME " on arch 2201: half or float");                                   \
    pld_emu::map1<T, T>(#NAME, dst, src, count, pld_emu::real([](float a) { return F; }), at);                   \
  }

namespace AscendC {

PLD_EMU_BINARY(Add, arithmeticType, "int16, half, int32 or float", pld_emu::arithmetic(a, b, pld_emu::Plus()))
PLD_EMU_BINARY(Sub, arithmeticType, "int16, half, int32 or float", pld_emu::arithmetic(a, b, pld_emu::Minus()))
PLD_EMU_BINARY(Mul, arithmeticType, "int16, half, int32 or float", pld_emu::arithmetic(a, b, pld_emu::Times()))
PLD_EMU_BINARY(Max, arithmeticType, "int16, half, int32 or float", pld_emu::greater(a, b))
PLD_EMU_BINARY(Min, arithmeticType, "int16, half, int32 or float", pld_emu::lesser(a, b))
PLD_EMU_BINARY(Div, realType, "half or float",
               pld_emu::narrow<T>(pld_emu::widen(a) / pld_emu::widen(b), RoundMode::CAST_RINT))

PLD_EMU_SCALAR(Adds, pld_emu::arithmetic(a, b, pld_emu::Plus()))
PLD_EMU_SCALAR(Muls, pld_emu::arithmetic(a, b, pld_emu::Times()))
PLD_EMU_SCALAR(Maxs, pld_emu::greater(a, b))
PLD_EMU_SCALAR(Mins, pld_emu::lesser(a, b))

PLD_EMU_UNARY(Exp, std::exp(static_cast<double>(a)))
PLD_EMU_UNARY(Ln, std::log(static_cast<double>(a)))
PLD_EMU_UNARY(Abs, std::fabs(a))
PLD_EMU_UNARY(Sqrt, std::sqrt(a))
PLD_EMU_UNARY(Rsqrt, 1.0f / std::sqrt(a))
PLD_EMU_UNARY(Reciprocal, 1.0f / a)

template <typename T>
void Relu(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count, PLD_EMU_AT) {
  static_assert(pld_emu::oneOf<T, half, int32_t, float>, "Relu on arch 2201: half, int32 or float");
  pld_emu::map1<T, T>("Relu", dst, src, count, [](T a) { return pld_emu::widen(a) < 0 ? T{} : a; }, at);
}

template <typename T>
void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, const int32_t& count, PLD_EMU_AT) {
  static_assert(pld_emu::fillType<T>, "Duplicate on arch 2201: 16- and 32-bit types");
  const pld_emu::Site site{"Duplicate", at};
  pld_emu::Core& c = pld_emu::step(site.op, at);
  const pld_emu::UbRange d = pld_emu::operand(c, site, dst, count);
  if (count == 0) return;
  pld_emu::Core* core = &c;
  pld_emu::vectorOp(c, site, {}, d, [=] {
    for (uint32_t b = d.begin; b < d.end; b += sizeof(T)) pld_emu::storeElement<T>(core->ub.data() + b, scalarValue);
    std::memset(core->ubDefined.data() + d.begin, 1, d.end - d.begin);
  });
}

/// UB to UB, on pipe V.
template <typename T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count, PLD_EMU_AT) {
  static_assert(pld_emu::moveType<T>, "no copy of this element type on arch 2201");
  pld_emu::checkCount<T>(pld_emu::core("DataCopy", at), "DataCopy", count, at);
  pld_emu::map1<T, T>("DataCopy", dst, src, count, [](T a) { return a; }, at);
}

}  // namespace AscendC

#undef PLD_EMU_BINARY
#undef PLD_EMU_SCALAR
#undef PLD_EMU_UNARY
