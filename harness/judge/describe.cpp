#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/bytes.hpp"
#include "base/join.hpp"
#include "judge/pattern.hpp"

namespace jrpcheck::judge {
namespace {

using corpus::Outcome;

// Batches of a thousand are described by their first few.
constexpr std::size_t kDescribed = 6;

std::string describe_ids(const corpus::IdPattern& pattern) {
  return joined(pattern.any_of, " or ",
                [](const auto& id) { return to_visible(json::write(id), 80); });
}

std::string describe_error(const corpus::ErrorPattern& pattern) {
  if (!pattern.codes.empty()) return fmt::format("error {}", fmt::join(pattern.codes, " or "));
  if (!pattern.codes_not.empty()) {
    return fmt::format("error other than {}", fmt::join(pattern.codes_not, ", "));
  }
  return "an error";
}

std::string describe_result(const corpus::ResultPattern& pattern) {
  if (!pattern.at.empty()) {
    const std::string value = pattern.equals ? to_visible(json::write(*pattern.equals), 120)
                              : pattern.type ? std::string(json::name_of(*pattern.type))
                              : pattern.contains.empty()
                                  ? "something"
                                  : "\"" + to_visible(pattern.contains, 120) + "\"";
    return fmt::format("a result with {} at {}", value, pattern.at);
  }
  if (pattern.equals) return "result " + to_visible(json::write(*pattern.equals), 120);
  if (pattern.type) return fmt::format("a result of type {}", json::name_of(*pattern.type));
  if (!pattern.contains.empty()) {
    return fmt::format("a result with \"{}\"", to_visible(pattern.contains, 120));
  }
  return "a result";
}

}  // namespace

std::string_view name_of(Part part) {
  switch (part) {
    case Part::silence:
      return "silence";
    case Part::reply:
      return "reply";
    case Part::id:
      return "id";
    case Part::kind:
      return "kind";
    case Part::envelope:
      return "envelope";
    case Part::code:
      return "code";
    case Part::result:
      return "result";
    case Part::shape:
      return "shape";
    case Part::count:
      return "count";
    case Part::close:
      return "close";
  }
  return "";
}

std::string_view pointer_of(Part part) {
  switch (part) {
    case Part::id:
      return "/id";
    case Part::envelope:
      return "/jsonrpc";
    case Part::code:
      return "/error/code";
    case Part::result:
      return "/result";
    default:
      return "";
  }
}

std::string describe(const corpus::ResponsePattern& pattern) {
  std::string what = pattern.result || pattern.error ? "" : "a result or an error";
  if (pattern.result) what = describe_result(*pattern.result);
  if (pattern.error) what += (pattern.result ? " or " : "") + describe_error(*pattern.error);
  return what + " with id " + describe_ids(pattern.id);
}

namespace {

std::vector<std::string> described(const std::vector<corpus::ResponsePattern>& patterns) {
  std::vector<std::string> texts;
  for (const auto& each : patterns) {
    if (texts.size() < kDescribed) texts.push_back(describe(each));
  }
  if (patterns.size() > kDescribed) {
    texts.push_back(fmt::format("{} more", patterns.size() - kDescribed));
  }
  return texts;
}

}  // namespace

std::string describe_array(const std::vector<corpus::ResponsePattern>& patterns) {
  if (patterns.empty()) return "an empty Array";
  return fmt::format("an Array of {} ({})", patterns.size(), fmt::join(described(patterns), "; "));
}

std::string describe(const Outcome& outcome) {
  std::vector<std::string> responses = described(outcome.responses);
  if (outcome.array) responses.push_back(describe_array(*outcome.array));
  switch (outcome.shape) {
    case Outcome::Shape::response:
      return responses.front() + (outcome.envelope_1_0 ? " in the shape of 1.0" : "");
    case Outcome::Shape::batch:
      return describe_array(outcome.responses);
    case Outcome::Shape::responses:
      return fmt::format("{} messages ({})", outcome.responses.size() + (outcome.array ? 1 : 0),
                         fmt::join(responses, "; "));
    case Outcome::Shape::silence:
      return "silence";
    case Outcome::Shape::refused:
      return "an HTTP refusal";
    case Outcome::Shape::closed:
      if (outcome.close_codes.empty()) return "a closed connection";
      return fmt::format("a close with code {}", fmt::join(outcome.close_codes, ", "));
    case Outcome::Shape::exited:
      return outcome.close_codes.empty() ? "the end of the program"
                                         : fmt::format("the end of the program with code {}",
                                                       fmt::join(outcome.close_codes, " or "));
    case Outcome::Shape::anything:
      return "any answer, or none";
    case Outcome::Shape::status:
      return outcome.status_from == outcome.status_to
                 ? fmt::format("HTTP {}", outcome.status_from)
                 : fmt::format("HTTP {} to {}", outcome.status_from, outcome.status_to);
  }
  return "";
}

}  // namespace jrpcheck::judge
