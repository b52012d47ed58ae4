// Reductions of the first n elements to one value.
#pragma once

#include "vector.h"

namespace pld_emu {

/// The first `count` elements, all of which must be defined.
template <typename T>
std::vector<double> reduced(const Core& c, const Access& access, const UbRange& range) {
  requireDefined(c, access, c.ubDefined.data() + range.begin, range.end - range.begin, "reduces");
  std::vector<double> values;
  for (uint32_t b = range.begin; b < range.end; b += sizeof(T)) values.push_back(widen(loadElement<T>(c.ub.data() + b)));
  return values;
}

/// Hardware order: a binary tree inside each 256-byte repeat, the repeats one after another; T after every add.
template <typename T>
T sumOf(const std::vector<double>& values) {
  const size_t repeat = 256 / sizeof(T);
  const auto add = [](double a, double b) { return widen(narrow<T>(a + b, AscendC::RoundMode::CAST_RINT)); };
  double total = 0;
  for (size_t start = 0; start < values.size(); start += repeat) {
    std::vector<double> tree(values.begin() + static_cast<std::ptrdiff_t>(start),
                             values.begin() + static_cast<std::ptrdiff_t>(std::min(start + repeat, values.size())));
    while (tree.size() > 1) {
      std::vector<double> next;
      for (size_t i = 0; i < tree.size(); i += 2)
        next.push_back(i + 1 < tree.size() ? add(tree[i], tree[i + 1]) : tree[i]);
      tree.swap(next);
    }
    total = start == 0 ? tree[0] : add(total, tree[0]);
  }
  return narrow<T>(total, AscendC::RoundMode::CAST_RINT);
}

/// Elements of scratch that ReduceMax and ReduceMin need.
template <typename T>
uint32_t scratchElements(int32_t count) {
  const uint32_t perRepeat = 256 / sizeof(T), perBlock = 32 / sizeof(T);
  const uint32_t n = 2 * std::max<uint32_t>(1, static_cast<uint32_t>(count) / perRepeat);
  return (n + perBlock - 1) / perBlock * perBlock;
}

template <typename T>
void reduceExtreme(const char* op, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                   const AscendC::LocalTensor<T>& scratch, int32_t count, bool calIndex, bool maximum, const At& at) {
  static_assert(realType<T>, "reductions on arch 2201: half or float");
  const Site site{op, at};
  Core& c = step(op, at);
  if (!c.pipe) c.fail(format("%s needs a live TPipe", op), at);
  if (calIndex) c.fail(format("%s: the form with index is not emulated", op), at);
  const UbRange d = operand(c, site, dst, 1), s = operand(c, site, src, count),
                t = operand(c, site, scratch, scratchElements<T>(count));
  checkOverlap(c, site, t, s);
  if (count == 0) return;
  Core* core = &c;
  const Access access = c.access(Pipe::V, site);
  noteWork(c);
  c.touchUb(s, access, Mode::Read);
  c.touchUb(t, access, Mode::Write);
  c.touchUb(d, access, Mode::Write);
  c.issue(access, {[=] {
            const std::vector<double> values = reduced<T>(*core, access, s);
            double best = values.front();
            for (double value : values) best = maximum ? greater(best, value) : lesser(best, value);
            std::memset(core->ubDefined.data() + t.begin, 0, t.end - t.begin);
            storeElement<T>(core->ub.data() + d.begin, narrow<T>(best, AscendC::RoundMode::CAST_RINT));
            std::memset(core->ubDefined.data() + d.begin, 1, sizeof(T));
          }});
}

}  // namespace pld_emu

namespace AscendC {

/// The scratch tensor is not used on arch 2201.
template <typename T>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
               const int32_t count, PLD_EMU_AT) {
  static_assert(pld_emu::realType<T>, "reductions on arch 2201: half or float");
  (void)sharedTmpBuffer;
  const pld_emu::Site site{"ReduceSum", at};
  pld_emu::Core& c = pld_emu::step(site.op, at);
  if (!c.pipe) c.fail("ReduceSum needs a live TPipe", at);
  const pld_emu::UbRange d = pld_emu::operand(c, site, dst, 1, sizeof(T)), s = pld_emu::operand(c, site, src, count);
  if (count == 0) return;
  if (d.begin < s.end && s.begin < d.end) c.fail("ReduceSum: the result lies in the source", at);
  pld_emu::Core* core = &c;
  const pld_emu::Access access = c.access(pld_emu::Pipe::V, site);
  pld_emu::noteWork(c);
  c.touchUb(s, access, pld_emu::Mode::Read);
  c.touchUb(d, access, pld_emu::Mode::Write);
  c.issue(access, {[=] {
            const T sum = pld_emu::sumOf<T>(pld_emu::reduced<T>(*core, access, s));
            pld_emu::storeElement<T>(core->ub.data() + d.begin, sum);
            std::memset(core->ubDefined.data() + d.begin, 1, sizeof(T));
          }});
}

template <typename T>
void ReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
               const int32_t count, bool calIndex = 0, PLD_EMU_AT) {
  pld_emu::reduceExtreme("ReduceMax", dst, src, sharedTmpBuffer, count, calIndex, true, at);
}

template <typename T>
void ReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
               const int32_t count, bool calIndex = 0, PLD_EMU_AT) {
  pld_emu::reduceExtreme("ReduceMin", dst, src, sharedTmpBuffer, count, calIndex, false, at);
}

}  // namespace AscendC
