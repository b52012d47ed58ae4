// Matrix products of kernels whose blocks have a vector core and a cube core.
//
// The vector core puts both sides into its block's workspace, row after row without gaps, asks for a product by its
// number, and waits until the cube core has put the result there. Number 0 ends the cube core's work.
#pragma once

#include "pld_comm.h"

namespace pld {

constexpr uint16_t kWanted = 0;  ///< cross-core flag: the vector core asks for a product
constexpr uint16_t kDone = 1;    ///< cross-core flag: the product is there

constexpr uint32_t kMostPieces = 4095;  ///< of one DMA

/// Puts a tile of `rows` x `cols` into the workspace.
template <typename T>
__aicore__ inline void PutSide(GM_ADDR to, const AscendC::LocalTensor<T>& tile, uint32_t rows, uint32_t cols) {
  const uint32_t bytes = cols * sizeof(T);
  const uint32_t pitch = (bytes + 31) / 32 * 32 / sizeof(T);
  AscendC::GlobalTensor<T> target;
  target.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(to));
  for (uint32_t row = 0; row < rows; row += kMostPieces) {
    const uint32_t pieces = rows - row < kMostPieces ? rows - row : kMostPieces;
    AscendC::DataCopyPad(target[row * cols], tile[row * pitch], {static_cast<uint16_t>(pieces), bytes, 0, 0, 0});
  }
}

/// Gets a product of `rows` x `cols` out of the workspace.
template <typename T>
__aicore__ inline void GetProduct(const AscendC::LocalTensor<T>& tile, GM_ADDR from, uint32_t rows, uint32_t cols) {
  const uint32_t bytes = cols * sizeof(T);
  const uint32_t pitch = (bytes + 31) / 32 * 32 / sizeof(T);
  AscendC::GlobalTensor<T> source;
  source.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(from));
  for (uint32_t row = 0; row < rows; row += kMostPieces) {
    const uint32_t pieces = rows - row < kMostPieces ? rows - row : kMostPieces;
    AscendC::DataCopyPad(tile[row * pitch], source[row * cols], {static_cast<uint16_t>(pieces), bytes, 0, 0, 0},
                         {false, 0, 0, {}});
  }
}

/// Tells the cube core, through `cell` at the start of the workspace, which product is wanted.
__aicore__ inline void AskCube(GM_ADDR cell, int32_t product, const AscendC::LocalTensor<int32_t>& slot) {
  AscendC::PipeBarrier<PIPE_ALL>();  // both sides are there, and nothing else is under way
  FillSlot(slot, product);
  PutCell(reinterpret_cast<__gm__ int32_t*>(cell), slot);
  AscendC::CrossCoreSetFlag<2, PIPE_MTE3>(kWanted);
}

/// Has the cube core make a product, and waits for it.
__aicore__ inline void Multiply(GM_ADDR cell, int32_t product, const AscendC::LocalTensor<int32_t>& slot) {
  AskCube(cell, product, slot);
  AscendC::CrossCoreWaitFlag(kDone);
}

/// Ends the cube core's work; the last that a vector core does.
__aicore__ inline void EndCube(GM_ADDR cell, const AscendC::LocalTensor<int32_t>& slot) { AskCube(cell, 0, slot); }

constexpr uint32_t Ceil(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit; }

/// One side of a product on the cube core: `outer` rows of the left side, or columns of the right one, by `depth`.
/// In L0 the fractals lie `outerStep` apart along the outer extent and `depthStep` apart along the depth.
/// `depthFirst`: the rows in memory run along the depth, so that each square of the side is to be transposed.
template <typename T, bool depthFirst>
struct Side {
  static constexpr uint32_t kBytes = sizeof(T);
  static constexpr uint32_t kBlock = 32 / kBytes;      ///< elements of a 32-byte block: the depth of a fractal
  static constexpr uint32_t kFractal = 512 / kBytes;   ///< elements
  static constexpr uint32_t kEdge = kBytes == 1 ? 32 : 16;  ///< of the squares that are transposed

  uint32_t outer;
  uint32_t depth;

  /// Fractals along the outer extent, as L0 has them.
  __aicore__ inline uint32_t OuterFractals() const {
    return depthFirst && kBytes == 1 ? 2 * Ceil(outer, kEdge) : Ceil(outer, 16);
  }
  /// Fractals along the depth, as L0 has them.
  __aicore__ inline uint32_t DepthFractals() const {
    return depthFirst && kBytes == 4 ? 2 * Ceil(depth, kEdge) : Ceil(depth, kBlock);
  }

