#include "fuzz/properties/answer.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "json/parse.hpp"

namespace jrpcheck::properties {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kShown = 600;

std::optional<std::vector<Answer>> all_in(const std::vector<const Value*>& values) {
  std::vector<Answer> answers;
  for (const Value* value : values) {
    auto answer = answer_in(*value);
    if (!answer) return std::nullopt;
    answers.push_back(*std::move(answer));
  }
  return answers;
}

}  // namespace

bool same_content(const Answer& a, const Answer& b) {
  return a.is_error == b.is_error && json::equal(a.content, b.content);
}

bool same(const Answer& a, const Answer& b) {
  return same_content(a, b) && json::equal(a.id, b.id);
}

std::optional<Answer> answer_in(const Value& value) {
  if (!value.is(Kind::object)) return std::nullopt;
  const Value* id = value.find("id");
  const Value* result = value.find("result");
  const Value* error = value.find("error");
  if (id == nullptr || (result == nullptr) == (error == nullptr)) return std::nullopt;
  if (result != nullptr) return Answer{id->clone(), false, result->clone()};
  const Value* code = error->is(Kind::object) ? error->find("code") : nullptr;
  if (code == nullptr) return std::nullopt;
  return Answer{id->clone(), true, code->clone()};
}

std::optional<Answer> answer_in(const dialogue::Exchange& exchange) {
  auto answers = answers_in(exchange);
  if (!answers || answers->size() != 1) return std::nullopt;
  return std::move(answers->front());
}

std::optional<std::vector<Answer>> batch_in(const dialogue::Exchange& exchange) {
  if (exchange.replies.size() != 1) return std::nullopt;
  const Value* batch = exchange.replies.front().value();
  if (batch == nullptr || !batch->is(Kind::array)) return std::nullopt;
  std::vector<const Value*> values;
  for (const auto& each : batch->children()) values.push_back(&each);
  return all_in(values);
}

std::optional<std::vector<Answer>> answers_in(const dialogue::Exchange& exchange) {
  std::vector<const Value*> values;
  for (const auto& reply : exchange.replies) {
    if (reply.value() == nullptr) return std::nullopt;
    values.push_back(reply.value());
  }
  return all_in(values);
}

bool contains(const std::vector<Answer>& all, const std::vector<Answer>& some) {
  std::vector<const Answer*> left;
  left.reserve(all.size());
  for (const auto& each : all) left.push_back(&each);
  return std::all_of(some.begin(), some.end(), [&left](const Answer& wanted) {
    const auto found = std::find_if(left.begin(), left.end(),
                                    [&](const Answer* each) { return same(*each, wanted); });
    if (found == left.end()) return false;
    left.erase(found);
    return true;
  });
}

std::string described(const dialogue::Exchange& exchange) {
  std::string text;
  for (const auto& reply : exchange.replies) {
    text += (text.empty() ? "" : " and ") + to_visible(reply.text(), kShown);
  }
  if (!exchange.detail.empty()) text += (text.empty() ? "" : "; ") + exchange.detail;
  return text.empty() ? "nothing" : text;
}

std::string described(const Answer& answer) {
  const std::string content = to_visible(json::write(answer.content), kShown);
  return (answer.is_error ? "error " : "result ") + content + " with id " +
         to_visible(json::write(answer.id), kShown);
}

std::string described(const std::vector<Answer>& answers) {
  std::string text;
  for (const auto& each : answers) text += (text.empty() ? "" : ", ") + described(each);
  return text.empty() ? "nothing" : text;
}

}  // namespace jrpcheck::properties
