#include "client/bend.hpp"

#include <algorithm>

#include "client/placeholders.hpp"
#include "json/writer.hpp"

namespace jrpcheck::client {
namespace {

constexpr std::size_t kMostMethods = 100'000;
constexpr std::string_view kIdBefore = "${id1}";

bool speaks_of_the_call_before(const corpus::Scenario& scenario) {
  return std::any_of(scenario.answer.begin(), scenario.answer.end(),
                     [](const auto& each) { return each.find(kIdBefore) != each.npos; });
}

}  // namespace

bool can_be_bent(const corpus::Scenario& scenario) {
  return scenario.order == corpus::CallOrder::in_turn;
}

std::string Bend::hindrance(const std::string& id, bool has_begun) const {
  const bool is_about_status = scenario_.http_status != Answer{}.http_status ||
                               scenario_.http_type != Answer{}.http_type ||
                               (scenario_.answer.size() == 1 && scenario_.answer.front().empty());
  if (has_begun && is_about_status) return "the answer came on an event stream, under a status";
  if (!speaks_of_the_call_before(scenario_)) return {};
  if (id_before_.empty()) return "there is no answer before the one that is bent";
  return id_before_ == id ? "the client's calls have one and the same id" : "";
}

std::optional<Answer> Bend::take(const dialogue::Message& message, bool has_begun) {
  const json::Value* value = message.value();
  const std::lock_guard lock(mutex_);
  if (value == nullptr) return std::nullopt;
  note_answered(*value);
  if (!value->is(json::Kind::object)) return std::nullopt;
  const json::Value* id = value->find("id");
  const json::Value* result = value->find("result");
  if (id == nullptr || result == nullptr || value->find("method") != nullptr) return std::nullopt;
  Blanks blanks{{}, {}, kSubject, json::write(*result)};
  blanks.ids = {"", id_before_, json::write(*id), ""};
  blanks.goods.at(kSubject) = message.text();
  const std::string& own_id = blanks.ids.at(kSubject);
  if (++notes_.answers != which_) {
    id_before_ = own_id;
    return std::nullopt;
  }
  notes_.hindrance = hindrance(own_id, has_begun);
  if (notes_.hindrance.empty() && spells_own_id(scenario_, blanks)) {
    notes_.hindrance = "the client's own call has the id that was to be of no call";
  }
  if (!notes_.hindrance.empty()) return std::nullopt;
  notes_.was_played = true;
  notes_.was_on_stream = has_begun;
  Answer answer = answer_of(scenario_, blanks);
  notes_.told = answer.messages;
  return answer;
}

void Bend::note_answered(const json::Value& value) {
  if (value.is(json::Kind::array)) {
    for (const auto& each : value.children()) note_answered(each);
  } else if (value.find("id") != nullptr && value.find("method") == nullptr && notes_.due > 0) {
    --notes_.due;
  }
}

void Bend::hear(const dialogue::Message& message) {
  const json::Value* value = message.value();
  if (value == nullptr) return;
  const std::lock_guard lock(mutex_);
  if (!value->is(json::Kind::array)) return hear_one(*value);
  for (const auto& each : value->children()) hear_one(each);
}

void Bend::hear_one(const json::Value& value) {
  const json::Value* method = value.find("method");
  const json::Value* id = value.find("id");
  if (method != nullptr) {
    if (id != nullptr) ++notes_.due;
    const bool is_named = method->is(json::Kind::string);
    if (notes_.methods.size() < kMostMethods) {
      notes_.methods.push_back(is_named ? method->text().substr(0, 200) : "");
    }
  } else if (id != nullptr && id->is(json::Kind::string) && id->text() == kOwnCallId) {
    notes_.is_own_call_answered = true;
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
