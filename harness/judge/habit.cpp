#include "judge/habit.hpp"

#include <algorithm>
#include <array>

#include "base/contains.hpp"
#include "judge/code.hpp"

namespace jrpcheck::judge {
namespace {

std::string changed(std::string_view due, std::string_view came) {
  return std::string(due) + " -> " + std::string(came);
}

constexpr std::string_view kBeyondAscii = "text beyond ASCII";

bool is_beyond_ascii(const corpus::Step& step) {
  return std::ranges::any_of(step.messages, [](const auto& message) {
    return std::ranges::any_of(message.text(),
                               [](char byte) { return static_cast<unsigned char>(byte) > 0x7F; });
  });
}

// One Response, or one for each of several calls.
bool asks_for_responses(const corpus::Outcome& outcome) {
  using Shape = corpus::Outcome::Shape;
  return outcome.shape == Shape::response ||
         (outcome.shape == Shape::responses && !outcome.responses.empty() && !outcome.array);
}

}  // namespace

void add_habit(std::vector<std::string>& habits, std::string habit) {
  if (!contains(habits, habit)) {
    habits.push_back(std::move(habit));
  }
}

std::vector<std::string> reply_habits(const corpus::ResponsePattern& pattern,
                                      std::string_view what_came) {
  std::vector<std::string> names;
  if (pattern.result) names.push_back(changed("result", what_came));
  if (pattern.error) {
    for (const long long code : pattern.error->codes) {
      names.push_back(changed("error " + std::to_string(code), what_came));
    }
  }
  return names;
}

std::vector<std::string> reply_habits(const corpus::Step& step, std::string_view what_came) {
  for (const auto& outcome : step.accept) {
    const bool is_due = outcome.verdict == corpus::Verdict::pass && asks_for_responses(outcome);
    if (!is_due) continue;
    auto names = reply_habits(outcome.responses.front(), what_came);
    const bool are_alike = std::ranges::all_of(outcome.responses, [&](const auto& each) {
      return reply_habits(each, what_came) == names;
    });
    return are_alike ? names : std::vector<std::string>();
  }
  return {};
}

std::vector<std::string> silence_habits(const json::Value& what_came) {
  if (what_came.find("result") != nullptr) return {changed("silence", "result")};
  const auto code = error_code_of(what_came);
  if (!code) return {};
  return {changed("silence", "error " + std::to_string(*code))};
}

std::vector<std::string> id_habits(const corpus::ResponsePattern& pattern, const json::Value& id) {
  std::vector<std::string> names;
  for (const auto& due : pattern.id.any_of) {
    const std::string type = "id " + std::string(json::name_of(due.kind()));
    add_habit(names, changed(type, json::name_of(id.kind())));
  }
  return names;
}

std::vector<std::string> text_habits(const corpus::Step& step, const json::Value& what_came) {
  if (error_code_of(what_came) != -32700 || !is_beyond_ascii(step)) return {};
  return {changed(kBeyondAscii, "error -32700")};
}

std::vector<std::string> deafness_habits(const corpus::Step& step) {
  if (!is_beyond_ascii(step)) return {};
  return {changed(kBeyondAscii, "a deaf connection")};
}

std::string repetition_habit() { return changed("a message", "twice"); }

std::string batch_habit(std::string_view what_came) { return changed("batch", what_came); }

bool tells_another_stage(long long code) {
  constexpr std::array<long long, 3> kStages = {-32700, -32600, -32601};
  return contains(kStages, code);
}

}  // namespace jrpcheck::judge
