// The cube core: GM to L1 by Nd2Nz, L1 to L0A and L0B by fractals, Mmad, and L0C to GM by Fixpipe.
//
// A fractal is 512 bytes: 16 rows of one 32-byte block. L1 holds what Nd2Nz made of rows; L0A is read as fractals of
// 16 rows of A by a block of k, row-major; L0B as fractals of 16 columns of B by a block of k, the k-th fractals of all
// columns first; L0C is written as 16x16 fractals, column-major. Whatever lies elsewhere gives a wrong product.
#pragma once

#include "move.h"

namespace AscendC {

struct Nd2NzParams {
  uint16_t ndNum = 0;
  uint16_t nValue = 0;             ///< rows
  uint16_t dValue = 0;             ///< columns
  uint16_t srcNdMatrixStride = 0;  ///< elements
  uint16_t srcDValue = 0;          ///< elements from row to row
  uint16_t dstNzC0Stride = 0;      ///< 32-byte units from block column to block column
  uint16_t dstNzNStride = 0;       ///< 32-byte units from row to row
  uint16_t dstNzMatrixStride = 0;  ///< elements
};

struct LoadData2DParams {
  uint16_t startIndex = 0;  ///< fractals
  uint8_t repeatTimes = 0;
  uint16_t srcStride = 0;   ///< fractals, from start to start
  uint8_t sid = 0;
  uint16_t dstGap = 0;      ///< fractals, from end to start
  bool ifTranspose = false;
  uint8_t addrMode = 0;
};

struct LoadData2dTransposeParams {
  uint16_t startIndex = 0;  ///< squares
  uint8_t repeatTimes = 0;
  uint16_t srcStride = 0;   ///< squares, from start to start
  uint16_t dstGap = 0;      ///< fractals, from the end of a square's first fractal to the start of the next one's
  uint16_t dstFracGap = 0;  ///< fractals, from the end of a square's first fractal to the start of its second
  uint8_t addrMode = 0;
};

struct MmadParams {
  uint16_t m = 0;
  uint16_t n = 0;
  uint16_t k = 0;
  uint8_t unitFlag = 0;
  bool cmatrixSource = false;
  bool cmatrixInitVal = true;   ///< C starts from 0
  bool kDirectionAlign = false; ///< of float: A has fractals for k rounded up to 16
};

enum class QuantMode_t : uint8_t { NoQuant };

struct FixpipeParamsV220 {
  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint16_t srcStride = 0;  ///< 16 elements, from block column to block column
  uint32_t dstStride = 0;  ///< elements, from row to row
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint16_t ndNum = 1;
  uint16_t srcNdStride = 0;
  uint16_t dstNdStride = 0;
  uint8_t unitFlag = 0;
};

}  // namespace AscendC

namespace pld_emu {

constexpr uint32_t kFractal = 512;

constexpr uint32_t rounds(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit; }

template <typename T>
void requireSpace(const Core& c, const Site& site, const AscendC::LocalTensor<T>& tensor, Space space, const char* what,
                  uint32_t align) {
  const auto position = static_cast<AscendC::TPosition>(tensor.GetPosition());
  if (spaceOf(position) != space)
    c.fail(format("%s: the %s lies in %s, expected %s", site.op, what,
                  spaceOf(position) == Space::Count ? "no memory" : info(spaceOf(position)).name, info(space).name),
           site.at);
  if ((tensor.GetPhyAddr() - info(space).begin) % align)
    c.fail(format("%s: the %s in %s is not aligned to %u bytes", site.op, what, info(space).name, align), site.at);
}

template <typename T>
void requireBytes(const Core& c, const Site& site, const AscendC::LocalTensor<T>& tensor, uint64_t bytes, const char* what) {
  if (bytes > uint64_t{tensor.GetSize()} * sizeof(T))
    c.fail(format("%s touches %llu bytes of a %s of %llu bytes", site.op, static_cast<unsigned long long>(bytes), what,
                  static_cast<unsigned long long>(uint64_t{tensor.GetSize()} * sizeof(T))),
           site.at);
}

template <typename T>
uint32_t offsetOf(const AscendC::LocalTensor<T>& tensor) {
  return static_cast<uint32_t>(tensor.GetPhyAddr());
}

/// Copies bytes on the core, with whether they are defined.
PLD_EMU_BODY void copyOnCore(Core& c, uint32_t to, uint32_t from, uint32_t bytes) {
  std::memcpy(c.ub.data() + to, c.ub.data() + from, bytes);
  std::memcpy(c.ubDefined.data() + to, c.ubDefined.data() + from, bytes);
}

/// A square of one or two fractals, seen as elements of `size` bytes. Two fractals of 8-bit elements are the upper and
/// the lower half of it, of 32-bit elements the left and the right half.
struct Square {
  uint32_t first;
  uint32_t second;
  uint32_t size;

