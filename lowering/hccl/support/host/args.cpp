#include "args.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "../common/pld_context.h"
#include "check.h"

namespace pld {
namespace {

int Invalid(const char* text, ...) __attribute__((format(printf, 1, 2)));
int Invalid(const char* text, ...) {
  va_list args;
  va_start(args, text);
  std::fprintf(stderr, "error: ");
  std::vfprintf(stderr, text, args);
  std::fprintf(stderr, "\n");
  va_end(args);
  return kInvalid;
}

struct Options {
  std::map<size_t, std::string> inputs;
  std::map<size_t, std::string> outputs;
  std::map<std::pair<size_t, size_t>, int64_t> dims;
  std::vector<int32_t> devices;
};

bool ParseInteger(const std::string& text, int64_t& value) {
  errno = 0;
  char* end = nullptr;
  value = std::strtoll(text.c_str(), &end, 0);
  return errno == 0 && !text.empty() && *end == '\0';
}

/// "KEY=VALUE" with an argument number for KEY.
int ParseIndexed(const Program& program, const std::string& option, const std::string& text,
                 std::map<size_t, std::string>& into) {
  const size_t equals = text.find('=');
  int64_t index;
  if (equals == std::string::npos || !ParseInteger(text.substr(0, equals), index))
    return Invalid("%s %s: expected INDEX=VALUE", option.c_str(), text.c_str());
  if (index < 0 || index >= static_cast<int64_t>(program.args.size()))
    return Invalid("%s %s: %s has %zu arguments", option.c_str(), text.c_str(), program.name, program.args.size());
  into[static_cast<size_t>(index)] = text.substr(equals + 1);
  return kOk;
}

/// "ARG.DIM=N"
int ParseDim(const Program& program, const std::string& text, Options& options) {
  const size_t dot = text.find('.'), equals = text.find('=');
  int64_t arg, dim, extent;
  if (dot == std::string::npos || equals == std::string::npos || equals < dot || !ParseInteger(text.substr(0, dot), arg) ||
      !ParseInteger(text.substr(dot + 1, equals - dot - 1), dim) || !ParseInteger(text.substr(equals + 1), extent) || extent < 0)
    return Invalid("--dim %s: expected ARG.DIM=N", text.c_str());
  if (arg < 0 || arg >= static_cast<int64_t>(program.args.size()) || dim < 0 ||
      dim >= static_cast<int64_t>(program.args[static_cast<size_t>(arg)].shape.size()))
    return Invalid("--dim %s: no such argument or dimension", text.c_str());
  options.dims[{static_cast<size_t>(arg), static_cast<size_t>(dim)}] = extent;
  return kOk;
}

int ParseDevices(const std::string& text, Options& options) {
  options.devices.clear();
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    int64_t device;
    if (!ParseInteger(text.substr(at, comma - at), device) || device < 0 || device > INT32_MAX)
      return Invalid("-d %s: expected device numbers, as 0,1,2", text.c_str());
    for (int32_t other : options.devices)
      if (other == device) return Invalid("-d %s: device %d twice", text.c_str(), other);
    options.devices.push_back(static_cast<int32_t>(device));
    at = comma + 1;
  }
  return kOk;
}

int ParseRanks(const std::string& text, Options& options) {
  int64_t ranks;
  if (!ParseInteger(text, ranks) || ranks < 1 || ranks > static_cast<int64_t>(kMaxRanks))
    return Invalid("-n %s: expected 1 to %u ranks", text.c_str(), kMaxRanks);
  options.devices.clear();
  for (int32_t device = 0; device < ranks; ++device) options.devices.push_back(device);
  return kOk;
}

int ParseOptions(const Program& program, int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 >= argc) return Invalid("%s: value missing, or unknown option", option.c_str());
    const std::string value = argv[i + 1];
    int result;
    if (option == "-n") result = ParseRanks(value, options);
    else if (option == "-d") result = ParseDevices(value, options);
    else if (option == "--arg") result = ParseIndexed(program, option, value, options.inputs);
    else if (option == "--out") result = ParseIndexed(program, option, value, options.outputs);
    else if (option == "--dim") result = ParseDim(program, value, options);
    else
      return Invalid("unknown option %s; usage: %s -n RANKS | -d DEVICES [--arg I=FILE.npy|VALUE] [--out I=FILE.npy] "
                     "[--dim ARG.DIM=N]", option.c_str(), program.name);
    if (result != kOk) return result;
  }
  return kOk;
}

