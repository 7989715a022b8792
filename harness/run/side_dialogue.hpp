// What passes between jrpcheck and a server outside of cases: it is judged too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "corpus/ledger.hpp"
#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "judge/judge.hpp"
#include "result/run.hpp"

namespace jrpcheck::run {

/// Judges calls of ours that belong to no case by the rules of the envelope: whatever a method
/// answers, the Response must be well-formed and carry the id of its call. What the server does
/// wrong is one finding for each requirement, however many messages show it.
class SideDialogue {
 public:
  /// `id` stands where a case's would, as in "dialogue/discovery".
  SideDialogue(std::string id, std::string title, const corpus::Ledger& ledger,
               judge::Context context)
      : id_(std::move(id)),
        title_(std::move(title)),
        ledger_(ledger),
        context_(std::move(context)) {}

  /// Judges what one well-formed call brought back. Nothing is owed: that a call is not answered is
  /// for cases to judge.
  void take(const std::string& message, const dialogue::Exchange& exchange,
            const dialogue::Transcript& transcript);

  /// Adds what the server did wrong beyond its messages. `call` is what caused it.
  void charge(judge::Finding finding, const std::string& call,
              const std::vector<dialogue::Event>& events);

  /// What has been found and what no case shows as well. Nothing when there is nothing to tell.
  std::optional<result::CaseResult> result(const std::vector<result::CaseResult>& cases) const;

  /// The call that was taken last.
  const std::string& last_call() const { return last_call_; }
  /// The call that showed the first finding.
  const std::string& first_call() const { return first_call_; }

 private:
  std::string id_;
  std::string title_;
  const corpus::Ledger& ledger_;
  judge::Context context_;
  std::vector<judge::Finding> findings_;
  std::vector<dialogue::Event> events_;  // of the exchanges that show them
  std::size_t shown_ = 0;                // exchanges
  std::string first_call_;
  std::string last_call_;
};

}  // namespace jrpcheck::run
