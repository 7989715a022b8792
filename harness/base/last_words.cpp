#include "base/last_words.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/bytes.hpp"

namespace jrpcheck {
namespace {

constexpr std::size_t kShownOfEnd = 400;
constexpr std::size_t kShownOfError = 300;
constexpr std::size_t kShownOfFrame = 200;
constexpr std::size_t kMostLines = 400;

// How runtimes of many languages begin to tell of an error that ends a program.
constexpr std::array<std::string_view, 11> kErrors = {
    "Error:",  "Error ",    "Exception",          "panic:", "panicked at", "error:",
    "what():", "Assertion", "Segmentation fault", "fatal",  "FATAL"};

// Whose frames are not the program's own.
constexpr std::array<std::string_view, 10> kLibraries = {
    "/lib/python",    "node_modules/", "node:",     "<anonymous>", "site-packages/",
    "dist-packages/", "/usr/lib/",     "java.base", "<frozen",     "/usr/local/go/"};

constexpr std::array<std::string_view, 3> kPackages = {"node_modules/", "site-packages/",
                                                       "dist-packages/"};

bool holds_one_of(std::string_view line, const auto& words) {
  return std::ranges::any_of(
      words, [line](std::string_view word) { return line.find(word) != std::string_view::npos; });
}

std::string_view trimmed(std::string_view line) {
  const auto begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
}

bool is_frame(std::string_view line) {
  const auto text = trimmed(line);
  return text.starts_with("at ") || text.starts_with("File \"") ||
         text.find(".go:") != std::string_view::npos;
}

bool is_own_frame(std::string_view line) {
  return is_frame(line) && !holds_one_of(line, kLibraries);
}

// A library that the program has brought tells more than nothing.
bool is_frame_of_package(std::string_view line) {
  return is_frame(line) && holds_one_of(line, kPackages);
}

std::vector<std::string_view> last_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < kMostLines) {
    const auto end = text.find_last_not_of('\n');
    if (end == std::string_view::npos) break;
    const auto feed = text.find_last_of('\n', end);
    const auto begin = feed == std::string_view::npos ? 0 : feed + 1;
    lines.push_back(text.substr(begin, end + 1 - begin));
    text = text.substr(0, begin);
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

// Most runtimes tell the frames behind the error, the innermost first; Python before it, and last.
std::string_view frame_of(const std::vector<std::string_view>& lines, std::size_t error,
                          bool (*is_wanted)(std::string_view)) {
  const auto at = lines.begin() + static_cast<std::ptrdiff_t>(error);
  const auto behind = std::find_if(at + 1, lines.end(), is_wanted);
  if (behind != lines.end()) return trimmed(*behind);
  const auto before = std::find_if(std::make_reverse_iterator(at), lines.rend(), is_wanted);
  return before == lines.rend() ? std::string_view() : trimmed(*before);
}

}  // namespace

std::string last_words(std::string_view standard_error) {
  const auto lines = last_lines(standard_error);
  for (std::size_t i = lines.size(); i > 0; --i) {
    const auto line = lines[i - 1];
    if (is_frame(line) || !holds_one_of(line, kErrors)) continue;
    std::string words = to_visible(trimmed(line), kShownOfError);
    auto frame = frame_of(lines, i - 1, is_own_frame);
    if (frame.empty()) frame = frame_of(lines, i - 1, is_frame_of_package);
    return frame.empty() ? words : words + "\\n" + to_visible(frame, kShownOfFrame);
  }
  return to_visible(standard_error, kShownOfEnd);
}

}  // namespace jrpcheck
