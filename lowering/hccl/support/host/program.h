// What a generated program tells the runner about itself.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "npy.h"

namespace pld {

class Rank;
class World;

enum class Kind {
  WorldArray,  ///< leading dimension is the world size; rank r has slice r
  Replicated,  ///< the whole array on every rank, input only
  Scalar
};

enum class Direction { In, Out, InOut };

/// An argument of the host function. `shape` is that of the file, -1 = known at run time only.
struct ArgSpec {
  const char* name;
  Kind kind;
  DType dtype;
  std::vector<int64_t> shape;
  Direction direction;
};

struct Program {
  const char* name;
  std::vector<ArgSpec> args;
  std::vector<uint32_t> worldSizes;  ///< admitted numbers of ranks, empty = any
  /// Data bytes of each window buffer, in allocation order.
  std::vector<int64_t> (*windowBytes)(const World& world);
  /// The host function; every rank runs it. Returns kOk, or the code of what failed.
  int (*run)(Rank& rank);
};

/// Values of the arguments: what every rank sees alike.
class World {
 public:
  explicit World(const Program& program) : program(program), values(program.args.size()) {}

  const Program& program;
  uint32_t ranks = 1;
  std::vector<int32_t> devices;  ///< device of each rank
  std::vector<Array> values;     ///< by argument; a scalar is an array of rank 0

  /// Extent of dimension `d` of argument `arg`.
  int64_t dim(size_t arg, size_t d) const { return values[arg].shape[d]; }

  /// Value of scalar argument `arg`; T as its dtype (int64_t for index).
  template <typename T>
  T scalar(size_t arg) const {
    T value;
    std::memcpy(&value, values[arg].bytes.data(), sizeof value);
    return value;
  }
};

}  // namespace pld
