#include "client/script.hpp"

#include <algorithm>
#include <charconv>

#include "base/bytes.hpp"
#include "dialogue/message.hpp"

namespace jrpcheck::client {
namespace {

using json::Kind;
using json::Value;

// "2" for 2 and 2 for "2".
std::string of_other_type(const std::string& id) {
  const bool is_text = id.starts_with('"');
  if (!is_text) return "\"" + id + "\"";
  const std::string content = id.substr(1, id.size() - 2);
  const bool is_number =
      !content.empty() && content.front() != '0' &&
      std::all_of(content.begin(), content.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? content : "987654321";
}

std::optional<std::size_t> number_of(const Value& request) {
  const Value* params = request.find("params");
  if (params == nullptr || params->size() == 0) return std::nullopt;
  const Value& first = params->children().front();
  std::size_t number = 0;
  const auto& text = first.text();
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_one =
      first.is(Kind::number) && parsed.ec == std::errc() && number >= 1 && number <= kCalls;
  return is_one ? std::optional(number) : std::nullopt;
}

// Whether the answer of a scenario has an id that no placeholder stands for, such as true.
bool has_literal_id(const std::string& answer) {
  constexpr std::string_view kMember = "\"id\":";
  const auto at = answer.find(kMember);
  return at != answer.npos && answer.compare(at + kMember.size(), 2, "${") != 0;
}

// Whether it is a Response with the id that is spelled so.
bool has_id(const std::string& response, const std::string& spelled) {
  const auto parsed = json::parse(response);
  const Value* id = parsed && parsed.value->is(Kind::object) ? parsed.value->find("id") : nullptr;
  return id != nullptr && json::write(*id) == spelled;
}

}  // namespace

std::string Script::good_response(std::size_t number, const std::string& id) {
  return R"({"jsonrpc":"2.0","result":)" + std::to_string(good_result(number)) + R"(,"id":)" + id +
         "}";
}

std::string Script::filled(const std::string& text, std::size_t number) const {
  std::string made = text;
  const auto with_number = [](const char* name, std::size_t n) {
    return "${" + std::string(name) + (n == 0 ? "" : std::to_string(n)) + "}";
  };
  for (std::size_t n = 0; n <= kCalls; ++n) {
    const std::size_t of = n == 0 ? number : n;
    replace_all(made, with_number("good", n), good_response(of, ids_.at(of)));
    replace_all(made, with_number("id", n), ids_.at(of));
  }
  const std::string& id = ids_.at(number);
  replace_all(made, "${other-id}", of_other_type(id));
  replace_all(made, "${id-as-fraction}", id.starts_with('"') ? id : id + ".0");
  replace_all(made, "${value}", std::to_string(good_result(number)));
  replace_all(made, "${wrong}", "999");
  return made;
}

Answer Script::odd_answer(std::size_t number) {
  Answer answer;
  for (const auto& each : scenario_.answer) {
    answer.messages.push_back(filled(each, number));
    if (has_literal_id(each) && has_id(answer.messages.back(), ids_.at(number))) {
      is_own_id_answered_ = true;
    }
  }
  if (scenario_.answer.empty() && scenario_.then.empty()) {
    answer.messages.push_back(good_response(number, ids_.at(number)));
  }
  answer.in_one_write = scenario_.in_one_write;
  answer.http_status = scenario_.http_status;
  answer.http_type = scenario_.http_type;
  answer.cut = scenario_.cut;
  answer.then = scenario_.then;
  answer.is_odd = true;
  is_played_ = true;
  if (told_.empty()) told_ = answer.messages;
  return answer;
}

void Script::note_own_answer(const Value& value) {
  const Value* id = value.find("id");
  const bool is_call = value.find("method") != nullptr;
  if (!is_call && id != nullptr && id->is(Kind::string) && id->text() == kOwnCallId) {
    is_own_call_answered_ = true;
  }
}

void Script::hear(const std::string& text) {
  const dialogue::Message message(text);
  const std::lock_guard lock(mutex_);
  const Value* value = message.value();
  if (value == nullptr) return;
  if (!value->is(Kind::array)) return note_own_answer(*value);
  for (const auto& each : value->children()) note_own_answer(each);
}

std::optional<Answer> Script::take(const std::string& text, std::size_t connection) {
  const dialogue::Message message(text);
  const std::lock_guard lock(mutex_);
  if (message.value() == nullptr) return std::nullopt;
  std::vector<Call> calls;
  const auto add = [&](const Value& one) {
    const Value* id = one.find("id");
    note_own_answer(one);
    if (one.find("method") != nullptr && id != nullptr) {
      calls.push_back({number_of(one), json::write(*id)});
    }
  };
  const bool is_batch = message.value()->is(Kind::array);
  if (is_batch) {
    for (const auto& each : message.value()->children()) add(each);
  } else {
    add(*message.value());
  }
  for (const auto& each : calls) {
    if (each.number) ids_.at(*each.number) = each.id;
  }
  if (calls.empty()) return Answer{{}, false, 204, "", 0, "", false};
  return is_batch ? take_batch(calls) : take_call(calls.front(), connection);
}

std::optional<Answer> Script::take_batch(const std::vector<Call>& calls) {
  const bool is_whole = std::count_if(calls.begin(), calls.end(), [](const Call& each) {
                          return each.number.has_value();
                        }) == static_cast<std::ptrdiff_t>(kCalls);
  if (scenario_.order == corpus::CallOrder::batch && is_whole) return odd_answer(kSubject);
  std::string array;
  for (const auto& each : calls) {
    array += (array.empty() ? "[" : ",") + good_response(each.number.value_or(0), each.id);
  }
  return Answer{{array + "]"}};
}

std::optional<Answer> Script::take_call(const Call& call, std::size_t connection) {
  if (!call.number) {
    return Answer{
        {R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":)" +
         call.id + "}"}};
  }
  if (scenario_.order == corpus::CallOrder::together) {
    // Answers go where their calls came from.
    auto& held = held_[connection];
    held.push_back(*call.number);
    if (held.size() < kCalls) return std::nullopt;
    held.clear();
    return odd_answer(kSubject);
  }
  const bool is_subject = scenario_.order == corpus::CallOrder::in_turn && *call.number == kSubject;
  // Whoever calls again after a close is answered.
  if (is_subject && (scenario_.then.empty() || !is_played_)) return odd_answer(kSubject);
  return Answer{{good_response(*call.number, call.id)}};
}

std::optional<Answer> Script::give_up_waiting(std::size_t connection) {
  const std::lock_guard lock(mutex_);
  auto& held = held_[connection];
  if (held.empty()) return std::nullopt;
  Answer answer;
  for (const auto number : held) {
    answer.messages.push_back(good_response(number, ids_.at(number)));
  }
  held.clear();
  return answer;
}

bool Script::was_played() const {
  const std::lock_guard lock(mutex_);
  return is_played_;
}

bool Script::is_own_id_answered() const {
  const std::lock_guard lock(mutex_);
  return is_own_id_answered_;
}

bool Script::is_own_call_answered() const {
  const std::lock_guard lock(mutex_);
  return is_own_call_answered_;
}

std::vector<std::string> Script::told() const {
  const std::lock_guard lock(mutex_);
  return told_;
}

}  // namespace jrpcheck::client
