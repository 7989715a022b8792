#include "client/bend.hpp"

#include <algorithm>
#include <utility>

#include "json/pointer.hpp"
#include "json/writer.hpp"

namespace jrpcheck::client {
namespace {

constexpr std::size_t kMostMethods = 100'000;
constexpr std::size_t kMostCalls = 5'000;
constexpr std::string_view kIdBefore = "${id1}";

bool speaks_of_the_call_before(const corpus::Scenario& scenario) {
  return std::ranges::any_of(scenario.answer,
                             [](const auto& each) { return each.find(kIdBefore) != each.npos; });
}

// Whether the scenario spells out members, as version 2.0 has them.
bool has_form_of_its_own(const corpus::Scenario& scenario) {
  const auto has_member = [](const std::string& text) { return text.find("\":") != text.npos; };
  return std::ranges::any_of(scenario.answer, has_member) ||
         std::ranges::any_of(scenario.frames,
                             [&](const auto& each) { return has_member(each.payload); });
}

}  // namespace

// A client of another version owes nothing to a form that is none of its own: in version 1.0 a
// Response has both members, and one of them is null.
std::string Bend::hindrance_of(const Blanks& blanks, bool is_of_version_2) const {
  if (!is_of_version_2 && has_form_of_its_own(scenario_)) {
    return "the server does not answer in the form of version 2.0, which the odd answer has";
  }
  return hindrance_of_ids(scenario_, blanks);
}

std::string Bend::hindrance(bool has_begun) const {
  const bool is_about_status = scenario_.http_status != Answer{}.http_status ||
                               scenario_.http_type != Answer{}.http_type ||
                               (scenario_.answer.size() == 1 && scenario_.answer.front().empty());
  if (has_begun && is_about_status) return "the answer came on an event stream, under a status";
  if (!speaks_of_the_call_before(scenario_)) return {};
  return id_before_.empty() ? "there is no answer before the one that is bent" : "";
}

std::optional<Answer> Bend::take(const dialogue::Message& message, bool has_begun,
                                 std::size_t connection) {
  const json::Value* value = message.value();
  const std::lock_guard lock(mutex_);
  if (value == nullptr) return std::nullopt;
  note_answered(*value);
  if (value->is(json::Kind::array)) return take_batch(*value);
  auto answer = good_answer(*value, message.text());
  if (!answer) return std::nullopt;
  note_result(*answer);
  const bool is_together = scenario_.order == corpus::CallOrder::together;
  if (is_together) return take_together(*std::move(answer), connection);
  return take_alone(*answer, has_begun);
}

std::optional<Bend::GoodAnswer> Bend::good_answer(const json::Value& value,
                                                  std::string text) const {
  if (!value.is(json::Kind::object)) return std::nullopt;
  const json::Value* id = value.find("id");
  const json::Value* result = value.find("result");
  if (id == nullptr || result == nullptr || value.find("method") != nullptr) return std::nullopt;
  const bool is_of_version_2 = json::text_of(value.find("jsonrpc")) == "2.0";
  GoodAnswer answer{kNoCall, json::write(*id), json::write(*result), std::move(text),
                    is_of_version_2};
  const auto& calls = notes_.calls;
  const auto found = std::ranges::find_if(
      calls, [&](const CarriedCall& each) { return each.id == answer.id && !each.is_answered; });
  if (found != calls.end()) answer.call = static_cast<std::size_t>(found - calls.begin());
  return answer;
}

void Bend::note_result(const GoodAnswer& answer) {
  ++notes_.answers;
  if (answer.call == kNoCall) return;
  notes_.calls.at(answer.call).result = answer.result;
  notes_.calls.at(answer.call).is_answered = true;
}

Answer Bend::play(const Blanks& blanks) {
  notes_.was_played = true;
  Answer answer = answer_of(scenario_, blanks);
  notes_.told = answer.messages;
  return answer;
}

std::optional<Answer> Bend::take_alone(const GoodAnswer& good, bool has_begun) {
  Blanks blanks{{}, {}, kSubject, good.result};
  blanks.ids = {"", id_before_, good.id, ""};
  blanks.goods.at(kSubject) = good.text;
  const bool is_meant = scenario_.order == corpus::CallOrder::in_turn && notes_.answers == which_;
  if (!is_meant) {
    id_before_ = good.id;
    return std::nullopt;
  }
  notes_.hindrance = hindrance(has_begun);
  if (notes_.hindrance.empty()) notes_.hindrance = hindrance_of(blanks, good.is_of_version_2);
  if (!notes_.hindrance.empty()) return std::nullopt;
  notes_.was_on_stream = has_begun;
  if (good.call != kNoCall) notes_.bent = {good.call};
  return play(blanks);
}

std::optional<Answer> Bend::take_together(GoodAnswer good, std::size_t connection) {
  if (notes_.was_played || good.call == kNoCall) return std::nullopt;
  auto& held = held_[connection];
  held.push_back(std::move(good));
  if (held.size() < kCalls) return Answer{};
  return play_round(std::exchange(held, {}));
}

// Calls that came in one Array are answered in one.
std::optional<Answer> Bend::take_batch(const json::Value& array) {
  std::vector<GoodAnswer> answers;
  for (const auto& each : array.children()) {
    auto answer = good_answer(each, json::write(each));
    if (!answer) continue;
    note_result(*answer);
    if (answer->call != kNoCall) answers.push_back(*std::move(answer));
  }
  if (scenario_.order != corpus::CallOrder::batch || notes_.was_played) return std::nullopt;
  if (answers.size() != kCalls || array.size() != kCalls) return std::nullopt;
  const auto& calls = notes_.calls;
  const auto of_batch = [&](std::size_t batch) {
    return std::ranges::count_if(calls,
                                 [batch](const CarriedCall& each) { return each.batch == batch; });
  };
  const auto batch = calls.at(answers.front().call).batch;
  const bool is_one = std::ranges::all_of(
      answers, [&](const auto& each) { return calls.at(each.call).batch == batch; });
  if (batch == 0 || !is_one || of_batch(batch) != static_cast<std::ptrdiff_t>(kCalls)) {
    return std::nullopt;
  }
  return play_round(std::move(answers));
}

std::optional<Answer> Bend::play_round(std::vector<GoodAnswer> answers) {
  std::vector<std::string> as_they_came;
  as_they_came.reserve(answers.size());
  for (const auto& each : answers) as_they_came.push_back(each.text);
  const bool is_batch = scenario_.order == corpus::CallOrder::batch;
  const auto unbent = [&] { return is_batch ? std::nullopt : std::optional(Answer{as_they_came}); };
  ++notes_.rounds;
  if (which_ == kNone) return unbent();
  std::ranges::sort(answers,
                    [](const auto& one, const auto& other) { return one.call < other.call; });
  Blanks blanks{{}, {}, kSubject, answers.at(kSubject - 1).result};
  for (std::size_t n = 1; n <= kCalls; ++n) {
    blanks.ids.at(n) = answers.at(n - 1).id;
    blanks.goods.at(n) = answers.at(n - 1).text;
    notes_.bent.push_back(answers.at(n - 1).call);
  }
  notes_.hindrance = hindrance_of(
      blanks, std::ranges::all_of(answers, [](const auto& each) { return each.is_of_version_2; }));
  if (!notes_.hindrance.empty()) return unbent();
  return play(blanks);
}

std::optional<Answer> Bend::give_up_waiting(std::size_t connection) {
  const std::lock_guard lock(mutex_);
  auto& held = held_[connection];
  if (held.empty()) return std::nullopt;
  Answer answer;
  for (auto& each : held) answer.messages.push_back(std::move(each.text));
  held.clear();
  return answer;
}

void Bend::note_answered(const json::Value& value) {
  if (value.is(json::Kind::array)) {
    for (const auto& each : value.children()) note_answered(each);
    return;
  }
  const json::Value* id = value.find("id");
  if (id == nullptr || value.find("method") != nullptr) return;
  if (notes_.due > 0) --notes_.due;
  if (value.find("result") != nullptr) return;
  for (auto& each : notes_.calls) {
    if (each.is_answered || each.id != json::write(*id)) continue;
    each.is_answered = true;
    return;
  }
}

void Bend::hear(const dialogue::Message& message) {
  const json::Value* value = message.value();
  if (value == nullptr) return;
  const std::lock_guard lock(mutex_);
  if (!value->is(json::Kind::array)) return hear_one(*value, 0);
  ++batches_;
  for (const auto& each : value->children()) hear_one(each, batches_);
}

void Bend::hear_one(const json::Value& value, std::size_t batch) {
  const json::Value* method = value.find("method");
  const json::Value* id = value.find("id");
  if (method != nullptr) {
    if (id != nullptr) ++notes_.due;
    if (id != nullptr && notes_.calls.size() < kMostCalls) {
      const json::Value* params = value.find("params");
      notes_.calls.push_back(
          {json::write(*id), json::write(*method) + (params == nullptr ? "" : json::write(*params)),
           batch});
    }
    if (notes_.methods.size() < kMostMethods) {
      notes_.methods.push_back(json::text_of(method).substr(0, 200));
    }
  } else if (json::text_of(id) == kOwnCallId && !notes_.own_answer) {
    notes_.own_answer = json::write(value);
  }
}

void Bend::cut() {
  const std::lock_guard lock(mutex_);
  notes_.due = 0;
}

void Bend::fail(const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (notes_.failure.empty()) notes_.failure = why;
}

bool Bend::is_due() const {
  const std::lock_guard lock(mutex_);
  return notes_.due > 0;
}

BendNotes Bend::notes() const {
  const std::lock_guard lock(mutex_);
  return notes_;
}

}  // namespace jrpcheck::client