  uint32_t edge() const { return size == 1 ? 32 : 16; }
  uint32_t at(uint32_t row, uint32_t col) const {
    const uint32_t blockElements = 32 / size;
    const bool later = size == 1 ? row >= 16 : col >= blockElements;
    return (later ? second : first) + row % 16 * 32 + col % blockElements * size;
  }
};

PLD_EMU_BODY void transposeSquare(Core& c, const Square& to, const Square& from) {
  for (uint32_t row = 0; row < from.edge(); ++row)
    for (uint32_t col = 0; col < from.edge(); ++col) copyOnCore(c, to.at(col, row), from.at(row, col), from.size);
}

template <typename T, typename U>
constexpr bool productTypes = (oneOf<U, half, bfloat16_t, float> && std::is_same_v<T, float>) ||
                              (std::is_same_v<U, int8_t> && std::is_same_v<T, int32_t>);

/// Operands and result of a Mmad, by element.
struct Product {
  uint32_t a, b, c;            ///< first bytes
  uint32_t m, n, k;
  uint32_t blockElements;      ///< of a 32-byte block
  uint32_t size;               ///< of an element of A and B
  uint32_t aBlocks;            ///< fractals of a row of A

  uint32_t mBlocks() const { return rounds(m, 16); }
  uint32_t nBlocks() const { return rounds(n, 16); }
  uint32_t kBlocks() const { return rounds(k, blockElements); }
  uint32_t atA(uint32_t i, uint32_t p) const {
    return a + (i / 16 * aBlocks + p / blockElements) * kFractal + i % 16 * 32 + p % blockElements * size;
  }
  uint32_t atB(uint32_t p, uint32_t j) const {
    return b + (p / blockElements * nBlocks() + j / 16) * kFractal + j % 16 * 32 + p % blockElements * size;
  }
  uint32_t atC(uint32_t i, uint32_t j) const {
    return c + ((j / 16 * mBlocks() + i / 16) * 256 + i % 16 * 16 + j % 16) * 4;
  }
};

template <typename T, typename U>
void multiplyAs(Core& c, const Product& p, bool fromZero) {
  const uint8_t* bytes = c.ub.data();
  for (uint32_t i = 0; i < p.m; ++i)
    for (uint32_t j = 0; j < p.n; ++j) {
      const uint32_t at = p.atC(i, j);
      T sum = fromZero ? T{} : loadElement<T>(bytes + at);
      bool defined = fromZero || c.ubDefined[at];
      for (uint32_t k = 0; k < p.k; ++k) {
        const uint32_t left = p.atA(i, k), right = p.atB(k, j);
        defined = defined && c.ubDefined[left] && c.ubDefined[right];
        if constexpr (std::is_same_v<T, int32_t>)
          sum = wrap(sum, int32_t{loadElement<U>(bytes + left)} * loadElement<U>(bytes + right), Plus());
        else
          sum += static_cast<float>(widen(loadElement<U>(bytes + left))) * static_cast<float>(widen(loadElement<U>(bytes + right)));
      }
      storeElement(c.ub.data() + at, sum);
      std::memset(c.ubDefined.data() + at, defined, 4);
    }
}

/// Element types of the sides.
enum class SideType : uint8_t { Half, Bfloat16, Float, Int8 };

template <typename U>
constexpr SideType sideType() {
  if (std::is_same_v<U, half>) return SideType::Half;
  if (std::is_same_v<U, bfloat16_t>) return SideType::Bfloat16;
  return std::is_same_v<U, float> ? SideType::Float : SideType::Int8;
}

PLD_EMU_BODY void multiply(Core& c, const Product& p, SideType type, bool fromZero) {
  switch (type) {
    case SideType::Half: return multiplyAs<float, half>(c, p, fromZero);
    case SideType::Bfloat16: return multiplyAs<float, bfloat16_t>(c, p, fromZero);
    case SideType::Float: return multiplyAs<float, float>(c, p, fromZero);
    case SideType::Int8: return multiplyAs<int32_t, int8_t>(c, p, fromZero);
  }
}

}  // namespace pld_emu

