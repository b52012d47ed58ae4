// Vector operations over 32-byte blocks with strides: the repeat forms of the binary operations, Brcb, and UB-to-UB copies.
#pragma once

#include "vector.h"

namespace AscendC {

/// Strides in 32-byte blocks: between the 8 blocks of a repeat, and between repeats.
struct BinaryRepeatParams {
  BinaryRepeatParams() = default;
  BinaryRepeatParams(uint8_t dstBlkStrideIn, uint8_t src0BlkStrideIn, uint8_t src1BlkStrideIn, uint8_t dstRepStrideIn,
                     uint8_t src0RepStrideIn, uint8_t src1RepStrideIn)
      : dstBlkStride(dstBlkStrideIn), src0BlkStride(src0BlkStrideIn), src1BlkStride(src1BlkStrideIn),
        dstRepStride(dstRepStrideIn), src0RepStride(src0RepStrideIn), src1RepStride(src1RepStrideIn) {}
  uint8_t dstBlkStride = 1, src0BlkStride = 1, src1BlkStride = 1;
  uint8_t dstRepStride = 8, src0RepStride = 8, src1RepStride = 8;
};

struct BrcbRepeatParams {
  BrcbRepeatParams() = default;
  BrcbRepeatParams(uint16_t dstBlkStrideIn, uint16_t dstRepStrideIn) : dstBlkStride(dstBlkStrideIn), dstRepStride(dstRepStrideIn) {}
  uint16_t dstBlkStride = 1;
  uint16_t dstRepStride = 8;
};

}  // namespace AscendC

namespace pld_emu {

constexpr uint32_t kBlock = 32;

/// The elements of a strided operand: `mask` of every repeat, block after block.
template <typename T>
struct Strided {
  uint32_t begin, repeats, mask, blockStride, repeatStride;

  static constexpr uint32_t perBlock() { return kBlock / sizeof(T); }
  uint32_t address(uint32_t repeat, uint32_t i) const {
    return begin + (repeat * repeatStride + i / perBlock() * blockStride) * kBlock + i % perBlock() * static_cast<uint32_t>(sizeof(T));
  }
  uint32_t end() const {
    uint32_t last = begin;
    for (uint32_t i = 0; i < mask; i += perBlock()) last = std::max(last, address(repeats - 1, i) + bytes(i));
    return std::max(last, mask ? address(0, mask - 1) + static_cast<uint32_t>(sizeof(T)) : begin);
  }
  /// Bytes of the block that starts at element i.
  uint32_t bytes(uint32_t i) const { return std::min(mask - i, perBlock()) * static_cast<uint32_t>(sizeof(T)); }

  void touch(Core& c, const Access& access, Mode mode) const {
    for (uint32_t r = 0; r < repeats; ++r)
      for (uint32_t i = 0; i < mask; i += perBlock()) c.touchUb({address(r, i), address(r, i) + bytes(i)}, access, mode);
  }
};

template <typename T>
Strided<T> strided(const Core& c, const Site& site, const AscendC::LocalTensor<T>& tensor, uint32_t repeats, uint64_t mask,
                   uint32_t blockStride, uint32_t repeatStride) {
  const UbRange whole = operand(c, site, tensor, tensor.GetSize());
  const Strided<T> s{whole.begin, repeats, static_cast<uint32_t>(mask), blockStride, repeatStride};
  if (repeats && s.end() > whole.end)
    c.fail(format("%s touches %u bytes of a tensor of %u bytes", site.op, s.end() - s.begin, whole.end - whole.begin), site.at);
  return s;
}

template <typename T, typename F>
void repeat2(const char* op, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src0,
             const AscendC::LocalTensor<T>& src1, uint64_t mask, uint8_t repeats, const AscendC::BinaryRepeatParams& p, F f,
             const At& at) {
  const Site site{op, at};
  Core& c = step(op, at);
  if (mask > 256 / sizeof(T)) c.fail(format("%s: mask %llu exceeds the %zu elements of a repeat", op, static_cast<unsigned long long>(mask), 256 / sizeof(T)), at);
  const Strided<T> d = strided(c, site, dst, repeats, mask, p.dstBlkStride, p.dstRepStride),
                   a = strided(c, site, src0, repeats, mask, p.src0BlkStride, p.src0RepStride),
                   b = strided(c, site, src1, repeats, mask, p.src1BlkStride, p.src1RepStride);
  if (repeats == 0 || mask == 0) return;
  Core* core = &c;
  const Access access = c.access(Pipe::V, site);
  noteWork(c);
  a.touch(c, access, Mode::Read);
  b.touch(c, access, Mode::Read);
  d.touch(c, access, Mode::Write);
  c.issue(access, {[=] {
            for (uint32_t r = 0; r < repeats; ++r)
              for (uint32_t i = 0; i < mask; ++i) {
                const uint32_t to = d.address(r, i), x = a.address(r, i), y = b.address(r, i);
                const bool defined = allDefined(*core, x, sizeof(T)) && allDefined(*core, y, sizeof(T));
                storeElement<T>(core->ub.data() + to, f(loadElement<T>(core->ub.data() + x), loadElement<T>(core->ub.data() + y)));
                std::memset(core->ubDefined.data() + to, defined, sizeof(T));
              }
          }});
}

}  // namespace pld_emu

