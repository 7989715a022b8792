#include "run/opening_dialogue.hpp"

#include <algorithm>
#include <utility>

#include "base/contains.hpp"
#include "dialogue/id_key.hpp"
#include "dialogue/message.hpp"

namespace jrpcheck::run {
namespace {

// One message of the handshake, and what answers it.
struct OpeningTurn {
  const std::string& message;
  std::string as_sent;
  std::vector<dialogue::Message> answers = {};
  std::vector<dialogue::Event> beside = {};  // what is no message
};

bool is_answered_by(const OpeningTurn& turn, const dialogue::Message& answer) {
  const auto sent = dialogue::id_keys_of(dialogue::Message(turn.message));
  return std::ranges::any_of(dialogue::id_keys_of(answer),
                             [&](const auto& key) { return contains(sent, key); });
}

// By its id; an answer with the id of none is due to what was sent last.
OpeningTurn& turn_of(const dialogue::Message& answer, std::vector<OpeningTurn>& turns) {
  const auto found = std::find_if(turns.rbegin(), turns.rend(),
                                  [&](const auto& turn) { return is_answered_by(turn, answer); });
  return found == turns.rend() ? turns.back() : *found;
}

std::vector<OpeningTurn> turns_in(const std::vector<std::string>& messages,
                                  const dialogue::Transcript& transcript) {
  std::vector<OpeningTurn> turns;
  for (const auto& event : transcript.whole()) {
    const bool is_ours =
        event.direction == dialogue::Direction::sent && turns.size() < messages.size();
    if (is_ours) {
      // Where a folder stands in place of null it is told by its note.
      const std::string& message = messages[turns.size()];
      const bool is_literal = event.bytes.find(message) != std::string::npos;
      if (is_literal || event.note == "opening") {
        turns.push_back({message, is_literal ? message : event.bytes});
      }
    }
    const bool is_no_message = event.direction == dialogue::Direction::noise ||
                               event.direction == dialogue::Direction::violation;
    if (is_no_message && !turns.empty()) turns.back().beside.push_back(event);
    const bool is_answer = event.direction == dialogue::Direction::received && !event.is_control;
    if (!is_answer || turns.empty()) continue;
    dialogue::Message body = dialogue::message_of(event);
    if (body.text().empty()) continue;
    turn_of(body, turns).answers.push_back(std::move(body));
  }
  return turns;
}

}  // namespace

SideDialogue opening_dialogue(const corpus::Corpus& corpus, const wire::Binding& binding,
                              const std::vector<std::string>& messages,
                              const dialogue::Transcript& transcript) {
  judge::Context context;
  context.dialect = corpus.profile.dialect;
  context.silence = corpus.profile.silence;
  context.binding = &binding;
  SideDialogue opening(kOpeningDialogue, corpus.ledger, context);
  for (const auto& turn : turns_in(messages, transcript)) {
    dialogue::Exchange exchange;
    dialogue::Transcript evidence;
    evidence.add(dialogue::Direction::sent, turn.as_sent);
    for (const auto& each : turn.beside) {
      exchange.noise.push_back({each.bytes, {}});
      evidence.add(each);
    }
    for (const auto& answer : turn.answers) {
      exchange.replies.push_back({answer, 0});
      evidence.add(dialogue::received(answer));
    }
    opening.take(turn.message, exchange, evidence);
  }
  return opening;
}

}  // namespace jrpcheck::run
