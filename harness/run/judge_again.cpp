#include "run/judge_again.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "dialogue/exchanges_of.hpp"
#include "judge/fact.hpp"
#include "judge/protocol.hpp"
#include "judge/rules/law.hpp"
#include "result/attribution.hpp"
#include "result/shard.hpp"
#include "run/calibration.hpp"
#include "run/case_ids.hpp"
#include "run/case_runner.hpp"
#include "run/case_verdict.hpp"
#include "run/catalogue.hpp"
#include "run/conclusion.hpp"
#include "run/endings.hpp"
#include "run/schedule.hpp"
#include "run/side_dialogue.hpp"
#include "transport/target.hpp"

namespace jrpcheck::run {
namespace {

using result::CaseResult;

class Again {
 public:
  Again(const result::Run& stored, const corpus::Corpus& corpus, const wire::Binding& binding)
      : stored_(stored), conditions_(*stored.conditions), corpus_(corpus), binding_(binding) {
    for (const auto* list : {&stored.cases, &conditions_.unreported}) {
      for (const auto& one : *list) {
        if (!result::is_side_dialogue(one.id)) by_id_.emplace(one.id, &one);
      }
    }
    selection_.select = conditions_.select;
    selection_.skip = conditions_.skip;
    context_.binding = &binding;
    context_.dialect = corpus.profile.dialect;
    if (const auto law = judge::law_of(corpus)) {
      auto own = std::make_shared<judge::Law>(**law);
      own->catalogue = catalogue_from(corpus.profile, conditions_.catalogue, conditions_.allowed);
      context_.law = std::move(own);
    }
  }

  result::Run judge() {
    result::Run run = circumstances();
    Traits traits = judge_calibration();
    const auto systematic = traits.systematic;
    leave_out_unreported(traits, run.conditions->unreported);
    Results results = std::move(traits.results);
    context_.systematic = traits.systematic;
    context_.is_user_limited = traits.is_user_limited;
    constant_ = std::move(traits.constant);
    for (std::size_t ordinal = 0; ordinal < corpus_.cases.size(); ++ordinal) {
      const auto& one = corpus_.cases[ordinal];
      if (one.calibration && find(one) != nullptr) continue;
      if (auto result = judge_case(one)) results.emplace(ordinal, *std::move(result));
    }
    for (auto& [ordinal, result] : results) run.cases.push_back(std::move(result));
    bool with_unasked = false;
    for (const auto& dialogue : conditions_.dialogues) {
      if (dialogue.id == kLivenessDialogue.id) with_unasked = add_unasked_to(run);
      judge_aside(dialogue, systematic, run);
    }
    if (!with_unasked) add_unasked_to(run);
    note_unknown(run);
    conclude_run(corpus_, binding_, context_.law->catalogue.get(), selection_, run);
    return run;
  }

 private:
  bool add_unasked_to(result::Run& run) const {
    add_unasked(
        conditions_.opening, corpus_.ledger, context_, selection_,
        [this](const corpus::Case& call) { return stored_line(call); }, run);
    return true;
  }

  // What no judge changes.
  result::Run circumstances() const {
    result::Run run;
    run.name = stored_.name;
    run.tool_version = stored_.tool_version;
    run.corpus_cases = corpus_.cases.size();
    run.corpus_hash = corpus_.hash;
    run.seed = stored_.seed;
    run.target = stored_.target;
    run.profile = stored_.profile;
    run.shard = stored_.shard;
    run.interrupted = stored_.interrupted;
    run.started = stored_.started;
    run.duration = stored_.duration;
    run.tried = stored_.tried;
    run.notes = stored_.notes;
    run.conditions = conditions_;
    run.conditions->dialogues.clear();
    run.conditions->unreported.clear();
    return run;
  }

  const CaseResult* find(const corpus::Case& one) const {
    const auto found = by_id_.find(one.id);
    return found == by_id_.end() ? nullptr : found->second;
  }

  // What was sent before it was known that no params are to be left out was sent without.
  Result<corpus::Case> bind(const corpus::Case& unbound, const CaseResult& stored) const {
    auto bound = bind(unbound, stored, conditions_.omitted_params);
    if (!bound || hash_of_asked(*bound) == stored.asked) return bound;
    auto without = bind(unbound, stored, {});
    const bool is_as_sent = without && hash_of_asked(*without) == stored.asked;
    return is_as_sent ? std::move(without) : std::move(bound);
  }