#define PLD_EMU_REPEAT(NAME, TYPES, WHICH, F)                                                                        \
  template <typename T>                                                                                              \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,        \
            const uint8_t repeatTime, const BinaryRepeatParams& repeatParams, PLD_EMU_AT) {                          \
    static_assert(pld_emu::TYPES<T>, #NAME " on arch 2201: " WHICH);                                                 \
    pld_emu::repeat2<T>(#NAME, dst, src0, src1, mask, repeatTime, repeatParams, [](T a, T b) { return F; }, at);     \
  }

namespace AscendC {

PLD_EMU_REPEAT(Add, arithmeticType, "int16, half, int32 or float", pld_emu::arithmetic(a, b, pld_emu::Plus()))
PLD_EMU_REPEAT(Sub, arithmeticType, "int16, half, int32 or float", pld_emu::arithmetic(a, b, pld_emu::Minus()))
PLD_EMU_REPEAT(Mul, arithmeticType, "int16, half, int32 or float", pld_emu::arithmetic(a, b, pld_emu::Times()))
PLD_EMU_REPEAT(Max, arithmeticType, "int16, half, int32 or float", pld_emu::greater(a, b))
PLD_EMU_REPEAT(Min, arithmeticType, "int16, half, int32 or float", pld_emu::lesser(a, b))
PLD_EMU_REPEAT(Div, realType, "half or float",
               pld_emu::narrow<T>(pld_emu::widen(a) / pld_emu::widen(b), RoundMode::CAST_RINT))

/// Each of 8 elements per repeat fills one 32-byte block of dst.
template <typename T>
void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t repeatTime, const BrcbRepeatParams& repeatParams,
          PLD_EMU_AT) {
  static_assert(pld_emu::fillType<T>, "Brcb on arch 2201: 16- and 32-bit types");
  const pld_emu::Site site{"Brcb", at};
  pld_emu::Core& c = pld_emu::step(site.op, at);
  const uint32_t perRepeat = 256 / sizeof(T);
  const pld_emu::Strided<T> d = pld_emu::strided(c, site, dst, repeatTime, perRepeat, repeatParams.dstBlkStride, repeatParams.dstRepStride);
  const pld_emu::UbRange s = pld_emu::operand(c, site, src0, repeatTime * 8);
  if (repeatTime == 0) return;
  pld_emu::Core* core = &c;
  const pld_emu::Access access = c.access(pld_emu::Pipe::V, site);
  pld_emu::noteWork(c);
  c.touchUb(s, access, pld_emu::Mode::Read);
  d.touch(c, access, pld_emu::Mode::Write);
  c.issue(access, {[=] {
            for (uint32_t r = 0; r < repeatTime; ++r)
              for (uint32_t i = 0; i < perRepeat; ++i) {
                const uint32_t from = s.begin + (r * 8 + i / d.perBlock()) * static_cast<uint32_t>(sizeof(T)), to = d.address(r, i);
                std::memcpy(core->ub.data() + to, core->ub.data() + from, sizeof(T));
                std::memcpy(core->ubDefined.data() + to, core->ubDefined.data() + from, sizeof(T));
              }
          }});
}

/// UB to UB, on pipe V: blockCount pieces of blockLen 32-byte blocks.
template <typename T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params, PLD_EMU_AT) {
  static_assert(pld_emu::moveType<T>, "no copy of this element type on arch 2201");
  const pld_emu::Site site{"DataCopy", at};
  pld_emu::Core& c = pld_emu::step(site.op, at);
  if (params.blockCount > 4095) c.fail(pld_emu::format("DataCopy: blockCount %u exceeds 4095", params.blockCount), at);
  const uint64_t piece = uint64_t{params.blockLen} * pld_emu::kBlock / sizeof(T);
  const uint32_t count = piece ? params.blockCount : 0;
  const pld_emu::Strided<T> d = pld_emu::strided(c, site, dst, count, piece, 1, params.blockLen + params.dstStride),
                            s = pld_emu::strided(c, site, src, count, piece, 1, params.blockLen + params.srcStride);
  if (count == 0) return;
  if (d.begin < s.end() && s.begin < d.end()) c.fail("DataCopy: destination and source overlap", at);
  pld_emu::Core* core = &c;
  const pld_emu::Access access = c.access(pld_emu::Pipe::V, site);
  pld_emu::noteWork(c);
  s.touch(c, access, pld_emu::Mode::Read);
  d.touch(c, access, pld_emu::Mode::Write);
  c.issue(access, {[=] {
            for (uint32_t r = 0; r < count; ++r) {
              const uint32_t from = s.address(r, 0), to = d.address(r, 0), bytes = d.mask * static_cast<uint32_t>(sizeof(T));
              std::memcpy(core->ub.data() + to, core->ub.data() + from, bytes);
              std::memcpy(core->ubDefined.data() + to, core->ubDefined.data() + from, bytes);
            }
          }});
}

}  // namespace AscendC

#undef PLD_EMU_REPEAT
