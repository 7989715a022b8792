#include "run/first_calls.hpp"

#include "dialogue/id_key.hpp"

namespace jrpcheck::run {

bool is_answer_to(const std::string& call, const std::string& message) {
  const dialogue::Message came(message);
  const auto keys = dialogue::id_keys_of(came);
  return came.value() != nullptr && dialogue::holds_response(came) && !keys.empty() &&
         dialogue::id_keys_of(dialogue::Message(call)) == keys;
}

SideDialogue first_calls_dialogue(const corpus::Corpus& corpus, const judge::Context& known,
                                  const FirstCalls& calls) {
  judge::Context context;
  context.dialect = known.dialect;
  context.silence = known.silence;
  context.systematic = known.systematic;
  SideDialogue dialogue(kFirstCallsDialogue, corpus.ledger, context);
  for (const auto& [call, answer] : calls) {
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
