// NumPy .npy files: format 1.0 and 2.0, little endian, C order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pld {

/// NumPy has no bfloat16: it travels as its 16 bits, dtype '<u2' (written) or 'V2' (also read).
enum class DType { F32, F16, BF16, I8, I16, I32, I64, I1 };

/// Bytes of one element; I1 is one byte, 0 or 1.
size_t SizeOf(DType dtype);
const char* NameOf(DType dtype);

/// A dense array in host memory.
struct Array {
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;
};

/// "[2, ?, 64]"; a dimension of -1 prints as ?.
std::string ShapeText(const std::vector<int64_t>& shape);

/// Reads `path`, which must hold `dtype` and `shape` (-1: any extent). False and `error` set if it does not.
bool ReadNpy(const std::string& path, DType dtype, const std::vector<int64_t>& shape, Array& array, std::string& error);

/// Writes format 1.0. False and `error` set on failure.
bool WriteNpy(const std::string& path, const Array& array, std::string& error);

}  // namespace pld
