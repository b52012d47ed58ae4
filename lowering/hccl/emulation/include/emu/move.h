// DMA between global memory and the unified buffer (MTE2, MTE3), with padding and atomics.
#pragma once

#include "elements.h"
#include "sync.h"

namespace AscendC {

struct DataCopyParams {
  DataCopyParams() = default;
  DataCopyParams(uint16_t count, uint16_t len, uint16_t srcStrideIn, uint16_t dstStrideIn)
      : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn) {}
  uint16_t blockCount = 1;
  uint16_t blockLen = 0;   ///< 32-byte units, as the strides
  uint16_t srcStride = 0;
  uint16_t dstStride = 0;
};

struct DataCopyExtParams {
  DataCopyExtParams() = default;
  DataCopyExtParams(uint16_t count, uint32_t len, uint32_t srcStrideIn, uint32_t dstStrideIn, uint32_t rsvIn)
      : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn), rsv(rsvIn) {}
  uint16_t blockCount = 1;
  uint32_t blockLen = 0;   ///< bytes
  uint32_t srcStride = 0;  ///< GM: bytes, UB: 32-byte units
  uint32_t dstStride = 0;
  uint32_t rsv = 0;
};

template <typename T>
struct DataCopyPadExtParams {
  DataCopyPadExtParams() = default;
  DataCopyPadExtParams(bool pad, uint8_t left, uint8_t right, T value)
      : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}
  bool isPad = false;
  uint8_t leftPadding = 0;   ///< elements
  uint8_t rightPadding = 0;
  T paddingValue{};
};

}  // namespace AscendC

namespace pld_emu {

template <typename T>
constexpr bool moveType = oneOf<T, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float,
                                int64_t, uint64_t, double>;

/// A DMA in bytes: `count` pieces of `bytes`, with pitches from start to start.
struct Transfer {
  uint64_t gm;
  uint64_t gmPitch;
  uint32_t ub;
  uint32_t ubPitch;
  uint32_t count;
  uint32_t bytes;      ///< of GM per piece
  uint32_t left = 0;   ///< defined pad bytes before and after a piece (GM to UB)
  uint32_t right = 0;