/// The extents an argument must have, as far as they are known.
int ExpectedShape(const World& world, const Options& options, size_t index, std::vector<int64_t>& shape) {
  const ArgSpec& arg = world.program.args[index];
  shape = arg.shape;
  for (size_t d = 0; d < shape.size(); ++d) {
    const auto given = options.dims.find({index, d});
    const bool leading = arg.kind == Kind::WorldArray && d == 0;
    if (leading && shape[0] >= 0 && shape[0] != world.ranks)
      return Invalid("argument %zu (%s) is written for %lld ranks, not %u", index, arg.name, static_cast<long long>(shape[0]), world.ranks);
    if (leading) shape[0] = world.ranks;
    if (given == options.dims.end()) continue;
    if (shape[d] >= 0 && shape[d] != given->second)
      return Invalid("--dim %zu.%zu=%lld: the extent is %lld", index, d, static_cast<long long>(given->second), static_cast<long long>(shape[d]));
    shape[d] = given->second;
  }
  return kOk;
}

template <typename T>
void StoreScalar(Array& value, T v) {
  value.bytes.resize(sizeof v);
  std::memcpy(value.bytes.data(), &v, sizeof v);
}

/// The bits of the nearest float of `exponent` and `mantissa` bits, below its sign; ties to even.
unsigned Narrow(double magnitude, int exponent, int mantissa) {
  const int least = 2 - (1 << (exponent - 1));  // exponent of the least normal number
  const unsigned infinity = ((1u << exponent) - 1) << mantissa;
  if (std::isnan(magnitude)) return infinity | 1u << (mantissa - 1);
  if (std::isinf(magnitude)) return infinity;
  int own = 0;
  std::frexp(magnitude, &own);
  own = std::min(std::max(own - 1, least), 1 << exponent);
  const double units = std::nearbyint(std::ldexp(magnitude, mantissa - own));
  const double bits = units + std::ldexp(own - least, mantissa);
  return bits < infinity ? static_cast<unsigned>(bits) : infinity;
}

/// f16 and bf16 are their bits on the host.
uint16_t Half(DType dtype, double v) {
  const unsigned sign = std::signbit(v) ? 0x8000 : 0;
  return static_cast<uint16_t>(sign | (dtype == DType::F16 ? Narrow(std::fabs(v), 5, 10) : Narrow(std::fabs(v), 8, 7)));
}

int ReadScalar(const ArgSpec& arg, size_t index, const std::string& text, Array& value) {
  value.dtype = arg.dtype;
  if (arg.dtype == DType::F32 || arg.dtype == DType::F16 || arg.dtype == DType::BF16) {
    char* end = nullptr;
    const double v = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0')
      return Invalid("--arg %zu=%s: argument %s is %s", index, text.c_str(), arg.name, NameOf(arg.dtype));
    if (arg.dtype == DType::F32) StoreScalar(value, std::strtof(text.c_str(), nullptr));
    else StoreScalar(value, Half(arg.dtype, v));
    return kOk;
  }
  int64_t v;
  const unsigned bits = static_cast<unsigned>(SizeOf(arg.dtype)) * 8;
  if (!ParseInteger(text, v) || (bits < 64 && (v < -(1ll << (bits - 1)) || v >= 1ll << (bits - 1))))
    return Invalid("--arg %zu=%s: argument %s is %s", index, text.c_str(), arg.name, NameOf(arg.dtype));
  switch (arg.dtype) {
    case DType::I64: StoreScalar<int64_t>(value, v); break;
    case DType::I32: StoreScalar<int32_t>(value, static_cast<int32_t>(v)); break;
    case DType::I16: StoreScalar<int16_t>(value, static_cast<int16_t>(v)); break;
    default: StoreScalar<int8_t>(value, static_cast<int8_t>(v)); break;
  }
  return kOk;
}