  /// Rows of `pitch` elements to L1.
  __aicore__ inline void ToL1(const AscendC::LocalTensor<T>& to, const AscendC::GlobalTensor<T>& from, uint32_t pitch) const {
    if constexpr (!depthFirst) {
      Rows(to, from, outer, depth, pitch, Ceil(outer, 16) * 16);
    } else if constexpr (kBytes != 4) {
      Rows(to, from, depth, outer, pitch, Ceil(depth, kEdge) * kEdge);
    } else {
      // Two fractals that form a square must follow each other: 16 rows at a time.
      for (uint32_t row = 0; row < depth; row += kEdge) {
        const uint32_t rows = depth - row < kEdge ? depth - row : kEdge;
        Rows(to[row * Ceil(outer, kEdge) * kEdge], from[row * pitch], rows, outer, pitch, kEdge);
      }
    }
  }

  /// From L1 to L0A or L0B.
  __aicore__ inline void ToL0(const AscendC::LocalTensor<T>& to, const AscendC::LocalTensor<T>& from, uint32_t outerStep,
                              uint32_t depthStep) const {
    if constexpr (!depthFirst) {
      const uint32_t rows = Ceil(outer, 16);
      AscendC::LoadData2DParams params;
      params.repeatTimes = static_cast<uint8_t>(Ceil(depth, kBlock));
      params.srcStride = static_cast<uint16_t>(rows);
      params.dstGap = static_cast<uint16_t>(depthStep - 1);
      for (uint32_t row = 0; row < rows; ++row) {
        AscendC::LoadData(to[row * outerStep * kFractal], from[row * kFractal], params);
      }
    } else {
      constexpr uint32_t fractals = kBytes == 2 ? 1 : 2;               // of a square
      constexpr uint32_t down = kBytes == 1 ? 2 : 1;                   // of them along the outer extent
      const uint32_t squares = Ceil(depth, kEdge), lines = Ceil(outer, kEdge);
      AscendC::LoadData2dTransposeParams params;
      params.repeatTimes = static_cast<uint8_t>(squares);
      params.srcStride = static_cast<uint16_t>(kBytes == 4 ? lines : 1);
      params.dstGap = static_cast<uint16_t>((kBytes == 4 ? 2 : 1) * depthStep - 1);
      params.dstFracGap = static_cast<uint16_t>((kBytes == 4 ? depthStep : outerStep) - 1);
      for (uint32_t line = 0; line < lines; ++line) {
        const uint32_t first = line * (kBytes == 4 ? 1 : squares) * fractals * kFractal;
        AscendC::LoadDataWithTranspose(to[line * down * outerStep * kFractal], from[first], params);
      }
    }
  }

 private:
  __aicore__ inline void Rows(const AscendC::LocalTensor<T>& to, const AscendC::GlobalTensor<T>& from, uint32_t rows,
                              uint32_t cols, uint32_t pitch, uint32_t blockStep) const {
    AscendC::Nd2NzParams params;
    params.ndNum = 1;
    params.nValue = static_cast<uint16_t>(rows);
    params.dValue = static_cast<uint16_t>(cols);
    params.srcNdMatrixStride = 0;
    params.srcDValue = static_cast<uint16_t>(rows == 1 ? cols : pitch);
    params.dstNzC0Stride = static_cast<uint16_t>(blockStep);
    params.dstNzNStride = 1;
    params.dstNzMatrixStride = 0;
    AscendC::DataCopy(to, from, params);
  }
};

/// The cube core of a block.
class Cube {
 public:
  __aicore__ inline Cube(AscendC::TPipe& pipe, GM_ADDR cell) : cell_(cell) {
    pipe.InitBuffer(left1_, kLeftBytes);
    pipe.InitBuffer(right1_, kRightBytes);
    pipe.InitBuffer(left0_, kLeftBytes);
    pipe.InitBuffer(right0_, kRightBytes);
    pipe.InitBuffer(sum_, kRows * kCols * 4);
  }

