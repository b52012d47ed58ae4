// Tensors over global memory and memory on the core, buffers and the pipe object that hands them out.
#pragma once

#include "dcache.h"

#define __gm__
#define __ubuf__

namespace AscendC {

template <typename T>
class GlobalTensor {
 public:
  using PrimType = T;

  void SetGlobalBuffer(__gm__ T* buffer) { data_ = buffer, size_ = 0; }
  void SetGlobalBuffer(__gm__ T* buffer, uint64_t bufferSize) { data_ = buffer, size_ = bufferSize; }
  const __gm__ T* GetPhyAddr() const { return data_; }
  __gm__ T* GetPhyAddr(const uint64_t offset) const { return data_ + offset; }
  uint64_t GetSize() const { return size_; }

  GlobalTensor operator[](const uint64_t offset) const {
    GlobalTensor moved;
    moved.data_ = data_ + offset;
    moved.size_ = size_ > offset ? size_ - offset : 0;
    return moved;
  }

  T GetValue(const uint64_t offset, PLD_EMU_AT) const {
    pld_emu::Core& c = pld_emu::step("GlobalTensor::GetValue", at);
    return pld_emu::scalarLoad<T>(c, {"GlobalTensor::GetValue", at}, pld_emu::address(data_ + offset));
  }
  void SetValue(const uint64_t offset, T value, PLD_EMU_AT) {
    pld_emu::Core& c = pld_emu::step("GlobalTensor::SetValue", at);
    pld_emu::scalarStore<T>(c, {"GlobalTensor::SetValue", at}, pld_emu::address(data_ + offset), value);
  }

 private:
  __gm__ T* data_ = nullptr;
  uint64_t size_ = 0;  ///< elements, 0 = unknown
};

template <typename T>
class LocalTensor {
 public:
  using PrimType = T;

  LocalTensor() = default;

  T GetValue(const uint32_t index, PLD_EMU_AT) const {
    const pld_emu::Site site{"LocalTensor::GetValue", at};
    pld_emu::Core& c = pld_emu::step(site.op, at);
    const uint32_t byte = element(c, site, index);
    const pld_emu::Access access = c.access(pld_emu::Pipe::S, site);
    c.touchUb({byte, byte + sizeof32()}, access, pld_emu::Mode::Read);
    c.settle();
    for (uint32_t i = 0; i < sizeof(T); ++i)
      if (!c.ubDefined[byte + i])
        c.fail(pld_emu::format("GetValue(%u) reads an undefined element (a pad lane, or never written)", index), at);
    T value;
    std::memcpy(&value, c.ub.data() + byte, sizeof(T));
    auto signal = c.loadedSignals.find(byte);
    if (signal != c.loadedSignals.end()) {
      pld_emu::acquire(c, site, signal->second);
      c.loadedSignals.erase(signal);
      pld_emu::afterPoll(c);
    }
    return value;
  }

  template <typename S>
  void SetValue(const uint32_t index, const S value, PLD_EMU_AT) const {
    const pld_emu::Site site{"LocalTensor::SetValue", at};
    pld_emu::Core& c = pld_emu::step(site.op, at);
    const uint32_t byte = element(c, site, index);
    const pld_emu::Access access = c.access(pld_emu::Pipe::S, site);
    c.touchUb({byte, byte + sizeof32()}, access, pld_emu::Mode::Write);
    const T stored = static_cast<T>(value);
    std::memcpy(c.ub.data() + byte, &stored, sizeof(T));
    std::memset(c.ubDefined.data() + byte, 1, sizeof(T));
  }

  LocalTensor operator[](const uint32_t offset) const {
    LocalTensor moved = *this;
    moved.begin_ += offset * sizeof32();
    moved.size_ = size_ > offset ? size_ - offset : 0;
    return moved;
  }

  template <typename U>
  LocalTensor<U> ReinterpretCast() const {
    return LocalTensor<U>::make(begin_, size_ * sizeof32() / static_cast<uint32_t>(sizeof(U)), position_);
  }

  uint64_t GetPhyAddr() const { return begin_; }
  uint32_t GetSize() const { return size_; }
  void SetSize(uint32_t size) { size_ = size; }
  int32_t GetPosition() const { return static_cast<int32_t>(position_); }

  /// Not part of the API: the emulation's buffers make tensors.
  static LocalTensor make(uint32_t begin, uint32_t size, TPosition position) {
    LocalTensor tensor;
    tensor.begin_ = begin;
    tensor.size_ = size;
    tensor.position_ = position;
    return tensor;
  }

 private:
  static constexpr uint32_t sizeof32() { return static_cast<uint32_t>(sizeof(T)); }

  uint32_t element(const pld_emu::Core& c, const pld_emu::Site& site, uint32_t index) const {
    if (pld_emu::spaceOf(position_) != pld_emu::Space::Ub)
      c.fail(pld_emu::format("%s outside the unified buffer", site.op), site.at);
    if (index >= size_)
      c.fail(pld_emu::format("%s(%u) outside a tensor of %u elements", site.op, index, size_), site.at);
    return begin_ + index * sizeof32();
  }

