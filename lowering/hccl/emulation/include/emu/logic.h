// Vector operations beyond plain arithmetic: bits, shifts, fused multiply-add, compare and select, gather.
#pragma once

#include "vector.h"

namespace AscendC {

enum class CMPMODE : uint8_t { LT = 0, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR = 0, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };

}  // namespace AscendC

namespace pld_emu {

inline bool compare(double a, double b, AscendC::CMPMODE mode) {
  switch (mode) {
    case AscendC::CMPMODE::LT: return a < b;
    case AscendC::CMPMODE::GT: return a > b;
    case AscendC::CMPMODE::EQ: return a == b;
    case AscendC::CMPMODE::LE: return a <= b;
    case AscendC::CMPMODE::GE: return a >= b;
    case AscendC::CMPMODE::NE: return a != b;
  }
  return false;
}

/// Element i of the second source: of a tensor, or the same scalar for all.
template <typename T>
struct Operand {
  bool isScalar;
  T scalar;
  UbRange range;

  bool defined(const Core& c, uint32_t i) const { return isScalar || allDefined(c, range.begin + i * sizeof(T), sizeof(T)); }
  T value(const Core& c, uint32_t i) const {
    return isScalar ? scalar : loadElement<T>(c.ub.data() + range.begin + i * sizeof(T));
  }
};

template <typename T>
Operand<T> tensorOperand(const Core& c, const Site& site, const AscendC::LocalTensor<T>& tensor, uint32_t count) {
  return {false, T{}, operand(c, site, tensor, count)};
}

template <typename T>
Operand<T> scalarOperand(T value) {
  return {true, value, {0, 0}};
}

/// Bit i of the result is whether element i compares true; whole repeats only.
template <typename M, typename T>
void compareOp(const Site& site, const AscendC::LocalTensor<M>& dst, const AscendC::LocalTensor<T>& src0,
               const Operand<T>& other, AscendC::CMPMODE mode, uint32_t count, Core& c) {
  static_assert(oneOf<M, int8_t, uint8_t>, "the mask is int8 or uint8");
  static_assert(oneOf<T, half, float, int32_t>, "compare on arch 2201: half, float, or int32 with EQ");
  if (std::is_same_v<T, int32_t> && mode != AscendC::CMPMODE::EQ) c.fail(format("%s of int32 takes EQ only", site.op), site.at);
  if (count * sizeof(T) % 256) c.fail(format("%s: %u elements are not whole 256-byte repeats", site.op, count), site.at);
  const UbRange d = operand(c, site, dst, count / 8), s = operand(c, site, src0, count);
  if (count == 0) return;
  Core* core = &c;
  vectorOp(c, site, {s, other.range}, d, [=] {
    const Operand<T> first{false, T{}, s};
    for (uint32_t byte = 0; byte < count / 8; ++byte) {
      uint8_t bits = 0;
      bool defined = true;
      for (uint32_t bit = 0; bit < 8; ++bit) {
        const uint32_t i = byte * 8 + bit;
        defined = defined && first.defined(*core, i) && other.defined(*core, i);
        bits |= static_cast<uint8_t>(compare(widen(first.value(*core, i)), widen(other.value(*core, i)), mode) << bit);
      }
      core->ub[d.begin + byte] = bits;
      core->ubDefined[d.begin + byte] = defined;
    }
  });
}

template <typename T, typename M>
void selectOp(const Site& site, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<M>& mask,
              const AscendC::LocalTensor<T>& src0, const Operand<T>& other, uint32_t count, Core& c) {
  static_assert(realType<T>, "Select on arch 2201: half or float");
  static_assert(oneOf<M, uint8_t, uint16_t, uint32_t, uint64_t>, "the mask is an unsigned type");
  const uint32_t maskElements = (count + 8 * static_cast<uint32_t>(sizeof(M)) - 1) / (8 * static_cast<uint32_t>(sizeof(M)));
  const UbRange d = operand(c, site, dst, count), s = operand(c, site, src0, count), m = operand(c, site, mask, maskElements);
  checkOverlap(c, site, d, s);
  if (count == 0) return;
  Core* core = &c;
  vectorOp(c, site, {s, m, other.range}, d, [=] {
    const Operand<T> first{false, T{}, s};
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t byte = m.begin + i / 8, to = d.begin + i * static_cast<uint32_t>(sizeof(T));
      const Operand<T>& chosen = core->ub[byte] >> (i % 8) & 1 ? first : other;
      const bool defined = core->ubDefined[byte] && chosen.defined(*core, i);
      storeElement<T>(core->ub.data() + to, chosen.value(*core, i));
      std::memset(core->ubDefined.data() + to, defined, sizeof(T));
    }
  });
}