  /// The number of the next product that is wanted.
  __aicore__ inline int32_t Next() {
    AscendC::CrossCoreWaitFlag(kWanted);
    AscendC::GlobalTensor<int32_t> cell;
    cell.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(cell_));
    AscendC::DataCacheCleanAndInvalid<int32_t, AscendC::CacheLine::SINGLE_CACHE_LINE, AscendC::DcciDst::CACHELINE_OUT>(cell);
    return cell.GetValue(0);
  }

  /// Says that the product is there.
  __aicore__ inline void Done() { AscendC::CrossCoreSetFlag<2, PIPE_FIX>(kDone); }

  /// c = a b with a of m x k and b of k x n; `turnedA`: a is stored as k x m, `turnedB`: b as n x k.
  template <typename T, typename C, bool turnedA, bool turnedB>
  __aicore__ inline void Product(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m, uint32_t n, uint32_t k) {
    constexpr uint32_t depthStep = kDepthBytes / sizeof(T);
    AscendC::GlobalTensor<T> left, right;
    AscendC::GlobalTensor<C> result;
    left.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(a));
    right.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(b));
    result.SetGlobalBuffer(reinterpret_cast<__gm__ C*>(c));
    for (uint32_t row = 0; row < m; row += kRows) {
      const uint32_t rows = m - row < kRows ? m - row : kRows;
      for (uint32_t col = 0; col < n; col += kCols) {
        const uint32_t cols = n - col < kCols ? n - col : kCols;
        for (uint32_t at = 0; at < k; at += depthStep) {
          const uint32_t depth = k - at < depthStep ? k - at : depthStep;
          const Side<T, turnedA> leftSide{rows, depth};
          const Side<T, !turnedB> rightSide{cols, depth};
          leftSide.ToL1(left1_.Get<T>(), left[turnedA ? at * m + row : row * k + at], turnedA ? m : k);
          rightSide.ToL1(right1_.Get<T>(), right[turnedB ? col * k + at : at * n + col], turnedB ? k : n);
          Step<T, C>(leftSide, rightSide, at == 0);
        }
        Store(result[row * n + col], rows, cols, n);
      }
    }
  }

 private:
  static constexpr uint32_t kRows = 128;        ///< of the result in L0C
  static constexpr uint32_t kCols = 256;
  static constexpr uint32_t kDepthBytes = 256;  ///< of a row of the left side in L0A
  static constexpr uint32_t kLeftBytes = kRows * kDepthBytes;
  static constexpr uint32_t kRightBytes = kCols * kDepthBytes;

  /// Both sides are on their way to L1: multiplies them into L0C.
  template <typename T, typename C, bool depthFirstA, bool depthFirstB>
  __aicore__ inline void Step(const Side<T, depthFirstA>& left, const Side<T, depthFirstB>& right, bool first) {
    Sync<AscendC::HardEvent::MTE2_MTE1>();
    left.ToL0(left0_.Get<T>(), left1_.Get<T>(), left.DepthFractals(), 1);
    right.ToL0(right0_.Get<T>(), right1_.Get<T>(), 1, right.OuterFractals());
    Sync<AscendC::HardEvent::MTE1_MTE2>();  // L1 is free again
    Sync<AscendC::HardEvent::MTE1_M>();
    AscendC::MmadParams params;
    params.m = static_cast<uint16_t>(left.outer);
    // All fractals that the right side has: columns too many stay where nobody fetches them.
    params.n = static_cast<uint16_t>(sizeof(T) == 1 ? right.OuterFractals() * 16 : right.outer);
    params.k = static_cast<uint16_t>(left.depth);
    params.cmatrixInitVal = first;
    params.kDirectionAlign = depthFirstA && sizeof(T) == 4;
    AscendC::Mmad(sum_.Get<C>(), left0_.Get<T>(), right0_.Get<T>(), params);
    Sync<AscendC::HardEvent::M_MTE1>();     // L0A and L0B are free again, and the sum is there for the next step
  }

  template <typename C>
  __aicore__ inline void Store(const AscendC::GlobalTensor<C>& to, uint32_t rows, uint32_t cols, uint32_t pitch) {
    Sync<AscendC::HardEvent::M_FIX>();
    AscendC::FixpipeParamsV220 params;
    params.nSize = static_cast<uint16_t>(cols);
    params.mSize = static_cast<uint16_t>(rows);
    params.srcStride = static_cast<uint16_t>(Ceil(rows, 16) * 16);
    params.dstStride = pitch;
    params.ndNum = 1;
    params.srcNdStride = 0;
    params.dstNdStride = 0;
    AscendC::Fixpipe(to, sum_.Get<C>(), params);
    Sync<AscendC::HardEvent::FIX_M>();  // L0C is free again
  }

  GM_ADDR cell_;
  AscendC::TBuf<AscendC::TPosition::A1> left1_;
  AscendC::TBuf<AscendC::TPosition::B1> right1_;
  AscendC::TBuf<AscendC::TPosition::A2> left0_;
  AscendC::TBuf<AscendC::TPosition::B2> right0_;
  AscendC::TBuf<AscendC::TPosition::CO1> sum_;
};

}  // namespace pld