namespace AscendC {

/// GM to L1: each matrix's 32-byte block columns, one below the other. The last block of a row is filled up with zeros.
template <typename T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const Nd2NzParams& params, PLD_EMU_AT) {
  const pld_emu::Site site{"DataCopy(Nd2Nz)", at};
  const Nd2NzParams p = params;
  const uint32_t size = sizeof(T), blocks = pld_emu::rounds(p.dValue * size, 32);
  const uint64_t rowSpan = p.nValue ? uint64_t{p.nValue - 1u} * p.srcDValue + p.dValue : 0;
  const uint64_t gmSpan = p.ndNum ? (uint64_t{p.ndNum - 1u} * p.srcNdMatrixStride + rowSpan) * size : 0;
  pld_emu::Core& c = pld_emu::beginMove(site.op, src.GetPhyAddr(), src.GetSize(), gmSpan, at);
  pld_emu::requireSpace(c, site, dst, pld_emu::Space::L1, "destination", 32);
  if (p.ndNum > 4095 || p.nValue > 16384 || p.dstNzC0Stride < 1 || p.dstNzC0Stride > 16384 || p.dstNzNStride < 1 ||
      p.dstNzNStride > 16384 || p.srcDValue < 1)
    c.fail("DataCopy(Nd2Nz): ndNum <= 4095, nValue <= 16384, dstNzC0Stride and dstNzNStride 1 to 16384, srcDValue >= 1", at);
  if (!p.ndNum || !p.nValue || !p.dValue) return;
  const auto place = [=](uint32_t matrix, uint32_t row, uint32_t block) {
    return matrix * p.dstNzMatrixStride * size + (row * p.dstNzNStride + block * p.dstNzC0Stride) * 32u;
  };
  pld_emu::requireBytes(c, site, dst, place(p.ndNum - 1u, p.nValue - 1u, blocks - 1) + 32u, "tensor");
  const pld_emu::Access access = c.access(pld_emu::Pipe::Mte2, site);
  pld_emu::checkGmIssue(c, access);
  const uint32_t to = pld_emu::offsetOf(dst);
  const uint64_t from = pld_emu::address(src.GetPhyAddr());
  for (uint32_t matrix = 0; matrix < p.ndNum; ++matrix)
    for (uint32_t block = 0; block < blocks; ++block) {
      const uint32_t begin = to + place(matrix, 0, block), rows = p.dstNzNStride == 1 ? p.nValue : 1u;
      for (uint32_t row = 0; row < p.nValue; row += rows)
        c.touchUb({begin + row * p.dstNzNStride * 32u, begin + row * p.dstNzNStride * 32u + rows * 32}, access, pld_emu::Mode::Write);
    }
  const pld_emu::Clock known = c.on(pld_emu::Pipe::Mte2);
  pld_emu::Core* core = &c;
  std::vector<std::function<void()>> steps;
  for (uint32_t matrix = 0; matrix < p.ndNum; ++matrix)
    for (uint32_t row = 0; row < p.nValue; ++row)
      steps.push_back([=] {
        const uint64_t gm = from + (uint64_t{matrix} * p.srcNdMatrixStride + uint64_t{row} * p.srcDValue) * size;
        const uint32_t bytes = p.dValue * size;
        pld_emu::Region& region = pld_emu::touchGm(*core, access, known, gm, bytes, pld_emu::Mode::Read);
        for (uint32_t block = 0; block < blocks; ++block) {
          const uint32_t target = to + place(matrix, row, block), used = std::min(32u, bytes - block * 32);
          std::memset(core->ub.data() + target, 0, 32);
          std::memset(core->ubDefined.data() + target, 1, 32);
          std::memcpy(core->ub.data() + target, reinterpret_cast<const void*>(gm + block * 32), used);
          std::memcpy(core->ubDefined.data() + target, region.defined.data() + (gm + block * 32 - region.begin), used);
        }
      });
  c.issue(access, std::move(steps));
}