  Result<corpus::Case> bind(const corpus::Case& unbound, const CaseResult& stored,
                            const std::string& omitted_params) const {
    auto bindings = bindings_for(*stored.ordinal, stored_.seed, conditions_.roles);
    bindings.transport = binding_.name;
    bindings.omitted_params = omitted_params;
    bindings.adopt(corpus_.profile);
    if (context_.law) bindings.catalogue = context_.law->catalogue.get();
    auto bound = corpus::bind(unbound, bindings);
    if (bound) tolerate_what_is_no_message(*bound, corpus_.ledger, context_);
    return bound;
  }

  // The result of a case but for its verdict.
  static CaseResult blank(const corpus::Case& one, const CaseResult& stored) {
    CaseResult result = not_exercised(one, {});
    result.duration = stored.duration;
    result.transcript = stored.transcript;
    result.reproduce = stored.reproduce;
    result.ordinal = stored.ordinal;
    result.asked = stored.asked;
    result.judged = stored.judged;
    return result;
  }

  // What a case says that did not run, or nothing when it did.
  std::optional<CaseResult> unsaid(const corpus::Case& one, const CaseResult& stored) const {
    if (stored.ordinal) return std::nullopt;
    CaseResult result = blank(one, stored);
    result.verdict = stored.verdict;
    result.reason = stored.reason;
    result.findings = stored.findings;
    return result;
  }

  // Fills in what the steps of the case show.
  CaseRun judge_steps(const corpus::Case& one, const CaseResult& stored) const {
    CaseRun run;
    run.result = blank(one, stored);
    const auto bound = bind(one, stored);
    auto exchanges = dialogue::exchanges_of(stored.transcript);
    if (!bound || !exchanges || hash_of_asked(*bound) != stored.asked) {
      run.result.reason =
          "what the stored run sent for this case is not what the case sends now; run it again";
      return run;
    }
    if (stored.judged) {
      conclude(*stored.judged, run.result);
    } else {
      judge_exchanges(*bound, *exchanges, stored.transcript, {corpus_.ledger, context_, constant_},
                      run.result);
    }
    run.survival = exchanges->survival;
    run.exchanges = std::move(exchanges->steps);
    if (one.calibration) run.methods = methods_called(*bound);
    return run;
  }

  static void charge_facts(const corpus::Case& one, const CaseResult& stored, bool of_dialect,
                           CaseResult& result) {
    const std::string of_end = judge::charge_of_end(one.steps.back());
    for (const auto& event : stored.transcript) {
      const bool is_of_dialect = event.fact == dialogue::Fact::speaks_1_0;
      if (event.fact && is_of_dialect == of_dialect) charge_fact(event, result, of_end);
    }
  }

  Traits judge_calibration() const {
    Traits traits;
    Lessons lessons({corpus_.profile.dialect, &binding_, conditions_.batches_optional,
                     !corpus_.profile.http.limits_users.empty()},
                    traits);
    for (std::size_t ordinal = 0; ordinal < corpus_.cases.size(); ++ordinal) {
      const auto& one = corpus_.cases[ordinal];
      const CaseResult* stored = one.calibration ? find(one) : nullptr;
      if (stored == nullptr) continue;
      if (auto result = unsaid(one, *stored)) {
        traits.results.emplace(ordinal, *std::move(result));
        continue;
      }
      CaseRun run = judge_steps(one, *stored);
      charge_facts(one, *stored, true, run.result);
      lessons.take(one, run);
      charge_facts(one, *stored, false, run.result);
      traits.results.emplace(ordinal, std::move(run.result));
    }
    lessons.end();
    return traits;
  }

  // Only of a server that cannot be judged a calibration case is reported that was not selected.
  void leave_out_unreported(Traits& traits, std::vector<CaseResult>& unreported) const {
    if (!traits.results.empty()) {
      const auto& first = corpus_.cases[traits.results.begin()->first];
      const bool is_reported =
          std::any_of(stored_.cases.begin(), stored_.cases.end(),
                      [&](const CaseResult& one) { return one.id == first.id; });
      if (is_reported && !selection_.includes(first)) traits.unjudgeable = "as the run says";
    }
    leave_out_unselected(corpus_, selection_, traits, unreported);
  }

