#include "traffic/latency.hpp"

#include <algorithm>
#include <bit>

namespace jrpcheck::traffic {
namespace {

constexpr unsigned kStepBits = 3;

// The three bits behind the highest one tell the step.
std::size_t place_of(std::uint64_t value, std::size_t places) {
  if (value < (1U << kStepBits)) return value;
  const unsigned power = static_cast<unsigned>(std::bit_width(value)) - 1;
  const auto step = (value >> (power - kStepBits)) & ((1U << kStepBits) - 1);
  const std::size_t place = std::size_t{power - kStepBits + 1} * (1U << kStepBits) + step;
  return std::min(place, places - 1);
}

std::uint64_t value_of(std::size_t place) {
  if (place < (1U << kStepBits)) return place;
  const std::size_t power = place / (1U << kStepBits) + kStepBits - 1;
  const std::uint64_t step = place % (1U << kStepBits);
  return (std::uint64_t{1} << power) + (step << (power - kStepBits));
}

}  // namespace

void Latencies::add(microseconds latency) {
  const auto value = static_cast<std::uint64_t>(std::max<long long>(latency.count(), 0));
  ++counted_[place_of(value, counted_.size())];
  ++count_;
  worst_ = std::max(worst_, latency);
}

microseconds Latencies::median() const {
  std::size_t before = 0;
  for (std::size_t place = 0; place < counted_.size(); ++place) {
    before += counted_[place];
    if (before * 2 >= count_ && before > 0) {
      return std::min(microseconds(static_cast<long long>(value_of(place))), worst_);
    }
  }
  return worst_;
}

}  // namespace jrpcheck::traffic