/// L1 to L0A or L0B by fractals; 16-bit ones may be transposed.
template <typename T>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2DParams& params, PLD_EMU_AT) {
  using namespace pld_emu;
  const Site site{"LoadData", at};
  Core& c = step(site.op, at);
  const bool left = static_cast<TPosition>(dst.GetPosition()) == TPosition::A2;
  requireSpace(c, site, dst, left ? Space::L0A : Space::L0B, "destination", kFractal);
  requireSpace(c, site, src, Space::L1, "source", 32);
  if (params.ifTranspose && sizeof(T) != 2) c.fail("LoadData: ifTranspose of 16-bit elements only", at);
  const Access access = c.access(Pipe::Mte1, site);
  std::vector<std::function<void()>> steps;
  for (uint32_t i = 0; i < params.repeatTimes; ++i) {
    const uint32_t from = (params.startIndex + i * params.srcStride) * kFractal, to = i * (params.dstGap + 1u) * kFractal;
    requireBytes(c, site, src, from + kFractal, "source");
    requireBytes(c, site, dst, to + kFractal, "destination");
    const uint32_t source = offsetOf(src) + from, target = offsetOf(dst) + to;
    c.touchUb({source, source + kFractal}, access, Mode::Read);
    c.touchUb({target, target + kFractal}, access, Mode::Write);
    steps.push_back([core = &c, source, target, turn = params.ifTranspose] {
      if (turn) return transposeSquare(*core, {target, target, 2}, {source, source, 2});
      copyOnCore(*core, target, source, kFractal);
    });
  }
  if (!steps.empty()) c.issue(access, std::move(steps));
}

/// L1 to L0A or L0B by transposed squares: one fractal of 16-bit elements, two of 8-bit or 32-bit ones.
template <typename T>
void LoadDataWithTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2dTransposeParams& params,
                           PLD_EMU_AT) {
  using namespace pld_emu;
  const Site site{"LoadDataWithTranspose", at};
  Core& c = step(site.op, at);
  const bool left = static_cast<TPosition>(dst.GetPosition()) == TPosition::A2;
  requireSpace(c, site, dst, left ? Space::L0A : Space::L0B, "destination", kFractal);
  requireSpace(c, site, src, Space::L1, "source", 32);
  constexpr uint32_t fractals = sizeof(T) == 2 ? 1 : 2;
  const Access access = c.access(Pipe::Mte1, site);
  std::vector<std::function<void()>> steps;
  for (uint32_t i = 0; i < params.repeatTimes; ++i) {
    const uint32_t from = (params.startIndex + i * params.srcStride) * fractals * kFractal;
    const uint32_t first = i * (params.dstGap + 1u) * kFractal;
    const uint32_t second = fractals == 1 ? first : first + (params.dstFracGap + 1u) * kFractal;
    requireBytes(c, site, src, from + fractals * kFractal, "source");
    requireBytes(c, site, dst, std::max(first, second) + kFractal, "destination");
    const uint32_t source = offsetOf(src) + from;
    const Square wanted{offsetOf(dst) + first, offsetOf(dst) + second, sizeof(T)};
    c.touchUb({source, source + fractals * kFractal}, access, Mode::Read);
    c.touchUb({wanted.first, wanted.first + kFractal}, access, Mode::Write);
    if (second != first) c.touchUb({wanted.second, wanted.second + kFractal}, access, Mode::Write);
    steps.push_back([core = &c, source, wanted] {
      transposeSquare(*core, wanted, {source, source + (fractals - 1) * kFractal, sizeof(T)});
    });
  }
  if (!steps.empty()) c.issue(access, std::move(steps));
}

