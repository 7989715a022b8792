#include "run/first_calls.hpp"

#include <algorithm>

#include "dialogue/id_key.hpp"

namespace jrpcheck::run {

bool is_answer_to(const std::string& call, const std::string& message) {
  const dialogue::Message came(message);
  const auto keys = dialogue::id_keys_of(came);
  return came.value() != nullptr && dialogue::holds_response(came) && !keys.empty() &&
         dialogue::id_keys_of(dialogue::Message(call)) == keys;
}

namespace {

constexpr std::size_t kMostMessagesKept = 16;
constexpr std::size_t kMostBytesKept = 1U << 20;

// Nothing that was said before any call was read, but a Response, or one that nobody can read. Of
// what is beyond our limits nobody knows.
bool is_response_of_a_kind(const dialogue::Message& message) {
  if (message.value() != nullptr) return dialogue::holds_response(message);
  const auto begin = message.text().find_first_not_of(" \t\r\n");
  return !message.is_beyond_limits() && begin != std::string::npos && message.text()[begin] == '{';
}

// What carries the id of a call and is none itself is its answer, and may be no Response.
bool is_meant_for(const std::string& call, const std::string& message) {
  const dialogue::Message came(message);
  const bool is_object = came.value() != nullptr && came.value()->is(json::Kind::object);
  const auto keys = dialogue::id_keys_of(came);
  return is_object && came.find("method") == nullptr && !keys.empty() &&
         dialogue::id_keys_of(dialogue::Message(call)) == keys;
}

}  // namespace

void keep_what_came(const std::string& call, const std::string& message,
                    std::vector<std::string>& kept) {
  std::size_t bytes = message.size();
  for (const auto& each : kept) bytes += each.size();
  const bool may_be_last = kept.size() == kMostMessagesKept && is_answer_to(call, message);
  const bool is_too_many = kept.size() >= kMostMessagesKept && !may_be_last;
  const bool is_too_much = !kept.empty() && bytes > kMostBytesKept;
  if (!is_too_many && !is_too_much) kept.push_back(message);
}

FirstCalls paired_up(const std::vector<std::string>& calls,
                     const std::vector<std::string>& answers) {
  FirstCalls paired;
  std::vector<std::string> unanswered = calls;
  std::vector<std::string> strays;
  for (const auto& answer : answers) {
    const auto call = std::ranges::find_if(calls, [&](const std::string& each) {
      return is_answer_to(each, answer) || is_meant_for(each, answer);
    });
    if (call == calls.end()) {
      if (is_response_of_a_kind(answer)) strays.push_back(answer);
    } else {
      paired.push_back({*call, answer});
      std::erase(unanswered, *call);
    }
  }
  if (strays.size() == 1 && unanswered.size() == 1) {
    paired.push_back({unanswered.front(), strays.front()});
  }
  return paired;
}

SideDialogue first_calls_dialogue(const corpus::Corpus& corpus, const judge::Context& known,
                                  const FirstCalls& calls) {
  judge::Context context;
  context.dialect = known.dialect;
  context.silence = known.silence;
  context.systematic = known.systematic;
  SideDialogue dialogue(kFirstCallsDialogue, corpus.ledger, context);
  for (const auto& [call, answer, silence] : calls) {
    if (!silence.empty()) {
      dialogue.take(result::SideExchange{call, silence, {}});
      continue;
    }
    const dialogue::Message message(answer);
    dialogue::Exchange exchange;
    exchange.replies.push_back({message, 0});
    dialogue::Transcript transcript;
    transcript.add(dialogue::Direction::sent, call);
    transcript.add(dialogue::received(message));
    dialogue.take(call, exchange, transcript);
  }
  return dialogue;
}

}  // namespace jrpcheck::run
