#include "base/duration_text.hpp"

#include <array>
#include <charconv>

namespace jrpcheck {
namespace {

std::string written(double number, std::chars_format format, int precision) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), number, format, precision).ptr;
  return {text.data(), end};
}

}  // namespace

std::string duration_text(microseconds duration) {
  const double seconds = static_cast<double>(duration.count()) / 1e6;
  constexpr auto kTwoDigits = 2;
  if (seconds >= 9.95) return written(seconds, std::chars_format::fixed, 0) + " s";
  return seconds < 0.0995 ? written(seconds * 1e3, std::chars_format::general, kTwoDigits) + " ms"
                          : written(seconds, std::chars_format::general, kTwoDigits) + " s";
}

}  // namespace jrpcheck
