#include "reports/report.hpp"

#include <algorithm>
#include <iterator>

namespace jrpcheck::reports {

const Format* find_format(std::string_view name) {
  const auto* found =
      std::ranges::find_if(kFormats, [name](const Format& format) { return format.name == name; });
  return found == std::end(kFormats) ? nullptr : found;
}

const Format* find_format(std::string_view name, std::string_view path) {
  constexpr std::string_view kPicture = ".svg";
  const bool is_picture =
      path.size() >= kPicture.size() && path.substr(path.size() - kPicture.size()) == kPicture;
  return find_format(name == "badge" && is_picture ? "badge-svg" : name);
}

}  // namespace jrpcheck::reports
