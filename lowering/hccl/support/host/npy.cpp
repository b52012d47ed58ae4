#include "npy.h"

#include <cstring>
#include <fstream>
#include <sstream>

namespace pld {
namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr size_t kMagicBytes = 6;

struct DTypeRow {
  DType dtype;
  const char* name;
  size_t size;
  const char* descr;  ///< as written
};

constexpr DTypeRow kDTypes[] = {
    {DType::F32, "f32", 4, "<f4"}, {DType::F16, "f16", 2, "<f2"}, {DType::BF16, "bf16", 2, "<u2"},
    {DType::I8, "i8", 1, "|i1"},   {DType::I16, "i16", 2, "<i2"}, {DType::I32, "i32", 4, "<i4"},
    {DType::I64, "i64", 8, "<i8"}, {DType::I1, "i1", 1, "|b1"},
};

const DTypeRow& Row(DType dtype) {
  for (const DTypeRow& row : kDTypes)
    if (row.dtype == dtype) return row;
  return kDTypes[0];
}

bool Accepts(DType dtype, const std::string& descr) {
  return descr == Row(dtype).descr || (dtype == DType::BF16 && (descr == "|V2" || descr == "<V2"));
}

/// The text after `'key':` in the header's dictionary, or empty.
std::string Value(const std::string& header, const char* key) {
  const std::string quoted = std::string("'") + key + "':";
  const size_t at = header.find(quoted);
  if (at == std::string::npos) return "";
  const size_t begin = header.find_first_not_of(' ', at + quoted.size());
  return begin == std::string::npos ? "" : header.substr(begin);
}

/// "(2, 3)" to {2, 3}; false on anything else.
bool ParseShape(const std::string& text, std::vector<int64_t>& shape) {
  const size_t close = text.find(')');
  if (text.empty() || text[0] != '(' || close == std::string::npos) return false;
  std::istringstream items(text.substr(1, close - 1));
  std::string item;
  while (std::getline(items, item, ',')) {
    if (item.find_first_not_of(' ') == std::string::npos) continue;
    char* end = nullptr;
    const long long extent = std::strtoll(item.c_str(), &end, 10);
    if (*end != '\0' || extent < 0) return false;
    shape.push_back(extent);
  }
  return true;
}

bool Fits(const std::vector<int64_t>& found, const std::vector<int64_t>& expected) {
  if (found.size() != expected.size()) return false;
  for (size_t i = 0; i < found.size(); ++i)
    if (expected[i] >= 0 && found[i] != expected[i]) return false;
  return true;
}

/// Magic, version and header text; false if the file is no .npy.
bool ReadHeader(std::istream& in, std::string& header) {
  unsigned char start[kMagicBytes + 2];
  if (!in.read(reinterpret_cast<char*>(start), sizeof start) || std::memcmp(start, kMagic, kMagicBytes) != 0) return false;
  const unsigned lengthBytes = start[kMagicBytes] == 1 ? 2 : 4;
  unsigned char raw[4] = {0, 0, 0, 0};
  if (!in.read(reinterpret_cast<char*>(raw), lengthBytes)) return false;
  const uint32_t length = raw[0] | raw[1] << 8 | raw[2] << 16 | static_cast<uint32_t>(raw[3]) << 24;
  constexpr uint32_t kLongest = 1 << 20;
  if (length > kLongest) return false;
  header.resize(length);
  return static_cast<bool>(in.read(&header[0], length));
}

/// Number of elements, or -1 if it does not fit 63 bits together with `size`.
int64_t Elements(const std::vector<int64_t>& shape, size_t size) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(count, extent, &count)) return -1;
  int64_t bytes;
  return __builtin_mul_overflow(count, static_cast<int64_t>(size), &bytes) ? -1 : count;
}

}  // namespace

size_t SizeOf(DType dtype) { return Row(dtype).size; }
const char* NameOf(DType dtype) { return Row(dtype).name; }

std::string ShapeText(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + (shape[i] < 0 ? std::string("?") : std::to_string(shape[i]));
  return text + "]";
}

bool ReadNpy(const std::string& path, DType dtype, const std::vector<int64_t>& shape, Array& array, std::string& error) {
  std::ifstream in(path, std::ios::binary);
  const std::string expected = std::string("expected ") + NameOf(dtype) + " (" + Row(dtype).descr + ") " + ShapeText(shape);
  if (!in) return error = path + ": cannot be opened; " + expected, false;
  std::string header;
  if (!ReadHeader(in, header)) return error = path + ": not a .npy file of format 1.0 or 2.0; " + expected, false;
  const std::string quoted = Value(header, "descr");
  const std::string descr = quoted.size() > 1 && quoted[0] == '\'' ? quoted.substr(1, quoted.find('\'', 1) - 1) : "a structured dtype";
  std::vector<int64_t> found;
  if (!ParseShape(Value(header, "shape"), found)) return error = path + ": its header has no shape; " + expected, false;
  const std::string is = "found " + descr + " " + ShapeText(found);
  if (Value(header, "fortran_order").compare(0, 5, "False") != 0)
    return error = path + ": Fortran order; " + expected + " in C order", false;
  if (!Accepts(dtype, descr) || !Fits(found, shape)) return error = path + ": " + expected + ", " + is, false;
  const int64_t count = Elements(found, SizeOf(dtype));
  const std::streamoff data = in.tellg();
  in.seekg(0, std::ios::end);
  const int64_t there = in.tellg() - data;
  if (count < 0 || there < count * static_cast<int64_t>(SizeOf(dtype)))
    return error = path + ": truncated: " + is + " but only " + std::to_string(there) + " bytes of data", false;
  in.seekg(data);
  array.dtype = dtype;
  array.shape = found;
  array.bytes.resize(static_cast<size_t>(count) * SizeOf(dtype));
  in.read(reinterpret_cast<char*>(array.bytes.data()), static_cast<std::streamsize>(array.bytes.size()));
  if (!in) return error = path + ": cannot be read", false;
  return true;
}

bool WriteNpy(const std::string& path, const Array& array, std::string& error) {
  std::string shape;
  for (int64_t extent : array.shape) shape += std::to_string(extent) + ", ";
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  std::string header = std::string("{'descr': '") + Row(array.dtype).descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr size_t kAlign = 64;
  const size_t fixed = kMagicBytes + 4 + header.size() + 1;
  header += std::string((kAlign - fixed % kAlign) % kAlign, ' ') + "\n";
  std::ofstream out(path, std::ios::binary);
  out.write(kMagic, kMagicBytes);
  const char rest[] = {1, 0, static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  out.write(rest, sizeof rest);
  out.write(header.data(), static_cast<std::streamsize>(header.size()));
  out.write(reinterpret_cast<const char*>(array.bytes.data()), static_cast<std::streamsize>(array.bytes.size()));
  out.close();
  if (!out) return error = path + ": cannot be written", false;
  return true;
}

}  // namespace pld