  uint32_t begin_ = 0;
  uint32_t size_ = 0;
  TPosition position_ = TPosition::VECCALC;
};

template <TPosition pos = TPosition::LCM>
class TBuf {
  static_assert(pld_emu::spaceOf(pos) != pld_emu::Space::Count,
                "a buffer is VECIN, VECOUT or VECCALC; on a cube core A1, B1, A2, B2 or CO1");

 public:
  template <typename T>
  LocalTensor<T> Get(PLD_EMU_AT) {
    return GetWithOffset<T>(bytes_ / static_cast<uint32_t>(sizeof(T)), 0, at);
  }
  template <typename T>
  LocalTensor<T> Get(uint32_t len, PLD_EMU_AT) {
    return GetWithOffset<T>(len, 0, at);
  }
  template <typename T>
  LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset, PLD_EMU_AT) {
    pld_emu::Core& c = pld_emu::core("TBuf::GetWithOffset", at);
    if (bufOffset + uint64_t{size} * sizeof(T) > bytes_)
      c.fail(pld_emu::format("GetWithOffset: %u elements of %s at byte %u exceed the buffer of %u bytes", size,
                             pld_emu::typeName<T>(), bufOffset, bytes_),
             at);
    if (bufOffset % 32)
      c.fail(pld_emu::format("GetWithOffset: byte offset %u is not a multiple of 32", bufOffset), at);
    return LocalTensor<T>::make(begin_ + bufOffset, size, pos);
  }

 private:
  friend class TPipe;
  uint32_t begin_ = 0;
  uint32_t bytes_ = 0;
};

class TPipe {
 public:
  explicit TPipe(PLD_EMU_AT) {
    pld_emu::Core& c = pld_emu::core("TPipe", at);
    if (c.pipe) c.fail("a second TPipe in one kernel", at);
    c.pipe = this;
  }
  ~TPipe() {
    if (pld_emu::currentCore) pld_emu::currentCore->pipe = nullptr;
  }
  TPipe(const TPipe&) = delete;
  TPipe& operator=(const TPipe&) = delete;

  template <TPosition pos>
  bool InitBuffer(TBuf<pos>& buf, uint32_t lenBytes, PLD_EMU_AT) {
    pld_emu::Core& c = pld_emu::core("TPipe::InitBuffer", at);
    constexpr pld_emu::Space space = pld_emu::spaceOf(pos);
    constexpr const pld_emu::SpaceInfo& info = pld_emu::info(space);
    uint32_t& used = used_[static_cast<unsigned>(space)];
    const uint32_t bytes = (lenBytes + 31) / 32 * 32;
    if (info.cube != c.who.cube)
      c.fail(pld_emu::format("InitBuffer: a %s core has no %s", c.who.cube ? "cube" : "vector", info.name), at);
    if (uint64_t{used} + bytes > info.usable)
      c.fail(pld_emu::format("InitBuffer: %u + %u bytes exceed the %u bytes of %s", used, bytes, info.usable, info.name),
             at);
    buf.begin_ = info.begin + used;
    buf.bytes_ = bytes;
    used += bytes;
    return true;
  }

  template <HardEvent e>
  TEventID AllocEventID(PLD_EMU_AT) {
    pld_emu::Core& c = pld_emu::core("TPipe::AllocEventID", at);
    pld_emu::Flag* flags = c.flags[static_cast<unsigned>(e)];
    unsigned open = 0;
    for (unsigned i = 0; i < pld_emu::kEventIds; ++i) open += flags[i].allocated;
    if (open >= pld_emu::kOpenIds)
      c.fail(pld_emu::format("AllocEventID: more than %u open ids of one event; FetchEventID and API internals need "
                             "the rest",
                             pld_emu::kOpenIds),
             at);
    const TEventID id = freeId(c, e);
    flags[id].allocated = true;
    flags[id].at = at;
    return id;
  }
  template <HardEvent e>
  void ReleaseEventID(TEventID id, PLD_EMU_AT) {
    pld_emu::Core& c = pld_emu::core("TPipe::ReleaseEventID", at);
    if (id < 0 || id >= static_cast<int>(pld_emu::kEventIds) || !c.flags[static_cast<unsigned>(e)][id].allocated)
      c.fail(pld_emu::format("ReleaseEventID(%d): the id is not allocated", id), at);
    c.flags[static_cast<unsigned>(e)][id].allocated = false;
  }
  template <HardEvent e>
  TEventID FetchEventID(PLD_EMU_AT) {
    return FetchEventID(e, at);
  }
  TEventID FetchEventID(HardEvent e, PLD_EMU_AT) { return freeId(pld_emu::core("TPipe::FetchEventID", at), e); }

 private:
  /// There always is one: AllocEventID leaves some.
  static TEventID freeId(const pld_emu::Core& c, HardEvent e) {
    TEventID id = 0;
    while (c.flags[static_cast<unsigned>(e)][id].allocated) ++id;
    return id;
  }

  uint32_t used_[static_cast<unsigned>(pld_emu::Space::Count)] = {};
};

inline TPipe* GetTPipePtr(PLD_EMU_AT) {
  pld_emu::Core& c = pld_emu::core("GetTPipePtr", at);
  if (!c.pipe) c.fail("GetTPipePtr without a live TPipe", at);
  return c.pipe;
}

}  // namespace AscendC
