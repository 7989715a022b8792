#include "base/duration_text.hpp"

#include <fmt/format.h>

namespace jrpcheck {

std::string duration_text(microseconds duration) {
  const double seconds = static_cast<double>(duration.count()) / 1e6;
  if (seconds >= 9.95) return fmt::format("{:.0f} s", seconds);
  return seconds < 0.0995 ? fmt::format("{:.2g} ms", seconds * 1e3)
                          : fmt::format("{:.2g} s", seconds);
}

}  // namespace jrpcheck