/// C = A B, or C += A B. Of the last fractals only what m, n and k reach counts.
template <typename T, typename U, typename S>
void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter, const MmadParams& params,
          PLD_EMU_AT) {
  using namespace pld_emu;
  static_assert(std::is_same_v<U, S> && productTypes<T, U>,
                "Mmad on arch 2201: half, bfloat16 or float to float, int8 to int32");
  const Site site{"Mmad", at};
  Core& c = step(site.op, at);
  requireSpace(c, site, dst, Space::L0C, "result", 1024);
  requireSpace(c, site, fm, Space::L0A, "left side", kFractal);
  requireSpace(c, site, filter, Space::L0B, "right side", kFractal);
  if (params.m > 4095 || params.n > 4095 || params.k > 4095) c.fail("Mmad: m, n and k are at most 4095", at);
  if (params.cmatrixSource || params.unitFlag) c.fail("Mmad: cmatrixSource and unitFlag are not emulated", at);
  constexpr uint32_t blockElements = 32 / sizeof(U);
  const bool aligned = params.kDirectionAlign && std::is_same_v<U, float>;
  const uint32_t aBlocks = aligned ? 2 * rounds(params.k, 16) : rounds(params.k, blockElements);
  const Product p{offsetOf(fm), offsetOf(filter), offsetOf(dst), params.m, params.n, params.k, blockElements, sizeof(U), aBlocks};
  if (!p.m || !p.n || !p.k) return;
  const uint32_t a = p.mBlocks() * aBlocks * kFractal, b = p.kBlocks() * p.nBlocks() * kFractal;
  const uint32_t result = p.mBlocks() * p.nBlocks() * 1024;
  requireBytes(c, site, fm, a, "left side");
  requireBytes(c, site, filter, b, "right side");
  requireBytes(c, site, dst, result, "result");
  const Access access = c.access(Pipe::M, site);
  c.touchUb({p.a, p.a + a}, access, Mode::Read);
  c.touchUb({p.b, p.b + b}, access, Mode::Read);
  c.touchUb({p.c, p.c + result}, access, Mode::Write);
  c.issue(access, {[core = &c, p, fromZero = params.cmatrixInitVal] { multiply(*core, p, sideType<U>(), fromZero); }});
}

/// L0C to rows in GM.
template <typename T, typename U>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& params, PLD_EMU_AT) {
  using namespace pld_emu;
  static_assert(std::is_same_v<T, U> && oneOf<T, float, int32_t>, "Fixpipe without conversion only in this emulation");
  const Site site{"Fixpipe", at};
  const FixpipeParamsV220 p = params;
  const uint64_t span = p.mSize ? (uint64_t{p.mSize - 1u} * p.dstStride + p.nSize) * sizeof(T) : 0;
  Core& c = beginMove(site.op, dst.GetPhyAddr(), dst.GetSize(), span, at);
  requireSpace(c, site, src, Space::L0C, "source", 64);
  if (p.nSize < 1 || p.nSize > 4095 || p.mSize < 1 || p.mSize > 8192)
    c.fail("Fixpipe: nSize is 1 to 4095, mSize 1 to 8192", at);
  if (p.ndNum != 1 || p.unitFlag) c.fail("Fixpipe: one matrix, without unitFlag, in this emulation", at);
  if (c.atomic.kind != AtomicMode::None) c.fail("Fixpipe: atomic mode is not emulated", at);
  const auto place = [=](uint32_t row, uint32_t col) { return (col / 16 * p.srcStride + row) * 16u * 4 + col % 16 * 4; };
  requireBytes(c, site, src, place(p.mSize - 1u, p.nSize - 1u) + 4u, "source");
  const Access access = c.access(Pipe::Fix, site);
  checkGmIssue(c, access);
  for (uint32_t col = 0; col < p.nSize; col += 16)
    c.touchUb({offsetOf(src) + place(0, col), offsetOf(src) + place(p.mSize, col)}, access, Mode::Read);
  const Clock known = c.on(Pipe::Fix);
  std::vector<std::function<void()>> steps;
  for (uint32_t row = 0; row < p.mSize; ++row)
    steps.push_back([=, core = &c, from = offsetOf(src), to = address(dst.GetPhyAddr())] {
      const uint64_t gm = to + uint64_t{row} * p.dstStride * sizeof(T);
      Region& region = touchGm(*core, access, known, gm, p.nSize * sizeof(T), Mode::Write);
      for (uint32_t col = 0; col < p.nSize; ++col) {
        const uint32_t at = from + place(row, col);
        requireDefined(*core, access, core->ubDefined.data() + at, 4, "stores");
        std::memcpy(reinterpret_cast<void*>(gm + col * sizeof(T)), core->ub.data() + at, 4);
      }
      std::memset(region.defined.data() + (gm - region.begin), 1, p.nSize * sizeof(T));
      ++System::get().version;
    });
  c.issue(access, std::move(steps));
}

}  // namespace AscendC
