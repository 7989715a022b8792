// The oracle: bytes that were sent and what came back in, findings out. Pure, and silent where the
// specification leaves something open.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/ledger.hpp"
#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "fuzz/expectation.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::fuzz {

/// What a finding is about that the call behind the message shows, and not the message's own
/// answer.
inline constexpr std::string_view kCallBehind = "call behind another message";
/// The same where an answer came only when something more was sent.
inline constexpr std::string_view kHeldAnswer = "answer that waits for more";

class Oracle {
 public:
  /// `ledger` must outlive it.
  Oracle(const corpus::Ledger& ledger, Traits traits)
      : ledger_(ledger), traits_(std::move(traits)) {}

  /// Judges what one message brought back: every envelope rule; that each call is answered once and
  /// by its id, a Notification not at all, what is no JSON by -32700 and what is no Request by
  /// -32600; and that the server survived.
  judge::Judgement judge_exchange(std::string_view sent, const dialogue::Exchange& exchange,
                                  const dialogue::SurvivalCheck& survival) const;
  /// The same where the expectation is known already. `events` are what the exchange was made of:
  /// the law of the protocol on top, where there is one, is held against them.
  judge::Judgement judge_exchange(const Expectation& expectation,
                                  const dialogue::Exchange& exchange,
                                  const dialogue::SurvivalCheck& survival,
                                  const std::vector<dialogue::Event>& events = {}) const;

  /// The same for a handler in this process, which cannot die unseen: messages in, messages out.
  judge::Judgement judge_replies(std::string_view sent,
                                 const std::vector<std::string>& replies) const;

  const Traits& traits() const { return traits_; }

 private:
  judge::Judgement judge_closed(const Expectation& expectation, const dialogue::Exchange& exchange,
                                const dialogue::SurvivalCheck& survival) const;
  judge::Judgement judge_open(const Expectation& expectation, const dialogue::Exchange& exchange,
                              const dialogue::SurvivalCheck& survival) const;

  const corpus::Ledger& ledger_;
  Traits traits_;
};

/// Finding and sent message as one name: findings that share requirement and shape are one.
std::string shape_of(const Expectation& expectation, const judge::Finding& finding);

}  // namespace jrpcheck::fuzz