  std::optional<CaseResult> judge_case(const corpus::Case& one) const {
    const CaseResult* stored = find(one);
    if (stored == nullptr) return missing(one);
    if (auto result = unsaid(one, *stored)) return result;
    CaseResult result = judge_run(one, *stored);
    for (const auto& each : stored->tries) result.tries.push_back(judge_run(one, each));
    return result;
  }

  CaseResult judge_run(const corpus::Case& one, const CaseResult& stored) const {
    CaseRun run = judge_steps(one, stored);
    charge_facts(one, stored, false, run.result);
    return std::move(run.result);
  }

  // A case that is new since, where the run would have had it.
  std::optional<CaseResult> missing(const corpus::Case& one) const {
    const bool is_wanted =
        selection_.includes(one) && (!stored_.shard || result::is_in_shard(one.id, *stored_.shard));
    if (!is_wanted) return std::nullopt;
    if (const auto* exemption = corpus_.profile.exempts_case(one.id)) {
      return exempted(one, *exemption);
    }
    if (!corpus_.applies(one, binding_)) return not_applicable(one, binding_);
    return not_exercised(one, "the stored run did not have this case; run it again");
  }

  void judge_aside(const result::StoredDialogue& stored, const std::set<std::string>& systematic,
                   result::Run& run) const {
    judge::Context context;
    context.dialect = context_.dialect;
    context.silence = corpus_.profile.silence;
    const bool is_first = stored.id == kFirstCallsDialogue.id;
    if (!is_first) context.binding = &binding_;
    if (stored.id != kOpeningDialogue.id && !is_first) context.law = context_.law;
    if (stored.id == kDiscoveryDialogue.id || is_first) context.systematic = systematic;
    SideDialogue dialogue(stored.id, stored.title, corpus_.ledger, context);
    for (const auto& each : stored.exchanges) dialogue.take(each);
    // What became of the server is told whatever was selected.
    const bool is_always_told = stored.id == kEndingsDialogue.id;
    add_side_dialogue(
        dialogue, is_always_told ? corpus::Selection() : selection_,
        [this](const corpus::Case& call) { return stored_line(call); }, run);
  }

  std::string stored_line(const corpus::Case& call) const {
    const auto known = std::find_if(stored_.cases.begin(), stored_.cases.end(),
                                    [&](const auto& one) { return one.id == call.id; });
    return known == stored_.cases.end() ? std::string() : known->reproduce;
  }

  void note_unknown(result::Run& run) const {
    std::string names;
    for (const auto& [id, one] : by_id_) {
      if (corpus_.find(id) == nullptr) names += (names.empty() ? "" : ", ") + id;
    }
    if (names.empty()) return;
    run.notes.push_back(
        "Cases of the stored run that this corpus does not have are left out: " + names + ".");
  }

  const result::Run& stored_;
  const result::Conditions& conditions_;
  const corpus::Corpus& corpus_;
  const wire::Binding& binding_;
  std::map<std::string, const CaseResult*> by_id_;
  corpus::Selection selection_;
  judge::Context context_;
  std::optional<ConstantAnswer> constant_;
};

}  // namespace

Result<result::Run> judge_again(const result::Run& stored, const corpus::Corpus& corpus) {
  if (!stored.was_reached()) {
    return Error{"nothing was said in this run: its target was not reached. Run it again."};
  }
  if (!stored.conditions) {
    return Error{
        "the file does not hold what is needed to judge the run again (it lacks the member "
        "\"conditions\"): it is of another command than run, an older version of jrpcheck wrote "
        "it, "
        "or shards were put together in it. Run it again with jrpcheck run --report json=FILE. "
        "jrpcheck report shows it as it is; of what watch has carried, jrpcheck judge reads the "
        "recording (--record)."};
  }
  const wire::Binding* binding = wire::binding_named(stored.target.framing);
  if (binding == nullptr) {
    return Error{"this version knows no framing '" + stored.target.framing + "'"};
  }
  // What TARGET names is reached over sockets; without one it is a program, or a function.
  const auto* scheme = transport::scheme_named(stored.target.transport);
  if (scheme == nullptr) return Again(stored, corpus, *binding).judge();
  const auto& behind = wire::behind_door(wire::on_sockets(*binding), scheme->door_class);
  return Again(stored, corpus, behind).judge();
}

}  // namespace jrpcheck::run