  uint32_t footprint() const { return (left + bytes + right + 31) / 32 * 32; }
  bool dense() const { return count == 1 || (gmPitch == bytes && ubPitch == bytes); }
};

PLD_EMU_BODY void checkUb(const Core& c, const Site& site, uint32_t ub, uint64_t last, uint64_t tensorBytes) {
  if (c.who.cube) c.fail(format("%s: a cube core has no unified buffer", site.op), site.at);
  if (ub % 32) c.fail(format("%s: unified buffer address %u is not 32-byte aligned", site.op, ub), site.at);
  if (last > (tensorBytes + 31) / 32 * 32)
    c.fail(format("%s touches %llu bytes of a tensor of %llu bytes", site.op, static_cast<unsigned long long>(last),
                  static_cast<unsigned long long>(tensorBytes)),
           site.at);
}

/// Bytes of UB from the first to past the last piece, each rounded up to whole 32-byte blocks.
inline uint64_t span(const Transfer& t) { return t.count ? uint64_t{t.ubPitch} * (t.count - 1) + t.footprint() : 0; }

PLD_EMU_BODY void touchPieces(Core& c, const Transfer& t, const Access& access, Mode mode, uint32_t bytes) {
  if (t.ubPitch == bytes) return c.touchUb({t.ub, t.ub + t.count * bytes}, access, mode);
  for (uint32_t i = 0; i < t.count; ++i) c.touchUb({t.ub + i * t.ubPitch, t.ub + i * t.ubPitch + bytes}, access, mode);
}

/// The visible parts of a transfer: one per piece, a dense one as a whole.
PLD_EMU_BODY std::vector<std::function<void()>> pieces(const Transfer& t,
                                                 const std::function<void(uint64_t, uint32_t, uint32_t)>& move) {
  std::vector<std::function<void()>> steps;
  if (t.dense() && t.left + t.right == 0) {
    steps.push_back([=] { move(t.gm, t.ub, t.count * t.bytes); });
    return steps;
  }
  for (uint32_t i = 0; i < t.count; ++i)
    steps.push_back([=] { move(t.gm + i * t.gmPitch, t.ub + i * t.ubPitch, t.bytes); });
  return steps;
}

/// GM to UB. `pad` holds the bytes of one pad element.
template <typename T>
void load(Core& c, const Site& site, const Transfer& t, T padValue) {
  Access access = c.access(Pipe::Mte2, site);
  access.signal = t.count == 1 && t.left + t.right == 0 && signalAccess<T>(t.gm, t.bytes);
  checkGmIssue(c, access);
  touchPieces(c, t, access, Mode::Write, t.footprint());
  noteShared(c, access, t.gm);
  const Clock known = c.on(Pipe::Mte2);
  Core* core = &c;
  c.issue(access, pieces(t, [=](uint64_t gm, uint32_t ub, uint32_t bytes) {
    Region& region = touchGm(*core, access, known, gm, bytes, Mode::Read);
    uint8_t* to = core->ub.data() + ub;
    uint8_t* defined = core->ubDefined.data() + ub;
    for (uint32_t i = 0; i < t.left; i += sizeof(T)) storeElement(to + i, padValue);
    std::memcpy(to + t.left, reinterpret_cast<const void*>(gm), bytes);
    for (uint32_t i = 0; i < t.right; i += sizeof(T)) storeElement(to + t.left + bytes + i, padValue);
    std::memset(defined, 1, t.left);
    std::memcpy(defined + t.left, region.defined.data() + (gm - region.begin), bytes);
    std::memset(defined + t.left + bytes, 1, t.right);
    const uint32_t used = t.left + bytes + t.right, tail = (used + 31) / 32 * 32 - used;
    std::memset(to + used, 0xff, tail);
    std::memset(defined + used, 0, tail);
    core->loadedSignals.erase(ub);
    if (!access.signal) return;
    notePoll(*core, site, gm, loadElement<uint32_t>(to));
    const Signal* signal = System::get().memory.findSignal(gm);
    core->loadedSignals[ub] = signal ? *signal : Signal();
  }));
}

template <typename T>
void combine(AtomicMode::Kind kind, uint64_t gm, const uint8_t* from, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i += sizeof(T)) {
    uint8_t* to = reinterpret_cast<uint8_t*>(gm + i);
    const T old = loadElement<T>(to), other = loadElement<T>(from + i);
    storeElement<T>(to, kind == AtomicMode::Add   ? arithmetic(old, other, Plus())
                        : kind == AtomicMode::Max ? greater(old, other)
                                                  : lesser(old, other));
  }
}

PLD_EMU_BODY void requireDefined(const Core& c, const Access& access, const uint8_t* defined, uint32_t bytes,
                           const char* what) {
  for (uint32_t i = 0; i < bytes; ++i)
    if (!defined[i])
      c.fail(format("%s %s undefined bytes (pad lanes, or never written), the first at byte %u", access.site.op, what, i),
             access.site.at);
}

/// UB to GM, plain or in the core's atomic mode.
template <typename T>
void store(Core& c, const Site& site, const Transfer& t) {
  const AtomicMode atomic = c.atomic;
  const bool isAtomic = atomic.kind != AtomicMode::None;
  if (isAtomic && std::strcmp(atomic.type, typeName<T>()) != 0)
    c.fail(format("%s of %s while the atomic mode is set for %s (at %s)", site.op, typeName<T>(), atomic.type,
                  name(atomic.at).c_str()),
           site.at);
  Access access = c.access(Pipe::Mte3, site);
  access.signal = t.count == 1 && signalAccess<T>(t.gm, t.bytes);
  checkGmIssue(c, access);
  noteSignal(c, access, t.gm, isAtomic);
  noteWork(c);
  touchPieces(c, t, access, Mode::Read, t.bytes);
  const Clock known = c.on(Pipe::Mte3), told = access.signal ? toldBy(c, t.gm) : Clock();
  noteShared(c, access, t.gm);
  Core* core = &c;
  c.issue(access, pieces(t, [=](uint64_t gm, uint32_t ub, uint32_t bytes) {
    Region& region = touchGm(*core, access, known, gm, bytes, isAtomic ? Mode::Atomic : Mode::Write);
    uint8_t* defined = region.defined.data() + (gm - region.begin);
    requireDefined(*core, access, core->ubDefined.data() + ub, bytes, "stores");
    if (isAtomic) {
      requireDefined(*core, access, defined, bytes, "adds to");
      if constexpr (atomicType<T>) combine<T>(atomic.kind, gm, core->ub.data() + ub, bytes);
    } else {
      std::memcpy(reinterpret_cast<void*>(gm), core->ub.data() + ub, bytes);
      std::memset(defined, 1, bytes);
    }
    ++System::get().version;
    if (access.signal) release(access, known, told, gm, isAtomic);
  }));
}