template <typename T> constexpr bool bitType = oneOf<T, int16_t, uint16_t>;
template <typename T> constexpr bool shiftType = oneOf<T, int16_t, uint16_t, int32_t, uint32_t>;

/// dst + a * b in dst's type, rounded once.
template <typename D, typename S>
D multiplyAdd(D dst, S a, S b) {
  static_assert((realType<D> && std::is_same_v<D, S>) || (std::is_same_v<D, float> && std::is_same_v<S, half>),
                "multiply-add on arch 2201: half, float, or half onto float");
  return narrow<D>(widen(dst) + widen(a) * widen(b), AscendC::RoundMode::CAST_RINT);
}

}  // namespace pld_emu

namespace AscendC {

template <typename T>
void And(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count, PLD_EMU_AT) {
  static_assert(pld_emu::bitType<T>, "And on arch 2201: int16 or uint16");
  pld_emu::map2<T, true>("And", dst, src0, src1, count, [](T a, T b) { return static_cast<T>(a & b); }, at);
}

template <typename T>
void Or(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count, PLD_EMU_AT) {
  static_assert(pld_emu::bitType<T>, "Or on arch 2201: int16 or uint16");
  pld_emu::map2<T, true>("Or", dst, src0, src1, count, [](T a, T b) { return static_cast<T>(a | b); }, at);
}

template <typename T>
void Not(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count, PLD_EMU_AT) {
  static_assert(pld_emu::bitType<T>, "Not on arch 2201: int16 or uint16");
  pld_emu::map1<T, T, true>("Not", dst, src, count, [](T a) { return static_cast<T>(~a); }, at);
}

template <typename T>
void ShiftLeft(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, const int32_t& count, PLD_EMU_AT) {
  static_assert(pld_emu::shiftType<T>, "ShiftLeft on arch 2201: 16- and 32-bit integers");
  if (scalarValue < 0 || static_cast<unsigned>(scalarValue) >= 8 * sizeof(T))
    pld_emu::core("ShiftLeft", at).fail("ShiftLeft by less than 0 or by the whole width", at);
  pld_emu::map1<T, T>("ShiftLeft", dst, src, count, [n = scalarValue](T a) { return static_cast<T>(static_cast<uint32_t>(a) << n); }, at);
}

template <typename T>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, const int32_t& count, PLD_EMU_AT) {
  static_assert(pld_emu::shiftType<T>, "ShiftRight on arch 2201: 16- and 32-bit integers");
  if (scalarValue < 0 || static_cast<unsigned>(scalarValue) >= 8 * sizeof(T))
    pld_emu::core("ShiftRight", at).fail("ShiftRight by less than 0 or by the whole width", at);
  pld_emu::map1<T, T>("ShiftRight", dst, src, count, [n = scalarValue](T a) { return static_cast<T>(a >> n); }, at);
}

template <typename T>
void LeakyRelu(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, const int32_t& count, PLD_EMU_AT) {
  static_assert(pld_emu::realType<T>, "LeakyRelu on arch 2201: half or float");
  pld_emu::map1<T, T>("LeakyRelu", dst, src, count,
                      [slope = scalarValue](T a) { return pld_emu::widen(a) < 0 ? pld_emu::arithmetic(a, slope, pld_emu::Times()) : a; }, at);
}

/// dst += src0 * src1
template <typename T, typename U>
void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const int32_t& count, PLD_EMU_AT) {
  const pld_emu::Site site{"MulAddDst", at};
  pld_emu::Core& c = pld_emu::step(site.op, at);
  const pld_emu::UbRange d = pld_emu::operand(c, site, dst, count);
  const pld_emu::Operand<U> a = pld_emu::tensorOperand(c, site, src0, static_cast<uint32_t>(count)),
                            b = pld_emu::tensorOperand(c, site, src1, static_cast<uint32_t>(count));
  if (count == 0) return;
  pld_emu::Core* core = &c;
  pld_emu::vectorOp(c, site, {a.range, b.range, d}, d, [=] {
    const pld_emu::Operand<T> old{false, T{}, d};
    for (uint32_t i = 0; i < static_cast<uint32_t>(count); ++i) {
      const bool defined = old.defined(*core, i) && a.defined(*core, i) && b.defined(*core, i);
      const uint32_t to = d.begin + i * static_cast<uint32_t>(sizeof(T));
      pld_emu::storeElement<T>(core->ub.data() + to, pld_emu::multiplyAdd(old.value(*core, i), a.value(*core, i), b.value(*core, i)));
      std::memset(core->ubDefined.data() + to, defined, sizeof(T));
    }
  });
}

