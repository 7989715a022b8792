// The judge: what came back in, findings out. Pure: the corpus run, the fuzzer, the properties and
// anyone's unit test call it alike.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>

#include "corpus/case.hpp"
#include "corpus/dialect.hpp"
#include "corpus/ledger.hpp"
#include "corpus/profile.hpp"
#include "dialogue/exchange.hpp"
#include "judge/judgement.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::judge {

struct Law;

/// What is known about the server before a case is judged.
struct Context {
  /// Requirements that every reply of the calibration violated. They are charged there, once, and
  /// not again in every case.
  std::set<std::string> systematic;
  /// The server is known to keep the user from methods (HttpHabits::limits_users).
  bool is_user_limited = false;
  /// What a departure from the framing is charged to.
  const wire::Binding* binding = &wire::default_stream_binding();
  /// By whose envelope rules the replies are judged.
  corpus::Dialect dialect = corpus::Dialect::json_rpc_2_0;
  /// What an answer to a Notification that belongs to no case is charged to.
  std::string silence = std::string(corpus::kSilence);
  /// The law of the protocol on top; null: there is none.
  std::shared_ptr<const Law> law = {};
};

/// Judges a bound case by what each of its steps brought back (fewer than the case has steps when
/// the conversation ended early) and by whether the server survived it.
Judgement judge(const corpus::Case& bound, std::span<const dialogue::Exchange> exchanges,
                const dialogue::SurvivalCheck& survival, const corpus::Ledger& ledger,
                const Context& context);

}  // namespace jrpcheck::judge