template <typename T>
Core& beginMove(const char* op, const T* gm, uint64_t gmElements, uint64_t bytes, const At& at) {
  static_assert(moveType<T>, "no DMA of this element type on arch 2201");
  Core& c = step(op, at);
  if (address(gm) % sizeof(T)) c.fail(format("%s: global address not aligned to its element", op), at);
  if (gmElements && bytes > gmElements * sizeof(T))
    c.fail(format("%s: %llu bytes of a global tensor of %llu elements", op, static_cast<unsigned long long>(bytes),
                  static_cast<unsigned long long>(gmElements)),
           at);
  return c;
}

/// A count form: whole 32-byte blocks only (hardware drops the rest without a word).
template <typename T>
void checkCount(const Core& c, const char* op, uint64_t count, const At& at) {
  if (count * sizeof(T) % 32)
    c.fail(format("%s: %llu elements of %s are not whole 32-byte blocks (the rest would be dropped)", op,
                  static_cast<unsigned long long>(count), typeName<T>()),
           at);
}

template <typename T>
void checkExt(const Core& c, const char* op, const AscendC::DataCopyExtParams& p, const At& at) {
  if (p.blockCount > 4095) c.fail(format("%s: blockCount %u exceeds 4095", op, p.blockCount), at);
  if (p.blockLen > 2097151) c.fail(format("%s: blockLen %u exceeds 2097151 bytes", op, p.blockLen), at);
  if (p.blockLen % sizeof(T)) c.fail(format("%s: blockLen %u is not whole elements of %s", op, p.blockLen, typeName<T>()), at);
}

inline uint64_t gmSpan(const Transfer& t) { return t.count ? t.gmPitch * (t.count - 1) + t.bytes : 0; }

}  // namespace pld_emu

namespace AscendC {

template <typename T>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyExtParams& params,
                 const DataCopyPadExtParams<T>& pad, PLD_EMU_AT) {
  const pld_emu::Site site{"DataCopyPad", at};
  pld_emu::Transfer t{pld_emu::address(src.GetPhyAddr()), uint64_t{params.blockLen} + params.srcStride,
                      static_cast<uint32_t>(dst.GetPhyAddr()), 0, params.blockCount, params.blockLen, 0, 0};
  if (pad.isPad) t.left = pad.leftPadding * sizeof(T), t.right = pad.rightPadding * sizeof(T);
  t.ubPitch = t.footprint() + params.dstStride * 32;
  pld_emu::Core& c = pld_emu::beginMove(site.op, src.GetPhyAddr(), src.GetSize(), pld_emu::gmSpan(t), at);
  pld_emu::checkExt<T>(c, site.op, params, at);
  if (t.left > 32 || t.right > 32) c.fail("DataCopyPad: padding of more than 32 bytes", at);
  if (sizeof(T) == 8 && pad.isPad && pld_emu::widen(pad.paddingValue) != 0)
    c.fail("DataCopyPad: paddingValue of a 64-bit type must be 0", at);
  pld_emu::checkUb(c, site, t.ub, pld_emu::span(t), uint64_t{dst.GetSize()} * sizeof(T));
  if (params.blockCount && params.blockLen) pld_emu::load<T>(c, site, t, pad.paddingValue);
}

