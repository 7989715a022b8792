#include "run/culprits.hpp"

#include <algorithm>
#include <vector>

#include "base/interruption.hpp"
#include "judge/fact.hpp"
#include "run/late_death.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::run {
namespace {

constexpr std::string_view kAnyway = "the server goes away whatever it is sent, and did so here";

constexpr std::string_view kBesideOthers =
    "the server ended while this and other messages were under way, and did not come back";

// A server that ends now and then is asked so often whether this case does it.
constexpr int kRepetitions = 2;

// After so many ends, or so much time with them, cases are spared that would only bring about more
// of the same. Of a hang the time tells, which waits of ours make up. How long a death takes hangs
// on how busy the machine is, and the next run is to spare the same: of deaths the number is met
// first, unless each takes seconds.
constexpr std::size_t kEnoughEnds = 70;
constexpr microseconds kMostTimeOfHangs = milliseconds(40'000);
constexpr microseconds kMostTimeOfDeaths = milliseconds(100'000);
constexpr std::size_t kMostUnexplained = 5;
constexpr std::size_t kManyEnds = 20;
// Who goes away whatever it is sent has little left to tell.
constexpr microseconds kMostTimeWithoutCause = milliseconds(6'000);

// How long after a message an end of it is looked for that did not show at once, and how often.
constexpr milliseconds kAMoment{400};
constexpr std::size_t kMostSearches = 4;
constexpr milliseconds kLongAfterAMessage{1000};
// At least, and as long as the run has taken where a busy machine has made that long: the search
// runs the cases again, one by one.
constexpr microseconds kMostTimeForLateDeaths = milliseconds(20'000);
// Who goes away meanwhile for another reason is not searched on: each time may cost many seconds.
constexpr std::size_t kMostGoneInSearches = 2;
// Who ends at once has nothing hidden: one look takes a moment, and a new server.
constexpr std::size_t kMostLooksInVain = 5;

// Cases of one folder whose ids begin alike are about the same: "core/batch". What a protocol says
// of its own is no kin of how its messages are framed.
std::string kin_of(const corpus::Case& one) {
  const std::string folder = one.file.substr(0, one.file.rfind('/') + 1);
  return folder + one.id.substr(0, one.id.find('/'));
}

// A case that does not apply to what the server does ends with a control call alone.
bool has_sent_its_own(const result::CaseResult& result) {
  return std::any_of(result.transcript.begin(), result.transcript.end(), [](const auto& event) {
    return event.direction == dialogue::Direction::sent && !event.is_control;
  });
}

// Whether it is known to have brought about an end, at once or later.
bool is_charged_with_end(const result::CaseResult& result) {
  return charges_end(result) || std::ranges::any_of(result.findings, [](const auto& finding) {
           return finding.symptom == judge::Symptom::died_later;
         });
}

}  // namespace

bool charges_end(const result::CaseResult& result) {
  return std::any_of(result.findings.begin(), result.findings.end(), [](const auto& finding) {
    return finding.symptom == judge::Symptom::died ||
           finding.symptom == judge::Symptom::serves_no_connection ||
           finding.symptom == judge::Symptom::serves_not_this_connection ||
           finding.symptom == judge::Symptom::call_behind_left_out;
  });
}

bool still_serves(session::Conversation& conversation) {
  if (conversation.usable()) return true;
  dialogue::Transcript aside;
  return conversation.open(aside) &&
         conversation.check_survival(aside).survival == dialogue::Survival::alive;
}

void Culprits::note_run(const session::Conversation& conversation, std::size_t ordinal) {
  last_run_[&conversation] = ordinal;
}

CaseRun Culprits::settle(std::size_t ordinal, Worker& worker, CaseRun run) {
  CaseRun again;
  const bool is_death = run.survival.survival == dialogue::Survival::dead;
  bool is_caused = !worker.conversation.usable();  // there is nothing more to be learnt
  for (int i = 0; i < kRepetitions && !is_caused; ++i) {
    again = runner_.run(ordinal, worker.conversation);
    worker.conversation.take_unseen_death();
    is_caused = charges_end(again.result) || !worker.conversation.usable() ||
                (is_death && ends_by_itself(worker.conversation));
  }
  if (is_interrupted()) return run;
  const bool may_go_anyway = endings_.unexplained() > 0 || run.ended_between_steps;
  if (is_caused && may_go_anyway && goes_away_anyway(worker.conversation)) {
    endings_.note_unexplained(run.survival, "in " + corpus_.cases[ordinal].id);
    run.result = not_exercised(corpus_.cases[ordinal], std::string(kAnyway));
    return run;
  }
  if (is_caused) {
    note_cause(ordinal, run.survival);
    if (is_death) look_at_previous(worker, !charges_end(again.result));
    return run;
  }
  // A server that ends a moment after it has answered may do so only when the next case has been
  // sent, or answered. No other has met the program of a case that has one of its own.
  if (is_death && !runner_.is_apart(ordinal)) {
    settle_unseen(ordinal, worker, run.survival);
  } else {
    endings_.note_unexplained(run.survival, "in " + corpus_.cases[ordinal].id);
  }
  return again;
}

void Culprits::note_cause(std::size_t ordinal, const dialogue::SurvivalCheck& how) {
  const std::lock_guard lock(shared_.mutex);
  caused_.insert(ordinal);
  if (how.answers_next) return;  // it has not gone away
  endings_.note_caused();
  auto& kin = ends_[kin_of(corpus_.cases[ordinal])];
  if (++kin.number == 1) kin.shown_by = ordinal;
}

// A case that ends the server hides that the one before had done so a moment late: the end that it
// met was not its own then. Where its own comes late too, others may have been answered before.
void Culprits::look_at_previous(Worker& worker, bool comes_late) {
  if (!worker.previous || !worker.conversation.usable()) return;
  const std::size_t previous = *worker.previous;
  const bool may_be_it = comes_late || for_last_words(previous) > microseconds(0);
  const bool is_settled = caused_.count(previous) != 0 || runner_.is_apart(previous);
  if (!may_be_it || is_settled || looks_in_vain_ >= kMostLooksInVain) return;
  looks_in_vain_ = ends_a_moment_later({previous}, worker.conversation) ? 0 : looks_in_vain_ + 1;
}

void Culprits::settle_hidden(std::size_t ordinal, Worker& worker, result::CaseResult& result) {
  dialogue::Transcript aside;
  const bool may_be_it = has_sent_its_own(result) && !runner_.is_apart(ordinal);
  if (is_interrupted() || !may_be_it || !worker.conversation.usable() ||
      !worker.conversation.start_anew(aside)) {
    return;
  }
  const auto [check, calls] = try_alone(ordinal, worker.conversation);
  if (check.survival != dialogue::Survival::dead || goes_away_anyway(worker.conversation, calls)) {
    return;
  }
  endings_.note_caused();
  const std::lock_guard lock(shared_.mutex);
  charge_death(ordinal, check, result);
}

void Culprits::settle_unseen(std::size_t ordinal, Worker& worker,
                             const dialogue::SurvivalCheck& how) {
  const auto previous = worker.previous;
  if (previous &&
      (!worker.conversation.usable() || ends_between(*previous, ordinal, worker.conversation))) {
    endings_.note_caused();
    const std::lock_guard lock(shared_.mutex);
    auto& result = shared_.results[*previous];
    caused_.insert(*previous);
    // That of its last repetition may be met only now.
    if (!is_charged_with_end(result)) charge_death(*previous, how, result);
  } else if (!is_interrupted()) {
    endings_.note_unexplained(how, "around " + corpus_.cases[ordinal].id);
  }
}

void Culprits::note_repeated(std::size_t ordinal) {
  const std::lock_guard lock(shared_.mutex);
  caused_.insert(ordinal);
}

// On a server that was just started, so that it does not end of what it was sent before.
bool Culprits::ends_between(std::size_t previous, std::size_t ordinal,
                            session::Conversation& conversation) {
  dialogue::Transcript aside;
  if (!conversation.start_anew(aside)) return false;
  const Watched watched = try_alone(previous, conversation);
  if (!conversation.usable()) return true;
  if (!is_lost(watched.check.survival)) {
    const CaseRun next = runner_.run(ordinal, conversation);
    const bool has_ended = conversation.take_unseen_death() || charges_end(next.result);
    if (!has_ended || ends_alone(ordinal, conversation)) return false;
  }
  return !goes_away_anyway(conversation, watched.calls);
}

// The next case may be one that ends the server a moment later as well.
bool Culprits::ends_alone(std::size_t ordinal, session::Conversation& conversation) {
  dialogue::Transcript aside;
  return conversation.start_anew(aside) && is_lost(try_alone(ordinal, conversation).check.survival);
}

// Behind a case that runs again. A server that goes away whatever it is sent does not show it.
bool Culprits::ends_by_itself(session::Conversation& conversation) {
  const Watched watched = watch_until(Deadline::in(kAMoment), conversation);
  return is_lost(watched.check.survival) && !goes_away_anyway(conversation, watched.calls);
}

// What was answered last on each conversation may have ended the server a moment later, whoever
// noticed it first.
void Culprits::suspect_recent(unsigned long long generation) {
  for (const auto& [conversation, ordinal] : last_run_) {
    shared_.again.insert(ordinal);
    suspects_[generation].insert(ordinal);
  }
}

void Culprits::suspect(std::size_t ordinal, const CaseRun& run,
                       session::Conversation& conversation) {
  shared_.again.insert(ordinal);
  suspect_recent(run.generation);
  const auto present = conversation.server_generation();
  if (!run.disturbed && is_lost(run.survival.survival)) alone_in_[ordinal] = run.survival;
  for (auto each = run.generation; each < present; ++each) {
    suspects_[each].insert(ordinal);
    if (is_lost(run.survival.survival)) ends_of_[each] = run.survival;
  }
}

// The end that came a moment later may come before the case is over, when it is asked about.
Watched Culprits::try_alone(std::size_t ordinal, session::Conversation& conversation) {
  const CaseRun run = runner_.run(ordinal, conversation);
  conversation.take_unseen_death();
  const bool has_ended = is_lost(run.survival.survival) && charges_end(run.result);
  return has_ended ? Watched{run.survival} : watch_until(Deadline::in(kAMoment), conversation);
}

// Behind what was answered as it should be, or not sent, one look is enough.
microseconds Culprits::for_last_words(std::size_t ordinal) const {
  const std::lock_guard lock(shared_.mutex);
  const auto last = shared_.results.find(ordinal);
  const bool is_fine = last == shared_.results.end() ||
                       last->second.verdict == result::Verdict::pass ||
                       !has_sent_its_own(last->second);
  return is_fine ? microseconds(0) : microseconds(kAMoment);
}

// A server may answer what follows a message, and end of that message all the same a moment later:
// the end is waited for with control calls, which it goes on answering until then. Each is tried on
// a server that was just started: of how much it had been asked before nobody is to blame.
bool Culprits::ends_a_moment_later(const std::set<std::size_t>& ordinals,
                                   session::Conversation& conversation) {
  for (const std::size_t ordinal : ordinals) {
    dialogue::Transcript aside;
    if (is_interrupted() || shared_.damaged_by || !conversation.start_anew(aside) ||
        !still_serves(conversation)) {
      return false;
    }
    const auto [check, calls] = try_alone(ordinal, conversation);
    if (check.survival == dialogue::Survival::dead && !goes_away_anyway(conversation, calls)) {
      endings_.note_caused();
      const std::lock_guard lock(shared_.mutex);
      charge_death(ordinal, check, shared_.results[ordinal]);
      return true;
    }
    if (is_lost(check.survival) && ++gone_in_searches_ >= kMostGoneInSearches) return false;
  }
  return false;
}

void Culprits::settle_suspicions(session::Conversation& conversation) {
  // Who has had another's answer takes the server for silent.
  if (shared_.answers_are_swapped) return;
  const auto is_caused = [&](std::size_t ordinal) { return caused_.count(ordinal) != 0; };
  const auto is_spared = [&](std::size_t ordinal) { return spared_.count(ordinal) != 0; };
  std::size_t searches = 0;
  for (const auto& [generation, ordinals] : suspects_) {
    const auto how = ends_of_.find(generation);
    if (how == ends_of_.end() || std::any_of(ordinals.begin(), ordinals.end(), is_caused)) {
      continue;
    }
    if (std::ranges::any_of(ordinals, is_spared)) {
      endings_.note_untried();
      continue;
    }
    const bool has_been_looked_for =
        ++searches > kMostSearches || gone_in_searches_ >= kMostGoneInSearches;
    if (!has_been_looked_for && ends_a_moment_later(ordinals, conversation)) continue;
    endings_.note_unexplained(how->second, "around " + corpus_.cases[*ordinals.begin()].id);
  }
  for (const auto& [ordinal, how] : alone_in_) {
    if (is_caused(ordinal)) continue;
    if (is_spared(ordinal)) {
      endings_.note_untried();
    } else {
      endings_.note_unexplained(how, "in " + corpus_.cases[ordinal].id);
    }
  }
}

void Culprits::settle_late(session::Conversation& conversation) {
  const bool is_misled = shared_.answers_are_swapped || shared_.damaged_by;
  if (!endings_.are_unexplained_deaths() || is_misled) return;
  std::vector<std::size_t> ordinals;
  for (const auto& [ordinal, result] : shared_.results) {
    const bool may_be_it = caused_.count(ordinal) == 0 && has_sent_its_own(result);
    if (may_be_it && !runner_.is_apart(ordinal)) ordinals.push_back(ordinal);
  }
  const Deadline deadline = Deadline::in(std::max(kMostTimeForLateDeaths, time_since(begin_)));
  while (!is_interrupted() && conversation.usable()) {
    const auto found =
        find_late_death(ordinals, runner_, conversation, deadline, kLongAfterAMessage);
    if (!found) return;
    endings_.explain_deaths();
    charge_death(found->ordinal, found->how, shared_.results[found->ordinal]);
    std::erase(ordinals, found->ordinal);
  }
}

// Each of those that were under way when it ended has met the end; one has brought it about.
void Culprits::leave_unsettled(const std::set<std::size_t>& ordinals, const Worker& worker) {
  std::vector<std::string> ids;
  std::set<std::size_t> dying;
  for (const std::size_t ordinal : ordinals) {
    if (!charges_end(shared_.results[ordinal])) continue;
    dying.insert(ordinal);
    ids.push_back(corpus_.cases[ordinal].id);
  }
  if (dying.empty()) return;
  suspects_.clear();
  alone_in_.clear();
  const bool is_known = worker.previous && caused_.count(*worker.previous) != 0;
  if (!is_known && dying.size() == 1) {
    caused_.insert(*dying.begin());
    return endings_.note_caused();
  }
  for (const std::size_t ordinal : dying) {
    shared_.results[ordinal] = not_exercised(corpus_.cases[ordinal], std::string(kBesideOthers));
  }
  if (is_known) return;
  const dialogue::SurvivalCheck dead{
      dialogue::Survival::dead, "connections are accepted no more", {}};
  endings_.note_unclear(ends_of_.empty() ? dead : ends_of_.rbegin()->second, ids);
}

bool Culprits::are_enough(std::size_t part) const { return endings_.count() >= kEnoughEnds / part; }

std::string Culprits::why_spared(std::size_t ordinal) const {
  const auto takes = [this](int times) {
    return endings_.lost_to_hangs() >= times * kMostTimeOfHangs ||
           endings_.lost_to_deaths() >= times * kMostTimeOfDeaths;
  };
  const bool is_costly = takes(1);
  const bool goes_anyway =
      endings_.lost_time() >= kMostTimeWithoutCause && endings_.unexplained() >= kMostUnexplained;
  if (!is_costly && !goes_anyway && !are_enough()) return {};
  const std::string times = std::to_string(endings_.count()) + " times";
  const bool is_hopeless = goes_anyway ||
                           (is_costly && endings_.unexplained() >= kMostUnexplained) ||
                           (takes(3) && endings_.count() > kManyEnds);
  if (is_hopeless) return "the server has already gone away " + times + " during this run";
  const auto kin = ends_.find(kin_of(corpus_.cases[ordinal]));
  if (kin == ends_.end() || kin->second.number < 2) return {};
  return "the server has already gone away " + times +
         ", in cases much like this one: " + corpus_.cases[kin->second.shown_by].id +
         " is one of them";
}

void Culprits::charge_death(std::size_t ordinal, const dialogue::SurvivalCheck& death,
                            result::CaseResult& result) {
  using dialogue::Fact;
  const Fact fact = ends_in_silence(result) ? Fact::died_of_it : Fact::died_later;
  note_fact(fact_event(fact, death.standard_error, death.detail), result,
            judge::charge_of_end(corpus_.cases[ordinal].steps.back()));
  caused_.insert(ordinal);
}

// Whether the server has outlived the last case only a last call can tell.
void Culprits::finish(Worker& worker) {
  if (is_interrupted() || !worker.previous || !worker.conversation.usable()) return;
  // One that has ended for no cause that was found may do so late.
  if (endings_.are_unexplained_deaths()) transport::wait_until(Deadline::in(kAMoment));
  const auto check =
      watch_until(Deadline::in(for_last_words(*worker.previous)), worker.conversation).check;
  if (is_interrupted() || check.survival != dialogue::Survival::dead) return;
  if (shared_.may_suffer_from_others()) {
    const std::lock_guard lock(shared_.mutex);
    const auto ended = worker.conversation.server_generation() - 1;
    suspect_recent(ended);
    ends_of_[ended] = check;
    return;
  }
  bool is_caused = !worker.conversation.usable();
  if (!is_caused) {
    const auto [again, calls] = try_alone(*worker.previous, worker.conversation);
    is_caused = is_lost(again.survival) && !goes_away_anyway(worker.conversation, calls);
  }
  if (!is_caused) {
    return endings_.note_unexplained(check, "after " + corpus_.cases[*worker.previous].id);
  }
  endings_.note_caused();
  const std::lock_guard lock(shared_.mutex);
  charge_death(*worker.previous, check, shared_.results[*worker.previous]);
}

}  // namespace jrpcheck::run
