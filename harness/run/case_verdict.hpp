// The verdict of a case, from its dialogue: the same whether that has just happened or was stored.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.hpp"
#include "corpus/ledger.hpp"
#include "corpus/profile.hpp"
#include "dialogue/exchanges_of.hpp"
#include "judge/fact.hpp"
#include "judge/judge.hpp"
#include "result/run.hpp"
#include "run/constant_answer.hpp"

namespace jrpcheck::run {

/// A hash of all that a case sends, by which a stored dialogue is known to be about it.
std::string hash_of_asked(const corpus::Case& bound);

/// By what a case is judged beside what it says itself.
struct JudgedBy {
  const corpus::Ledger& ledger;
  const judge::Context& context;
  const std::optional<ConstantAnswer>& constant;
};

/// Where the case sends what is no message of the protocol nothing need come back, and nothing is
/// waited for.
void tolerate_what_is_no_message(corpus::Case& bound, const corpus::Ledger& ledger,
                                 const judge::Context& context);

/// Adds what the law of the protocol on top says of these events; `is_foreign` and what is given as
/// in judge::judge_by_law.
bool judge_by_law(const std::vector<dialogue::Event>& events, const JudgedBy& by,
                  judge::Judgement& judgement, bool is_foreign = false);

/// Fills in the verdict of the case and all that leads to it. `events` are what the exchanges were
/// made of.
void judge_exchanges(const corpus::Case& bound, const dialogue::Exchanges& exchanges,
                     const std::vector<dialogue::Event>& events, const JudgedBy& by,
                     result::CaseResult& result);

/// What the judge has said of a case, to be kept where its dialogue is not kept whole.
judge::Judgement judgement_of(const result::CaseResult& result);

/// The verdict of a case by what the judge says of it.
void conclude(judge::Judgement judgement, result::CaseResult& result);

/// Whether nothing has answered the last step, on a connection that stood.
bool ends_in_silence(const result::CaseResult& result);

/// Charges what an event says was found out about the case as a whole, where it says so. `of_end`
/// as in judge::finding_of.
void charge_fact(const dialogue::Event& event, result::CaseResult& result,
                 std::string_view of_end = judge::kSurvives);

/// Adds such an event to the dialogue of the case, and charges it.
void note_fact(dialogue::Event event, result::CaseResult& result,
               std::string_view of_end = judge::kSurvives);

/// One of them, to be filled in.
dialogue::Event fact_event(dialogue::Fact fact, std::string bytes, std::string note);

/// The result of a case that did not run.
result::CaseResult not_applicable(const corpus::Case& one, const wire::Binding& binding);
result::CaseResult not_applicable(const corpus::Case& one, std::string reason);

/// The same of one that the protocol does not ask for.
result::CaseResult exempted(const corpus::Case& one, const corpus::Exemption& exemption);

result::CaseResult not_exercised(const corpus::Case& one, std::string reason);

}  // namespace jrpcheck::run
