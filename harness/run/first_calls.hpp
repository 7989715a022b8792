// The calls that find out who is there, before anything is judged: what answered them is judged
// too, once it is known that JSON-RPC is spoken.
#pragma once

#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "dialogue/transcript.hpp"
#include "judge/judge.hpp"
#include "run/side_dialogue.hpp"

namespace jrpcheck::run {

/// A well-formed call, and the message that came back for it.
struct FirstCall {
  std::string call;
  std::string answer;
  /// In place of an answer: what passed where none came, and it had its time.
  std::vector<dialogue::Event> silence = {};
};

using FirstCalls = std::vector<FirstCall>;

/// Whether the message is a Response with the id of this call, in an Array or not. On a stream what
/// has another id may have been said before any call was read.
bool is_answer_to(const std::string& call, const std::string& message);

/// Adds what came while this call was under way: some messages, and of more the first that answers
/// it. A server may send without end: beyond a limit on their bytes only the first one is kept.
void keep_what_came(const std::string& call, const std::string& message,
                    std::vector<std::string>& kept);

/// What was answered to these calls on one connection, where nothing else was asked: by its id,
/// though it be no Response, or as the one answer that has none of theirs, to the one call that has
/// no other.
FirstCalls paired_up(const std::vector<std::string>& calls,
                     const std::vector<std::string>& answers);

/// What the answers show, by the rules of the envelope alone: whatever was asked, each is a
/// Response to its call.
SideDialogue first_calls_dialogue(const corpus::Corpus& corpus, const judge::Context& context,
                                  const FirstCalls& calls);

}  // namespace jrpcheck::run