template <typename T>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyExtParams& params, PLD_EMU_AT) {
  const pld_emu::Site site{"DataCopyPad", at};
  pld_emu::Transfer t{pld_emu::address(dst.GetPhyAddr()), uint64_t{params.blockLen} + params.dstStride,
                      static_cast<uint32_t>(src.GetPhyAddr()), 0, params.blockCount, params.blockLen, 0, 0};
  t.ubPitch = t.footprint() + params.srcStride * 32;
  pld_emu::Core& c = pld_emu::beginMove(site.op, dst.GetPhyAddr(), dst.GetSize(), pld_emu::gmSpan(t), at);
  pld_emu::checkExt<T>(c, site.op, params, at);
  pld_emu::checkUb(c, site, t.ub, pld_emu::span(t), uint64_t{src.GetSize()} * sizeof(T));
  if (params.blockCount && params.blockLen) pld_emu::store<T>(c, site, t);
}

template <typename T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& params, PLD_EMU_AT) {
  const pld_emu::Site site{"DataCopy", at};
  const uint32_t bytes = params.blockLen * 32u;
  const pld_emu::Transfer t{pld_emu::address(src.GetPhyAddr()), bytes + params.srcStride * 32ull,
                            static_cast<uint32_t>(dst.GetPhyAddr()), bytes + params.dstStride * 32u,
                            params.blockCount, bytes, 0, 0};
  pld_emu::Core& c = pld_emu::beginMove(site.op, src.GetPhyAddr(), src.GetSize(), pld_emu::gmSpan(t), at);
  if (params.blockCount > 4095) c.fail("DataCopy: blockCount exceeds 4095", at);
  pld_emu::checkUb(c, site, t.ub, pld_emu::span(t), uint64_t{dst.GetSize()} * sizeof(T));
  if (t.count && bytes) pld_emu::load<T>(c, site, t, T{});
}

template <typename T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params, PLD_EMU_AT) {
  const pld_emu::Site site{"DataCopy", at};
  const uint32_t bytes = params.blockLen * 32u;
  const pld_emu::Transfer t{pld_emu::address(dst.GetPhyAddr()), bytes + params.dstStride * 32ull,
                            static_cast<uint32_t>(src.GetPhyAddr()), bytes + params.srcStride * 32u,
                            params.blockCount, bytes, 0, 0};
  pld_emu::Core& c = pld_emu::beginMove(site.op, dst.GetPhyAddr(), dst.GetSize(), pld_emu::gmSpan(t), at);
  if (params.blockCount > 4095) c.fail("DataCopy: blockCount exceeds 4095", at);
  pld_emu::checkUb(c, site, t.ub, pld_emu::span(t), uint64_t{src.GetSize()} * sizeof(T));
  if (t.count && bytes) pld_emu::store<T>(c, site, t);
}

template <typename T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const uint32_t count, PLD_EMU_AT) {
  pld_emu::checkCount<T>(pld_emu::core("DataCopy", at), "DataCopy", count, at);
  const pld_emu::Site site{"DataCopy", at};
  const pld_emu::Transfer t{pld_emu::address(src.GetPhyAddr()), 0, static_cast<uint32_t>(dst.GetPhyAddr()), 0, 1,
                            count * static_cast<uint32_t>(sizeof(T)), 0, 0};
  pld_emu::Core& c = pld_emu::beginMove(site.op, src.GetPhyAddr(), src.GetSize(), t.bytes, at);
  pld_emu::checkUb(c, site, t.ub, t.bytes, uint64_t{dst.GetSize()} * sizeof(T));
  if (count) pld_emu::load<T>(c, site, t, T{});
}

template <typename T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count, PLD_EMU_AT) {
  pld_emu::checkCount<T>(pld_emu::core("DataCopy", at), "DataCopy", count, at);
  const pld_emu::Site site{"DataCopy", at};
  const pld_emu::Transfer t{pld_emu::address(dst.GetPhyAddr()), 0, static_cast<uint32_t>(src.GetPhyAddr()), 0, 1,
                            count * static_cast<uint32_t>(sizeof(T)), 0, 0};
  pld_emu::Core& c = pld_emu::beginMove(site.op, dst.GetPhyAddr(), dst.GetSize(), t.bytes, at);
  pld_emu::checkUb(c, site, t.ub, t.bytes, uint64_t{src.GetSize()} * sizeof(T));
  if (count) pld_emu::store<T>(c, site, t);
}

}  // namespace AscendC
