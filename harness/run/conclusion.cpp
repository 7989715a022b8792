#include "run/conclusion.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "result/attribution.hpp"
#include "result/shard.hpp"
#include "run/catalogue.hpp"
#include "run/constant_answer.hpp"
#include "run/unasked.hpp"

namespace jrpcheck::run {
namespace {

// A requirement whose every case is for other transports asks nothing of this one. Nor does one
// whose negative cases all are: the positive ones that name it beside their own subject do not show
// that it is kept.
std::set<std::string> of_other_bindings(const corpus::Corpus& corpus,
                                        const wire::Binding& binding) {
  std::set<std::string> elsewhere;
  std::set<std::string> here;
  std::set<std::string> with_negative_cases;
  for (const auto& one : corpus.cases) {
    if (!one.derived_from) continue;
    with_negative_cases.insert(one.requirements.begin(), one.requirements.end());
  }
  for (const auto& one : corpus.cases) {
    const bool applies = corpus.applies(one, binding);
    for (const auto& id : one.requirements) {
      const bool shows =
          one.derived_from || id == one.requirements.front() || with_negative_cases.count(id) == 0;
      if (!applies) elsewhere.insert(id);
      if (applies && shows) here.insert(id);
    }
  }
  std::set<std::string> inapplicable;
  std::set_difference(elsewhere.begin(), elsewhere.end(), here.begin(), here.end(),
                      std::inserter(inapplicable, inapplicable.begin()));
  return inapplicable;
}

std::map<std::string, std::string> inapplicable_requirements(const corpus::Corpus& corpus,
                                                             const wire::Binding& binding,
                                                             const corpus::Catalogue* catalogue,
                                                             const std::string& framing) {
  std::map<std::string, std::string> all;
  for (const auto& id : of_other_bindings(corpus, binding)) {
    all.emplace(id, "no case of it applies to " + framing);
  }
  if (catalogue == nullptr) return all;
  for (const auto& each : corpus.ledger.requirements()) {
    std::string reason = why_inapplicable(each, *catalogue);
    if (!reason.empty()) all.emplace(each.id, std::move(reason));
  }
  return all;
}

// What it charges that the other cases are not charged with again.
std::set<std::string> charges_for_all(const result::CaseResult& one, const Traits& traits) {
  std::set<std::string> charged;
  for (const auto& finding : one.findings) charged.insert(finding.requirement);
  std::erase_if(charged, [&](const std::string& id) {
    return traits.systematic.count(id) == 0 &&
           !(traits.constant && id == traits.constant->charged_to());
  });
  return charged;
}

}  // namespace

std::vector<std::string> applicable_classes(const corpus::Profile& profile,
                                            const wire::Binding* binding) {
  std::vector<std::string> classes;
  std::copy_if(profile.classes.begin(), profile.classes.end(), std::back_inserter(classes),
               [&](const auto& name) { return profile.applies_class(binding, name); });
  return classes;
}

void leave_out_unselected(const corpus::Corpus& corpus, const corpus::Selection& selection,
                          Traits& traits, std::vector<result::CaseResult>& unreported) {
  auto& results = traits.results;
  std::set<std::string> charged;
  const auto is_selected = [&](std::size_t ordinal) {
    const bool is_proof = !traits.unjudgeable.empty() && ordinal == results.begin()->first;
    return is_proof || selection.includes(corpus.cases[ordinal]);
  };
  for (const auto& [ordinal, result] : results) {
    if (is_selected(ordinal)) charged.merge(charges_for_all(result, traits));
  }
  std::vector<std::size_t> left_out;
  for (const auto& [ordinal, result] : results) {
    if (is_selected(ordinal)) continue;
    const std::size_t known = charged.size();
    if (!selection.skips(corpus.cases[ordinal])) charged.merge(charges_for_all(result, traits));
    if (charged.size() == known) left_out.push_back(ordinal);
  }
  for (const std::size_t ordinal : left_out) {
    unreported.push_back(std::move(results.extract(ordinal).mapped()));
  }
  std::erase_if(traits.systematic, [&](const std::string& id) { return charged.count(id) == 0; });
  const bool is_charged =
      traits.constant && charged.count(std::string(traits.constant->charged_to())) != 0;
  if (!is_charged) traits.constant.reset();
}

void add_side_dialogue(const SideDialogue& dialogue, const corpus::Selection& selection,
                       const Reproduce& reproduce, result::Run& run) {
  run.conditions->dialogues.push_back(dialogue.stored());
  auto result = dialogue.result(run.cases);
  if (!result) return;
  corpus::Case call;
  call.id = result->id;
  call.requirements = result->requirements;
  if (!selection.includes(call)) return;
  if (!dialogue.first_call().empty()) {  // what no message brings about nobody can send
    call.steps.emplace_back().messages.push_back(dialogue.first_call());
    result->reproduce = reproduce(call);
  }
  run.cases.push_back(*std::move(result));
}

void add_unasked(const std::vector<dialogue::Event>& opening, const corpus::Ledger& ledger,
                 const judge::Context& context, const corpus::Selection& selection,
                 const Reproduce& reproduce, result::Run& run) {
  auto result =
      judge_unasked(opening, run.conditions->dialogues, run.cases, ledger, context, reproduce);
  if (!result) return;
  corpus::Case named;
  named.id = result->id;
  named.requirements = result->requirements;
  if (selection.includes(named)) run.cases.push_back(*std::move(result));
}

namespace {

// Of several shards each case is reported by one: what ran to learn of the server is left to the
// others. Where it failed it stays, so that no shard is silent about a server that it could not
// judge.
void leave_to_other_shards(result::Run& run) {
  if (!run.shard) return;
  auto& cases = run.cases;
  const auto left =
      std::stable_partition(cases.begin(), cases.end(), [&](const result::CaseResult& one) {
        return one.verdict == result::Verdict::fail || result::is_in_shard(one.id, *run.shard);
      });
  std::move(left, cases.end(), std::back_inserter(run.conditions->unreported));
  cases.erase(left, cases.end());
}

}  // namespace

void conclude_run(const corpus::Corpus& corpus, const wire::Binding& binding,
                  const corpus::Catalogue* catalogue, const corpus::Selection& selection,
                  result::Run& run) {
  result::attribute(run.cases, corpus);
  take_back_before_handshake(run.cases, run.conditions->dialogues);
  leave_to_other_shards(run);
  result::summarise(run, corpus.ledger,
                    {applicable_classes(corpus.profile, &binding),
                     inapplicable_requirements(corpus, binding, catalogue, run.target.framing),
                     selection.select.empty() && selection.skip.empty() && !run.shard &&
                         run.interrupted.empty()});
}

}  // namespace jrpcheck::run
