// What a campaign does about a suspicion: sends it again, looks for what has to come before it,
// reduces it, and records it.
#include <algorithm>
#include <utility>

#include "fuzz/as_run.hpp"
#include "fuzz/blame.hpp"
#include "fuzz/campaign.hpp"
#include "fuzz/reduce.hpp"
#include "json/parse.hpp"
#include "judge/judge.hpp"

namespace jrpcheck::fuzz {
namespace {

constexpr std::size_t kTries = 400;
// For finding out what has to be sent before, and for all of an investigation.
constexpr std::size_t kHistory = 600;
constexpr std::size_t kExchanges = 900;
constexpr milliseconds kReducing{5'000};
// What shows so often and so often does not is no chance.
constexpr int kTwins = 3;
// After so many suspicions that came to nothing a shape is this server's way.
constexpr int kMostUnconfirmed = 3;

// 0: not at all.
int likeness_of(const judge::Finding& finding, const judge::Finding& other) {
  const bool same_requirement = finding.requirement == other.requirement;
  const bool same_symptom = symptom_of(finding) == symptom_of(other);
  if (explains(finding, other)) return same_requirement ? 4 : 3;
  if (same_requirement) return 2;
  return same_symptom ? 1 : 0;
}

// A second fault in the message would leave open which of them the server trips over.
bool is_valid(const std::string& kind) {
  for (const char* const fault : {"invalid", "params", "Array", "primitive"}) {
    if (kind.find(fault) != std::string::npos) return false;
  }
  return true;
}

// A message of another kind that shows the same fault may be smaller, but says less of it. Where
// the fault shows in a plainer one, it is that one's, and what it is charged to there.
bool shows_the_same(const judge::Finding& finding, const std::string& kind,
                    const judge::Finding& original, const std::string& original_kind) {
  const bool is_of_any_message =
      finding.requirement == "rob-survives" || judge::is_envelope_requirement(finding.requirement);
  if (is_of_any_message) return finding.requirement == original.requirement;
  return explains(finding, original) && (is_valid(kind) || !is_valid(original_kind));
}

}  // namespace

std::optional<Campaign::Suspicion> Campaign::try_with(Player& player, const std::string& message,
                                                      const judge::Finding* like,
                                                      const Messages& before) {
  if (!may_be_sent(message) || message != prepared(message)) return std::nullopt;
  investigating_ += before.size() + 1;
  for (const auto& each : before) {
    const Expectation expectation = expectation_of(each, oracle_.traits());
    if (!player.play(expectation.expected.steps.front())) return std::nullopt;
  }
  const Expectation expectation = expectation_of(message, oracle_.traits());
  auto played = player.play(expectation.expected.steps.front());
  if (!played) return std::nullopt;
  const auto judgement = oracle_.judge_exchange(expectation, played->exchange, played->survival);
  // Of several the one that is the same, and not the first that is like it.
  const judge::Finding* best = nullptr;
  int closest = 0;
  for (const auto& each : judgement.findings) {
    const int likeness = like == nullptr ? 1 : likeness_of(each, *like);
    if (!counts(each) || likeness <= closest) continue;
    closest = likeness;
    best = &each;
  }
  if (best == nullptr) return std::nullopt;
  return Suspicion{message, *best, *std::move(played), before};
}

// The server was found dead before anything was sent: the message before did it.
void Campaign::confirm_previous() {
  if (previous_.empty()) return;
  auto suspicion = try_with(careful_, previous_);
  if (!suspicion) return;
  const Expectation expectation = expectation_of(previous_, oracle_.traits());
  const Key key{suspicion->finding.requirement, shape_of(expectation, suspicion->finding)};
  if (known_.count(key) == 0) investigate(*std::move(suspicion));
}

bool Campaign::show_twice(const Suspicion& suspicion, const Messages& before) {
  return try_with(careful_, suspicion.sent, &suspicion.finding, before) &&
         try_with(careful_, suspicion.sent, &suspicion.finding, before);
}

// A message that shows nothing when it is sent again may have met what an earlier one left behind.
// What a server remembers from one question is still there in the next, so where the answers do not
// fit together each is asked of a server that has just been started.
bool Campaign::find_before(Suspicion& suspicion, const Messages& before) {
  for (const bool anew : {false, true}) {
    const Deadline deadline = Deadline::in(kReducing);
    const auto shows = [&](const Messages& some) {
      if (deadline.passed()) return false;
      if (anew) fast_.start_anew();
      return try_with(fast_, suspicion.sent, &suspicion.finding, some).has_value();
    };
    auto prelude = shorten_before(before, shows, kHistory);
    if (!prelude || prelude->messages.empty()) continue;
    if (!show_twice(suspicion, prelude->messages)) continue;
    suspicion.before = std::move(prelude->messages);
    return true;
  }
  return false;
}

Campaign::Key Campaign::key_of(const Suspicion& suspicion) const {
  const Expectation expectation = expectation_of(suspicion.sent, oracle_.traits());
  return {suspicion.finding.requirement, shape_of(expectation, suspicion.finding)};
}

void Campaign::leave_unconfirmed(const Key& key) {
  ++tally_.unconfirmed;
  if (++unconfirmed_[key] >= kMostUnconfirmed) known_.insert(key);
}

// Where an element of a batch has a fault of its own, nobody can tell what the others have to do
// with it. The batch may still show a fault that is nobody's own, which others are to have a chance
// to.
void Campaign::conclude(Suspicion reduced, const Key& key) {
  known_.insert(key);
  if (auto element = find_element_at_fault(reduced)) {
    if (++explained_[key] < kMostUnconfirmed) known_.erase(key);
    reduced = *std::move(element);
  }
  record(reduced, 2, 2);
}

std::optional<Campaign::Suspicion> Campaign::find_element_at_fault(const Suspicion& suspicion) {
  const std::string& requirement = suspicion.finding.requirement;
  if (!suspicion.before.empty() || requirement == "rob-survives" ||
      judge::is_envelope_requirement(requirement)) {
    return std::nullopt;
  }
  const auto parsed = json::parse(suspicion.sent);
  if (!parsed || !parsed.value->is(json::Kind::array) || parsed.value->size() < 2) {
    return std::nullopt;
  }
  for (const auto& element : parsed.value->children()) {
    auto alone = try_with(fast_, json::write(element));
    if (alone && try_with(careful_, alone->sent, &alone->finding)) return alone;
  }
  return std::nullopt;
}

void Campaign::investigate(Suspicion suspicion) {
  investigating_ = 0;
  ++investigations_;
  const Key key = key_of(suspicion);
  const auto first = try_with(careful_, suspicion.sent, &suspicion.finding);
  const auto second = try_with(careful_, suspicion.sent, &suspicion.finding);
  if ((first && second) ||
      (!first && !second && find_before(suspicion, history_.before(suspicion.sent)))) {
    conclude(reduced(std::move(suspicion)), key);
    return;
  }
  if (first.has_value() != second.has_value() && shows_after_itself(suspicion.sent, suspicion)) {
    known_.insert(key);
    record(reduced_with_itself(std::move(suspicion)), 2, 2);
    return;
  }
  // That a server has died is a fact, whether or not it dies again.
  const bool is_fact = suspicion.observed.survival.survival == dialogue::Survival::dead;
  const bool cut_short = limits_.interrupted();
  if (first || second || is_fact) {
    known_.insert(key);
    const std::size_t shown = (first ? 1U : 0U) + (second ? 1U : 0U);
    record(suspicion, shown, cut_short ? shown : 2);
    return;
  }
  if (!cut_short) leave_unconfirmed(key);
}

// Whether it is the second of two that are the same that shows it, every time.
bool Campaign::shows_after_itself(const std::string& message, const Suspicion& suspicion) {
  for (int i = 0; i < kTwins; ++i) {
    fast_.start_anew();
    if (try_with(fast_, message, &suspicion.finding)) return false;
    fast_.start_anew();
    if (!try_with(fast_, message, &suspicion.finding, {message})) return false;
  }
  return true;
}

Campaign::Suspicion Campaign::reduced_with_itself(Suspicion suspicion) {
  const Deadline deadline = Deadline::in(kReducing);
  const auto shows = [&](const std::string& candidate) {
    if (deadline.passed() || investigating_ > kExchanges) return false;
    fast_.start_anew();
    return try_with(fast_, candidate, &suspicion.finding, {candidate}).has_value();
  };
  const std::string message = reduce(suspicion.sent, shows, kTries).message;
  const bool is_sure = shows_after_itself(message, suspicion);
  suspicion.sent = is_sure ? message : suspicion.sent;
  suspicion.before = {suspicion.sent};
  fast_.start_anew();
  auto again = try_with(fast_, suspicion.sent, &suspicion.finding, suspicion.before);
  return again ? *std::move(again) : std::move(suspicion);
}

// What showed nothing when it was played alone: an earlier message's traces were gone by then.
void Campaign::investigate_after(Suspicion suspicion, const Messages& before) {
  investigating_ = 0;
  const Key key = key_of(suspicion);
  if (known_.count(key) != 0) return;
  if (!find_before(suspicion, before)) return leave_unconfirmed(key);
  conclude(reduced(std::move(suspicion)), key);
}

Campaign::Suspicion Campaign::reduced(Suspicion suspicion) {
  const Deadline deadline = Deadline::in(kReducing);
  const std::string kind = expectation_of(suspicion.sent, oracle_.traits()).kind;
  const auto shows = [&](const std::string& candidate) {
    if (deadline.passed() || investigating_ > kExchanges) return false;
    if (!suspicion.before.empty()) fast_.start_anew();
    const auto found = try_with(fast_, candidate, &suspicion.finding, suspicion.before);
    return found && shows_the_same(found->finding, expectation_of(candidate, oracle_.traits()).kind,
                                   suspicion.finding, kind);
  };
  const Reduction reduction = reduce(suspicion.sent, shows, kTries);
  const Messages before = reduced_before(suspicion, reduction.message, deadline);
  auto again = try_with(careful_, reduction.message, &suspicion.finding, before);
  if (again) return *std::move(again);
  auto whole = try_with(careful_, suspicion.sent, &suspicion.finding, suspicion.before);
  return whole ? *std::move(whole) : std::move(suspicion);
}

Campaign::Messages Campaign::reduced_before(const Suspicion& suspicion, const std::string& message,
                                            Deadline deadline) {
  Messages before = suspicion.before;
  for (auto& each : before) {
    const std::string whole = each;
    const auto shows = [&](const std::string& candidate) {
      if (deadline.passed() || investigating_ > kExchanges) return false;
      if (!may_be_sent(candidate) || candidate != prepared(candidate)) return false;
      each = candidate;
      fast_.start_anew();
      return try_with(fast_, message, &suspicion.finding, before).has_value();
    };
    std::string reduction = reduce(whole, shows, kTries).message;
    each = std::move(reduction);
  }
  return before;
}

void Campaign::record(const Suspicion& suspicion, std::size_t shown, std::size_t tries) {
  const Expectation expectation = expectation_of(suspicion.sent, oracle_.traits());
  Finding finding;
  finding.requirement = suspicion.finding.requirement;
  finding.shape = shape_of(expectation, suspicion.finding);
  if (!suspicion.before.empty()) finding.shape += " After other messages.";
  finding.severity = suspicion.finding.severity;
  finding.message = suspicion.finding.message;
  finding.expected = suspicion.finding.expected;
  finding.actual = suspicion.finding.actual;
  finding.sent = suspicion.sent;
  finding.before = suspicion.before;
  finding.reduced_in = investigating_;
  for (const auto& reply : suspicion.observed.exchange.replies) {
    finding.replies.push_back(reply.text());
  }
  finding.transport = std::string(endpoint_.binding().name);
  finding.traits = oracle_.traits();
  finding.seed = seed_;
  finding.shown = shown;
  finding.tries = tries;
  finding.standard_error = suspicion.observed.survival.standard_error;
  corpus::Case played;
  for (const auto& message : finding.before) played.steps.push_back(step_sending(message));
  played.steps.push_back(step_sending(finding.sent));
  finding.reproduce = endpoint_.reproduce(played);
  known_.insert({finding.requirement, shape_of(expectation, suspicion.finding)});
  add(std::move(finding));
}

void Campaign::add(Finding finding) {
  redact(finding, limits_.secrets);
  const bool is_new = std::none_of(findings_.begin(), findings_.end(), [&](const Finding& other) {
    return other.requirement == finding.requirement && other.shape == finding.shape;
  });
  if (!is_new) return;
  findings_.push_back(finding);
  observer_.found(finding);
  if (!limits_.keep_going && has_failed()) over_ = true;
}

}  // namespace jrpcheck::fuzz