template <typename T, typename U>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, uint32_t count, PLD_EMU_AT) {
  const pld_emu::Site site{"Compare", at};
  pld_emu::Core& c = pld_emu::step(site.op, at);
  pld_emu::compareOp(site, dst, src0, pld_emu::tensorOperand(c, site, src1, count), cmpMode, count, c);
}

template <typename T, typename U>
void CompareScalar(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, CMPMODE cmpMode, uint32_t count, PLD_EMU_AT) {
  const pld_emu::Site site{"CompareScalar", at};
  pld_emu::Core& c = pld_emu::step(site.op, at);
  pld_emu::compareOp(site, dst, src0, pld_emu::scalarOperand(src1Scalar), cmpMode, count, c);
}

/// Element i of src0 where bit i of the mask is set, else of src1.
template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
            SELMODE selMode, uint32_t count, PLD_EMU_AT) {
  const pld_emu::Site site{"Select", at};
  pld_emu::Core& c = pld_emu::step(site.op, at);
  if (selMode != SELMODE::VSEL_TENSOR_TENSOR_MODE) c.fail("Select of two tensors: only VSEL_TENSOR_TENSOR_MODE is emulated", at);
  pld_emu::selectOp(site, dst, selMask, src0, pld_emu::tensorOperand(c, site, src1, count), count, c);
}

template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, T src1, SELMODE selMode,
            uint32_t count, PLD_EMU_AT) {
  const pld_emu::Site site{"Select", at};
  pld_emu::Core& c = pld_emu::step(site.op, at);
  if (selMode != SELMODE::VSEL_TENSOR_SCALAR_MODE) c.fail("Select of tensor and scalar takes VSEL_TENSOR_SCALAR_MODE", at);
  pld_emu::selectOp(site, dst, selMask, src0, pld_emu::scalarOperand(src1), count, c);
}

/// dst[i] = the element at byte srcBaseAddr + srcOffset[i] of src.
template <typename T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset,
            const uint32_t srcBaseAddr, const uint32_t count, PLD_EMU_AT) {
  static_assert(pld_emu::fillType<T>, "Gather on arch 2201: 16- and 32-bit types");
  const pld_emu::Site site{"Gather", at};
  pld_emu::Core& c = pld_emu::step(site.op, at);
  const pld_emu::UbRange d = pld_emu::operand(c, site, dst, count), s = pld_emu::operand(c, site, src, src.GetSize()),
                         o = pld_emu::operand(c, site, srcOffset, count);
  if (d.begin < s.end && s.begin < d.end) c.fail("Gather: the result lies in the source", at);
  if (count == 0) return;
  pld_emu::Core* core = &c;
  pld_emu::vectorOp(c, site, {s, o}, d, [=] {
    for (uint32_t i = 0; i < count; ++i) {
      if (!pld_emu::allDefined(*core, o.begin + i * 4, 4)) core->fail(pld_emu::format("Gather: offset %u is undefined", i), at);
      const uint32_t offset = srcBaseAddr + pld_emu::loadElement<uint32_t>(core->ub.data() + o.begin + i * 4);
      if (offset % sizeof(T) || offset + sizeof(T) > s.end - s.begin)
        core->fail(pld_emu::format("Gather: offset %u is byte %u of a source of %u bytes", i, offset, s.end - s.begin), at);
      const uint32_t to = d.begin + i * static_cast<uint32_t>(sizeof(T));
      std::memcpy(core->ub.data() + to, core->ub.data() + s.begin + offset, sizeof(T));
      std::memcpy(core->ubDefined.data() + to, core->ubDefined.data() + s.begin + offset, sizeof(T));
    }
  });
}

}  // namespace AscendC
