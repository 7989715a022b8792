#include "run/answers_before.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "json/pointer.hpp"
#include "run/proof.hpp"

namespace jrpcheck::run {
namespace {

constexpr std::string_view kAnswer = "${answer:";

const json::Value* answered(std::string_view name, const std::vector<dialogue::Exchange>& before) {
  const auto colon = name.find(':');
  std::size_t step = 0;
  std::from_chars(name.data(), name.data() + std::min(colon, name.size()), step);
  const bool is_there = colon != name.npos && step >= 1 && step <= before.size() &&
                        !before[step - 1].replies.empty() &&
                        before[step - 1].replies.back().value() != nullptr;
  if (!is_there) return nullptr;
  return json::at(*before[step - 1].replies.back().value(), name.substr(colon + 1));
}

// A string that is nothing but the placeholder becomes the value.
std::optional<std::string> filled(std::string text, const std::vector<dialogue::Exchange>& before) {
  const std::string quoted = "\"" + std::string(kAnswer);
  for (auto begin = text.find(quoted); begin != text.npos; begin = text.find(quoted, begin)) {
    const auto end = text.find("}\"", begin);
    if (end == text.npos) break;
    const auto name = text.substr(begin + quoted.size(), end - begin - quoted.size());
    const json::Value* found = answered(name, before);
    if (found == nullptr) return std::nullopt;
    const std::string value = json::write(*found);
    text.replace(begin, end + 2 - begin, value);
    begin += value.size();
  }
  return text;
}

bool has_brought(std::string_view member, const std::vector<dialogue::Exchange>& before) {
  return !before.empty() && !before.back().replies.empty() &&
         before.back().replies.back().find(member) != nullptr;
}

// An error, with a code that says no more than that the method was called (JSON-RPC 2.0 §5.1).
bool has_failed(const std::vector<dialogue::Exchange>& before) {
  if (!has_brought("error", before)) return false;
  const auto code = code_in(*before.back().replies.back().value());
  return code && *code != -32700 && (*code < -32602 || *code > -32600);
}

bool has_refused_params(const std::vector<dialogue::Exchange>& before) {
  return has_brought("error", before) && code_in(*before.back().replies.back().value()) == -32602;
}

}  // namespace

bool fill_in_answers(const std::vector<dialogue::Exchange>& before, corpus::Step& step) {
  if (step.after_result && !has_brought("result", before)) return false;
  if (step.after_error && !has_brought("error", before)) return false;
  if (step.after_failure && !has_failed(before)) return false;
  if (step.after_invalid_params && !has_refused_params(before)) return false;
  for (auto& message : step.messages) {
    if (message.text().find(kAnswer) == std::string::npos) continue;
    auto text = filled(message.text(), before);
    if (!text) return false;
    message = dialogue::Message(*std::move(text));
  }
  return true;
}

}  // namespace jrpcheck::run
