#include "fuzz/investigator.hpp"

#include <algorithm>
#include <utility>

#include "base/contains.hpp"
#include "base/number_of.hpp"
#include "dialogue/id_key.hpp"
#include "fuzz/blame.hpp"
#include "fuzz/find_in_company.hpp"
#include "fuzz/find_repetition.hpp"
#include "json/parse.hpp"

namespace jrpcheck::fuzz {
namespace {

// After so many suspicions that came to nothing a shape is this server's way.
constexpr int kMostUnconfirmed = 3;
// What has shown so often alone, and carefully, is no accident.
constexpr std::size_t kNoAccident = 2;
// After so many that company does not explain this server answers in another order.
constexpr int kMostCompanies = 12;
// After so many that were lost for no reason of theirs this server is slow, or dies; or it loses
// them for a reason that is known.
constexpr int kMostLost = 2;
// So many of what was sent before are tried again and again.
constexpr std::size_t kMostKinds = 64;
// So many of the messages before a death that nothing explains are shown.
constexpr std::ptrdiff_t kShownBefore = 8;
// A machine that is busy may make a server seem to serve nobody, but not again and again.
constexpr std::size_t kFewestWedges = 3;

bool is_death(const Suspicion& suspicion) {
  return suspicion.observed.survival.survival == dialogue::Survival::dead;
}

bool is_silence(judge::Symptom symptom) {
  return symptom == judge::Symptom::unanswered || symptom == judge::Symptom::response_missing;
}

bool is_wedge(const Suspicion& suspicion) {
  return suspicion.finding.symptom == judge::Symptom::serves_no_connection;
}

}  // namespace

std::string in_words(const Sighting& sighting) {
  const std::string sentence = judge::sentence_of(sighting.symptom, {});
  return sighting.requirement + " looked broken " + number_of(sighting.times, "time") +
         (sighting.has_shown_again ? ", and once when" : ", and not when") +
         " the message was sent again" + (sentence.empty() ? "." : ": " + sentence);
}

std::optional<judge::Finding> Investigator::worst_new(const Expectation& expectation,
                                                      const judge::Judgement& judgement) {
  std::set<Identity> known;  // elements of one batch may share theirs
  std::optional<judge::Finding> fresh;
  for (const auto& each : judgement.findings) {
    if (!findings_.counts(each)) continue;
    Identity identity{each.requirement, shape_of(expectation, each)};
    if (known_.count(identity) == 0) {
      fresh = each;
      break;
    }
    known.insert(std::move(identity));
  }
  for (const auto& identity : known) {
    const auto seen = sightings_.find(identity);
    if (seen != sightings_.end()) ++seen->second.times;
  }
  return fresh;
}

std::vector<Sighting> Investigator::sightings() const {
  std::vector<Sighting> sightings;
  for (const auto& [identity, sighting] : sightings_) sightings.push_back(sighting);
  return sightings;
}

std::optional<std::string> Investigator::unanswered_element_of(
    const Expectation& expectation) const {
  if (silences_.are_none()) return std::nullopt;
  const auto* batch = expectation.expected.steps.front().messages.front().value();
  if (batch == nullptr || !batch->is(json::Kind::array)) return std::nullopt;
  return silences_.first_in(*batch, oracle_.traits());
}

// Whether the others are answered costs no wait.
std::optional<Suspicion> Investigator::beside_known_silences(Suspicion suspicion) {
  const bool is_unanswered = symptom_of(suspicion.finding) == judge::Symptom::unanswered;
  if (!is_unanswered || silences_.are_none()) return suspicion;
  const auto parsed = json::parse(suspicion.sent);
  if (!parsed || !parsed.value->is(json::Kind::array)) return suspicion;
  const auto others = silences_.batch_without(*parsed.value, oracle_.traits());
  if (!others) return suspicion;
  auto shown = repeater_.repeat(*others, &suspicion.finding);
  const bool is_silent = shown && symptom_of(shown->finding) == judge::Symptom::unanswered;
  if (!is_silent || known_.contains(repeater_.identity_of(*shown))) return std::nullopt;
  return shown;
}

void Investigator::investigate(Suspicion suspicion, const Messages& before) {
  using Outcome = Confirmation::Outcome;
  ++investigations_;
  repeater_.begin_investigation();
  if (is_about_another(suspicion, before)) return;
  Identity identity = repeater_.identity_of(suspicion);
  auto own = beside_known_silences(std::move(suspicion));
  if (!own) {
    if (++explained_[identity] >= kMostUnconfirmed) known_.insert(identity);
    return;
  }
  suspicion = *std::move(own);
  identity = repeater_.identity_of(suspicion);
  // Where such a death is told, what has been sent before has been looked for.
  const Messages unexplored = is_told(suspicion) ? Messages{} : before;
  auto confirmation = confirm(std::move(suspicion), unexplored, repeater_);
  if (confirmation.outcome == Outcome::always) {
    if (is_of_those_before(identity, confirmation.suspicion)) return;
    if (auto element = find_unanswered_element(confirmation.suspicion, repeater_)) {
      return conclude_element(*std::move(element), identity);
    }
    return conclude(reduced(std::move(confirmation.suspicion), repeater_), identity);
  }
  if (confirmation.outcome == Outcome::after_itself) {
    known_.insert(identity);
    return record(reduced_with_itself(std::move(confirmation.suspicion), repeater_), 2, 2);
  }
  if (confirmation.shown > 0) {
    known_.insert(identity);
    // Who ends a moment later may meet the next message before that, or not.
    if (is_death(confirmation.suspicion) && charge_fatal(confirmation.suspicion, {})) return;
    return record(confirmation.suspicion, confirmation.shown, confirmation.tries);
  }
  if (is_death(confirmation.suspicion) && confirmation.tries > 0) {
    return explain_death(identity, std::move(confirmation), unexplored);
  }
  if (is_wedge(confirmation.suspicion)) investigate_repetition(before);
  leave_unconfirmed(identity, std::move(confirmation.suspicion));
}

bool Investigator::investigate_again(const std::vector<dialogue::Message>& came,
                                     const Messages& before) {
  if (again_in_vain_ >= kMostLost || limits_.interrupted()) return false;
  repeater_.begin_investigation();
  auto found = find_answered_again(came, before, repeater_);
  if (!found) {
    ++again_in_vain_;
    return false;
  }
  const Identity identity = repeater_.identity_of(*found);
  if (known_.count(identity) == 0) conclude(reduced(*std::move(found), repeater_), identity);
  return true;
}

// It is as small as it can be: what it says decides only by which way its answer leaves.
bool Investigator::investigate_held(const std::string& message) {
  repeater_.begin_investigation();
  judge::Finding like;
  like.symptom = judge::Symptom::rule_broken;
  like.about = kHeldAnswer;
  const auto show = [&] {
    auto shown = repeater_.repeat_carefully(message, &like);
    return shown && shown->finding.about == kHeldAnswer ? std::move(shown) : std::nullopt;
  };
  const auto first = show();
  if (!first || limits_.interrupted() || !show()) return false;
  record(*first, 2, 2);
  return true;
}

// A Response with an id that the message does not have, beside what answers it or in its place, may
// be the second to a call before.
bool Investigator::is_about_another(const Suspicion& suspicion, const Messages& before) {
  const auto own = dialogue::id_keys_of(dialogue::Message(suspicion.sent));
  std::vector<dialogue::Message> others;
  for (const auto& reply : suspicion.observed.exchange.replies) {
    const bool is_other = std::ranges::none_of(dialogue::id_keys_of(reply),
                                               [&](const auto& key) { return contains(own, key); });
    if (is_other && !dialogue::id_keys_of(reply).empty()) others.push_back(reply);
  }
  return !others.empty() && investigate_again(others, before);
}

bool Investigator::is_told(const Suspicion& end) const {
  if (!is_death(end) && !is_wedge(end)) return false;
  const auto at_last = [](judge::Symptom symptom) {
    return symptom == judge::Symptom::died_later ? judge::Symptom::died : symptom;
  };
  return std::ranges::any_of(findings_.all(), [&](const Finding& each) {
    return at_last(each.symptom) == at_last(end.finding.symptom) &&
           each.actual == end.finding.actual;
  });
}

// That a server has died is a fact, whether or not it dies again; but not of the message to which
// it did not answer any more, where that never ends it.
void Investigator::explain_death(const Identity& identity, Confirmation death,
                                 const Messages& before) {
  if (++shown_in_vain_[identity] >= kMostUnconfirmed) known_.insert(identity);
  if (is_told(death.suspicion)) return;
  if (charge_fatal(death.suspicion, before)) return;
  const auto shown = std::min(std::ssize(before), kShownBefore);
  death.suspicion.before.assign(before.end() - shown, before.end());
  unexplained_deaths_.push_back(std::move(death));
}

// One of those before may end the server a moment after its answer, whatever comes behind it.
bool Investigator::is_of_those_before(const Identity& identity, const Suspicion& suspicion) {
  if (!is_death(suspicion) || suspicion.before.empty()) return false;
  if (!charge_fatal(suspicion, suspicion.before)) return false;
  if (++shown_in_vain_[identity] >= kMostUnconfirmed) known_.insert(identity);
  return true;
}

bool Investigator::charge_fatal(const Suspicion& death, const Messages& before) {
  auto fatal = find_fatal(death, before, repeater_);
  if (!fatal) return false;
  const Identity its_own = repeater_.identity_of(*fatal);
  if (known_.count(its_own) == 0) conclude(reduced(*std::move(fatal), repeater_), its_own);
  return true;
}

void Investigator::tell_unexplained_ends() {
  const auto is_explained = [this](const auto& each) { return is_told(each); };
  std::erase_if(unexplained_deaths_,
                [&](const Confirmation& each) { return is_explained(each.suspicion); });
  std::erase_if(unexplained_wedges_, is_explained);
  if (!unexplained_deaths_.empty()) {
    const Confirmation& first = unexplained_deaths_.front();
    tell_end(first.suspicion, first.tries,
             "The server ended " + number_of(unexplained_deaths_.size(), "time"));
  } else if (unexplained_wedges_.size() >= kFewestWedges) {
    const std::size_t times = unexplained_wedges_.size();
    tell_end(unexplained_wedges_.front(), times,
             "The server served no connection any more, at least " + number_of(times, "time"));
  }
  unexplained_deaths_.clear();
  unexplained_wedges_.clear();
}

void Investigator::tell_end(Suspicion suspicion, std::size_t tries, const std::string& sentence) {
  suspicion.finding.symptom = judge::Symptom::went_away;
  suspicion.finding.about = "one of several messages";
  suspicion.finding.particulars = sentence + "; no message that was sent again makes it do so.";
  record(suspicion, 0, tries);
}

void Investigator::investigate_after(Suspicion suspicion, const Messages& before,
                                     const std::optional<Company>& company) {
  repeater_.begin_investigation();
  const Identity identity = repeater_.identity_of(suspicion);
  if (known_.count(identity) != 0) return;
  if (is_about_another(suspicion, before)) return;
  if (find_before(suspicion, before, repeater_)) {
    if (is_of_those_before(identity, suspicion)) return;
    return conclude(reduced(std::move(suspicion), repeater_), identity);
  }
  if (company && companies_in_vain_ < kMostCompanies) {
    if (auto shown = find_in_company(suspicion, *company, repeater_)) {
      return conclude_in_company(*std::move(shown), identity);
    }
    ++companies_in_vain_;
  }
  leave_unconfirmed(identity, std::move(suspicion));
}

bool Investigator::investigate_lost(const Messages& together, const std::optional<Cut>& cut,
                                    const Messages& before) {
  if (lost_in_vain_ >= kMostLost) return false;
  repeater_.begin_investigation();
  auto [shown, is_slow] = find_lost(together, cut, repeater_);
  const auto identity = shown ? std::optional(repeater_.identity_of(*shown)) : std::nullopt;
  if (identity && known_.count(*identity) == 0) {
    conclude_in_company(*std::move(shown), *identity);
    return true;
  }
  lost_in_vain_ = is_slow ? kMostLost : lost_in_vain_ + 1;
  if (!is_slow) investigate_repetition(before);
  return false;
}

void Investigator::investigate_repetition(const Messages& before) {
  if (repetitions_in_vain_ >= kMostLost || limits_.interrupted()) return;
  repeater_.begin_investigation();
  const auto kinds =
      one_of_each_kind({before.rbegin(), before.rend()}, oracle_.traits(), kMostKinds);
  const auto found = find_repetition(kinds, repeater_);
  if (!found || known_.contains(repeater_.identity_of(*found))) {
    ++repetitions_in_vain_;
    return;
  }
  record(*found, 2, 2);
}

void Investigator::investigate_death_after(const std::string& message, const Messages& before,
                                           const std::string& how) {
  auto suspicion = repeater_.repeat_carefully(message);
  if (!suspicion && limits_.interrupted()) ++unsettled_;
  const bool dies_again = suspicion && is_death(*suspicion);
  if (suspicion && !known_.contains(repeater_.identity_of(*suspicion))) {
    investigate(*std::move(suspicion), before);
  }
  if (!dies_again && !how.empty() && !limits_.interrupted()) investigate_end(message, before, how);
}

void Investigator::investigate_end(const std::string& last, const Messages& before,
                                   const std::string& how) {
  Observed end;
  end.exchange.ending = dialogue::Ending::exited;
  end.exchange.detail = how;
  end.survival = {dialogue::Survival::dead, how, {}};
  const auto judgement = oracle_.judge_exchange(last, end.exchange, end.survival);
  const auto death =
      std::ranges::find(judgement.findings, judge::Symptom::died, &judge::Finding::symptom);
  if (death == judgement.findings.end()) return;
  Suspicion suspicion{last, *death, std::move(end)};
  const Identity identity = repeater_.identity_of(suspicion);
  if (known_.contains(identity)) return;
  repeater_.begin_investigation();
  explain_death(identity, {Confirmation::Outcome::at_times, std::move(suspicion), 0, 1}, before);
}

// An interruption ends each try as if nothing had shown.
void Investigator::leave_unconfirmed(const Identity& identity, Suspicion suspicion) {
  if (limits_.interrupted()) {
    ++unsettled_;
    return;
  }
  ++unconfirmed_;
  if (is_wedge(suspicion)) unexplained_wedges_.push_back(suspicion);
  if (++shown_in_vain_[identity] >= kMostUnconfirmed) {
    give_up(identity, std::move(suspicion));
  } else {
    revisits_.add(suspicion.sent);
  }
}

// It is the server's way, and is counted from now on, unless it shows after many more tries.
void Investigator::give_up(const Identity& identity, Suspicion suspicion) {
  known_.insert(identity);
  const auto symptom = suspicion.finding.symptom;
  const auto chance = insist(std::move(suspicion), repeater_);
  if (chance.shown < kNoAccident) {
    sightings_[identity] = {identity.first, symptom, kMostUnconfirmed, chance.shown > 0};
    return;
  }
  unconfirmed_ -= kMostUnconfirmed;
  record(chance.suspicion, chance.shown, chance.tries);
}

bool Investigator::has_told_silence() const {
  return std::ranges::any_of(findings_.all(),
                             [](const Finding& each) { return is_silence(each.symptom); });
}

// Where an element of a batch has a fault of its own, nobody can tell what the others have to do
// with it. The batch may still show a fault that is nobody's own, which others are to have a chance
// to.
void Investigator::conclude(Suspicion reduced, const Identity& identity) {
  known_.insert(identity);
  if (auto element = find_element_at_fault(reduced, repeater_)) {
    if (++explained_[identity] < kMostUnconfirmed) known_.erase(identity);
    reduced = *std::move(element);
  }
  // A silence that was not reduced to its end may be the one that is known.
  if (limits_.interrupted() && is_silence(reduced.finding.symptom) && has_told_silence()) {
    ++unsettled_;
    return;
  }
  record(reduced, 2, 2);
}

// `identity`: as which its batch looked wrong, which may still show a fault of its own.
void Investigator::conclude_element(Suspicion element, const Identity& identity) {
  if (++explained_[identity] >= kMostUnconfirmed) known_.insert(identity);
  const Identity its_own = repeater_.identity_of(element);
  if (!known_.contains(its_own)) conclude(reduced(std::move(element), repeater_), its_own);
}

// `identity`: as which it looked wrong when nobody knew yet that company makes it so.
void Investigator::conclude_in_company(Suspicion suspicion, const Identity& identity) {
  companies_in_vain_ = 0;
  known_.insert(identity);
  known_.insert(repeater_.identity_of(suspicion));
  record(reduced_in_company(std::move(suspicion), repeater_), 2, 2);
}

void Investigator::record(const Suspicion& suspicion, std::size_t shown, std::size_t tries) {
  const Identity identity = repeater_.identity_of(suspicion);
  known_.insert(identity);
  silences_.note(suspicion);
  Finding finding =
      findings_.about(suspicion.sent, suspicion.before, suspicion.company, oracle_.traits());
  finding.requirement = identity.first;
  finding.shape = identity.second;
  if (!suspicion.before.empty()) finding.shape += " After other messages.";
  finding.severity = suspicion.finding.severity;
  finding.symptom = suspicion.finding.symptom;
  finding.place = suspicion.finding.place;
  finding.particulars = suspicion.finding.particulars;
  if (suspicion.company) {
    const std::string words = in_words(*suspicion.company);
    finding.shape += ", " + words;
    finding.particulars += (finding.particulars.empty() ? "" : "; ") + words;
  }
  finding.expected = suspicion.finding.expected;
  finding.actual = suspicion.finding.actual;
  finding.reduced_in = repeater_.exchanges();
  for (const auto& reply : suspicion.observed.exchange.replies) {
    finding.replies.push_back(reply.text());
  }
  finding.shown = shown;
  finding.tries = tries;
  finding.standard_error = suspicion.observed.survival.standard_error;
  findings_.add(std::move(finding));
}

}  // namespace jrpcheck::fuzz
