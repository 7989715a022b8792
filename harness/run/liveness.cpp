#include "run/liveness.hpp"

#include <functional>
#include <utility>

#include "dialogue/id_key.hpp"
#include "dialogue/message.hpp"
#include "judge/evidence.hpp"
#include "run/case_verdict.hpp"

namespace jrpcheck::run {
namespace {

// More kinds of answers than this say nothing new.
constexpr std::size_t kMostJudged = 64;

// What answers a control call, also where it is the only one in an Array; null where nothing does.
const json::Value* response_in(const dialogue::Message& message) {
  return message.value() == nullptr ? nullptr : dialogue::sole_object(*message.value());
}

// What the answer comes to, in words.
std::string kind_of(const json::Value& answer) {
  const json::Value* error = answer.find("error");
  if (error == nullptr || error->is(json::Kind::null)) {
    return answer.find("result") != nullptr ? "result" : "neither result nor error";
  }
  const json::Value* code = error->is(json::Kind::object) ? error->find("code") : nullptr;
  return code == nullptr ? "error" : "error " + json::write(*code);
}

std::string without_id(const json::Value& answer) {
  std::string text;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const auto& member = answer.children()[i];
    const bool is_id = answer.names()[i] == "id";
    text += answer.names()[i] + ":" +
            (is_id ? std::string(json::name_of(member.kind())) : json::write(member)) + ",";
  }
  return text;
}

// What of the call is judged by.
std::string call_of(const json::Value& answer) {
  const json::Value* id = answer.find("id");
  return "{\"id\":" + (id == nullptr ? "null" : json::write(*id)) + "}";
}

}  // namespace

bool Liveness::has_changed(const std::string& answer, int http_status) {
  const dialogue::Message message(answer);
  const json::Value* value = response_in(message);
  if (value == nullptr) {
    // On a stream it is found among what was not asked for.
    const bool is_unreadable = message.value() == nullptr && !answer.empty() && http_status != 0;
    if (is_unreadable) note_unreadable(message, http_status);
    return false;
  }
  const bool is_array = message.value() != value;
  const std::string kind = kind_of(*value);
  const std::lock_guard lock(mutex_);
  const std::size_t looks = std::hash<std::string>()((is_array ? "[" : "") + without_id(*value));
  dialogue::Exchange exchange;
  exchange.http_status = http_status;
  exchange.replies.push_back({message, http_status});
  const bool is_response = !judge::read(exchange).refused;
  if (is_response && judged_.size() < kMostJudged && judged_.insert(looks).second) {
    dialogue::Transcript transcript;
    transcript.add(dialogue::received(message, "answer to the control call"));
    dialogue_.take(call_of(*value), exchange, transcript);
  }
  if (!first_) first_ = kind;
  return *first_ != kind;
}

void Liveness::note_unreadable(const dialogue::Message& answer, int http_status) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(has_met_unreadable_, true)) return;
  dialogue::Exchange exchange;
  exchange.http_status = http_status;
  exchange.replies.push_back({answer, http_status});
  dialogue::Transcript transcript;
  transcript.add(dialogue::received(answer, "answer to the control call"));
  dialogue_.take(R"({"id":null})", exchange, transcript);
}

void Liveness::note_other_answer(const std::string& answer) {
  const dialogue::Message message(answer);
  const json::Value* value = response_in(message);
  const std::string kind = value == nullptr ? "" : kind_of(*value);
  if (first() == "error -32601" && (kind == "result" || kind == "error -32700")) {
    note_lapse(answer, {});
  }
}

// JSON-RPC 2.0 §5.1.
void Liveness::note_lapse(const std::string& answer, std::string where) {
  const dialogue::Message message(answer);
  const json::Value* value = response_in(message);
  const std::string call = value == nullptr ? "{}" : call_of(*value);
  const std::lock_guard lock(mutex_);
  dialogue::Transcript transcript;
  dialogue_.note(fact_event(dialogue::Fact::code_changed, answer, std::move(where)), call,
                 transcript);
}

std::string Liveness::first() const {
  const std::lock_guard lock(mutex_);
  return first_.value_or("");
}

}  // namespace jrpcheck::run