/// An output starts as zeros.
int SizeOutput(const ArgSpec& arg, size_t index, const std::vector<int64_t>& shape, Array& value) {
  value.dtype = arg.dtype;
  value.shape = shape;
  int64_t bytes = static_cast<int64_t>(SizeOf(arg.dtype));
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] < 0)
      return Invalid("argument %zu (%s): extent of dimension %zu unknown; give --dim %zu.%zu=N", index, arg.name, d, index, d);
    if (__builtin_mul_overflow(bytes, shape[d], &bytes)) return Invalid("argument %zu (%s) is too large", index, arg.name);
  }
  value.bytes.assign(static_cast<size_t>(bytes), 0);
  return kOk;
}

int ReadArgument(const World& world, const Options& options, size_t index, Array& value) {
  const ArgSpec& arg = world.program.args[index];
  const auto given = options.inputs.find(index);
  const bool isOut = arg.direction == Direction::Out;
  if (isOut == (given != options.inputs.end()))
    return isOut ? Invalid("--arg %zu: argument %s is an output", index, arg.name)
                 : Invalid("argument %zu (%s, %s %s) is missing: give --arg %zu=%s", index, arg.name, NameOf(arg.dtype),
                           ShapeText(arg.shape).c_str(), index, arg.kind == Kind::Scalar ? "VALUE" : "FILE.npy");
  if (arg.kind == Kind::Scalar) return ReadScalar(arg, index, given->second, value);
  std::vector<int64_t> shape;
  PLD_TRY(ExpectedShape(world, options, index, shape));
  if (isOut) return SizeOutput(arg, index, shape, value);
  std::string error;
  if (!ReadNpy(given->second, arg.dtype, shape, value, error))
    return Invalid("argument %zu (%s): %s", index, arg.name, error.c_str());
  return kOk;
}

int CheckWorldSize(const Program& program, uint32_t ranks) {
  if (program.worldSizes.empty()) return kOk;
  std::string admitted;
  for (uint32_t size : program.worldSizes) {
    if (size == ranks) return kOk;
    admitted += " " + std::to_string(size);
  }
  return Invalid("%s is written for%s ranks, not %u", program.name, admitted.c_str(), ranks);
}

}  // namespace

int ReadCommandLine(const Program& program, int argc, char** argv, World& world, Outputs& outputs) {
  Options options;
  PLD_TRY(ParseOptions(program, argc, argv, options));
  if (options.devices.empty()) return Invalid("number of ranks missing: give -n RANKS or -d DEVICES");
  if (options.devices.size() > kMaxRanks) return Invalid("%zu ranks; at most %u", options.devices.size(), kMaxRanks);
  world.devices = options.devices;
  world.ranks = static_cast<uint32_t>(options.devices.size());
  PLD_TRY(CheckWorldSize(program, world.ranks));
  outputs.assign(program.args.size(), "");
  for (size_t i = 0; i < program.args.size(); ++i) {
    PLD_TRY(ReadArgument(world, options, i, world.values[i]));
    const auto out = options.outputs.find(i);
    if (out == options.outputs.end()) continue;
    if (program.args[i].direction == Direction::In)
      return Invalid("--out %zu: argument %s is an input", i, program.args[i].name);
    outputs[i] = out->second;
  }
  return kOk;
}

int WriteOutputs(const World& world, const Outputs& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    std::string error;
    if (!outputs[i].empty() && !WriteNpy(outputs[i], world.values[i], error)) return Invalid("%s", error.c_str());
  }
  return kOk;
}

}  // namespace pld
