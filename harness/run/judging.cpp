#include "run/judging.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "base/bytes.hpp"
#include "base/interruption.hpp"
#include "judge/protocol.hpp"
#include "judge/rules/law.hpp"
#include "run/agenda.hpp"
#include "run/calibration.hpp"
#include "run/case_runner.hpp"
#include "run/catalogue.hpp"
#include "run/conclusion.hpp"
#include "run/endings.hpp"
#include "run/jobs.hpp"
#include "run/lapses.hpp"
#include "run/liveness.hpp"
#include "run/notes.hpp"
#include "run/roles.hpp"
#include "run/schedule.hpp"
#include "run/served_batches.hpp"
#include "run/time_to_end.hpp"

namespace jrpcheck::run {
namespace {

// A case known to be flaky shows in a few tries what it can show.
constexpr int kTriesOfFlaky = 3;

void try_flaky_again(const Options& options, const corpus::Corpus& corpus, Schedule& schedule,
                     session::Conversation& conversation, Results& results) {
  for (auto& [ordinal, result] : results) {
    if (options.flaky.count(corpus.cases[ordinal].id) == 0 || result.findings.empty()) continue;
    for (int i = 1; i < kTriesOfFlaky; ++i) {
      Results once;
      schedule.run({{ordinal}, {}, results.size()}, {}, conversation, once);
      if (once.count(ordinal) == 0) return;  // interrupted
      result.tries.push_back(std::move(once.at(ordinal)));
    }
  }
}

class Judging {
 public:
  Judging(const corpus::Corpus& corpus, const Options& options, Endpoint& endpoint,
          session::Conversation& conversation, session::Patience& patience, Progress& progress,
          const Beginning& beginning, const judge::Law& law, result::Run& run)
      : corpus_(corpus),
        options_(options),
        endpoint_(endpoint),
        conversation_(conversation),
        patience_(patience),
        progress_(progress),
        beginning_(beginning),
        run_(run),
        law_(std::make_shared<judge::Law>(law)),
        runner_(corpus, endpoint, options.seed),
        context_(context_of(corpus, endpoint, law_)),
        liveness_({kLivenessDialogue, corpus.ledger, context_}),
        roles_{options.roles, {}, {}} {}

  /// Its stages in their order.
  Restart judge() {
    if (Restart restart = meet_server(); restart || !run_.unreached.empty()) return restart;
    judge_first_calls();
    ask_what_it_lists();
    find_roles();
    leave_out_unselected(corpus_, options_.selection, traits_, run_.conditions->unreported);
    if (Restart restart = run_cases()) return restart;
    add_side_dialogues();
    add_notes();
    return {};
  }

  /// What the server declared, if it was asked.
  const corpus::Catalogue* catalogue() const { return law_->catalogue.get(); }

 private:
  static judge::Context context_of(const corpus::Corpus& corpus, const Endpoint& endpoint,
                                   std::shared_ptr<const judge::Law> law) {
    judge::Context context;
    context.dialect = corpus.profile.dialect;
    context.silence = corpus.profile.silence;
    context.binding = &endpoint.binding();
    context.law = std::move(law);
    return context;
  }
  bool can_go_on() const {
    return traits_.unjudgeable.empty() && !is_interrupted() && conversation_.usable();
  }

  Restart meet_server();
  void judge_first_calls();
  void ask_what_it_lists();
  void find_roles();
  Roles look_for_roles();
  void look_for_damage();
  bool is_served_one_by_one();
  Restart run_cases();
  bool tells_beside_cases(const std::string& requirement) const;
  void add_side_dialogues();
  void add_notes();

  const corpus::Corpus& corpus_;
  const Options& options_;
  Endpoint& endpoint_;
  session::Conversation& conversation_;
  session::Patience& patience_;
  Progress& progress_;
  const Beginning& beginning_;
  result::Run& run_;
  std::shared_ptr<judge::Law> law_;
  CaseRunner runner_;
  judge::Context context_;
  Liveness liveness_;
  Endings endings_{!options_.command.empty()};
  Traits traits_;
  Roles roles_;
  std::optional<SideDialogue> first_calls_;
  std::optional<SideDialogue> catalogue_;  // what the server lists
  std::optional<SideDialogue> discovery_;  // of roles
};

Restart Judging::meet_server() {
  runner_.use(options_.roles, context_);
  if (beginning_.recognises_late) runner_.watch_turns();
  progress_.begin("getting to know the server", {});
  if (endpoint_.is_shared() && !endpoint_.binding().pairs_replies) patience_.suspect_overtaking();
  traits_ = calibrate(corpus_, options_, endpoint_, runner_, conversation_, patience_,
                      {&liveness_, &endings_, beginning_.recognises_handshake});
  if (traits_.has_come_late) return {.for_late_answers = true};
  if (!is_interrupted()) {
    run_.unreached = traits_.silent;
    run_.answered = traits_.answered;
  }
  if (!is_interrupted() && (!traits_.silent.empty() || !traits_.handshakes.empty())) {
    return {.handshakes = traits_.handshakes};
  }
  if (options_.answers_after_all && traits_.unjudgeable.empty() && !is_interrupted()) {
    options_.answers_after_all();
    return {.for_the_protocol = true};
  }
  if (is_interrupted()) traits_ = {};  // what was waited for in vain was not waited for
  context_.systematic = traits_.systematic;
  context_.is_user_limited = traits_.is_user_limited;
  return {};
}

// Before its handshake a server may refuse whatever it is asked, and some of these calls are of 2.0
// whatever the server speaks.
void Judging::judge_first_calls() {
  const bool has_begun = options_.opening.messages.empty();
  if (!has_begun || !can_go_on() || context_.dialect != corpus::Dialect::json_rpc_2_0) return;
  FirstCalls calls = options_.first_calls;
  const auto own = endpoint_.first_calls();
  calls.insert(calls.end(), own.begin(), own.end());
  if (!calls.empty()) first_calls_.emplace(first_calls_dialogue(corpus_, context_, calls));
}

void Judging::ask_what_it_lists() {
  catalogue_.emplace(kCatalogueDialogue, corpus_.ledger, context_);
  if (!can_go_on()) return;
  law_->catalogue = ask_for_catalogue(corpus_.profile, options_.allowed, beginning_.events,
                                      conversation_, *catalogue_);
  if (law_->catalogue) run_.conditions->catalogue = stored_catalogue(*law_->catalogue);
  run_.conditions->allowed = options_.allowed;
}

Roles Judging::look_for_roles() {
  progress_.begin("looking for methods", {});
  return discover_roles(
      {corpus_.profile, options_.roles, options_.try_roles, options_.seed, traits_.omitted_params,
       !traits_.no_unknown_methods.empty(), endpoint_.binding().pairs_replies,
       [this](std::size_t done, std::size_t all) { progress_.step(done, all); }, &patience_},
      conversation_, &*discovery_, &endings_);
}

void Judging::find_roles() {
  discovery_.emplace(kDiscoveryDialogue, corpus_.ledger, context_);
  roles_.omitted_params = traits_.omitted_params;
  if (!traits_.unjudgeable.empty() || is_interrupted()) return;
  roles_ = look_for_roles();
  run_.tried = roles_.tried;
  runner_.watch(liveness_);
  if (traits_.refuses_used_ids) runner_.use_fresh_sessions();
  if (conversation_.usable()) look_for_damage();
  if (can_go_on()) {
    find_served_batches(corpus_, roles_, options_.seed, runner_, conversation_, traits_);
    find_longest_batch(corpus_, roles_, options_.seed, conversation_, traits_);
  }
  // Which asks again under the same id.
  if (!traits_.refuses_used_ids) patience_.held_answers().watch();
}

// What was tried last is what fails on purpose, and the likeliest cause.
void Judging::look_for_damage() {
  dialogue::Transcript transcript;
  if (runner_.find_damage(conversation_, transcript).empty()) return;
  const std::string damage = runner_.find_lasting_damage(conversation_, transcript);
  if (damage.empty()) return;
  discovery_->note(fact_event(dialogue::Fact::answers_changed, damage,
                              "since its methods were tried every call is answered so"),
                   discovery_->last_call(), transcript);
  dialogue::Transcript aside;
  const bool is_mended =
      conversation_.start_anew(aside) && runner_.find_damage(conversation_, aside).empty();
  if (!is_mended) {
    traits_.unjudgeable =
        "Since its methods were tried the server answers every call in one way: " +
        to_visible(damage, 400);
  }
}

bool Judging::is_served_one_by_one() {
  const bool serves_several = !endpoint_.is_shared() || endpoint_.serves_several();
  // Who closes or refuses a second connection is told from who keeps it waiting.
  traits_.turns_others_away =
      endpoint_.has_turned_away() && endpoint_.turns_others_away(conversation_);
  const bool is_one_by_one = !serves_several || traits_.turns_others_away;
  traits_.one_connection_at_a_time = is_one_by_one && endpoint_.binding().on_sockets;
  return is_one_by_one;
}

Restart Judging::run_cases() {
  if (traits_.constant) runner_.withdraw(*traits_.constant);
  // A fault of calibration cases that were left out is charged by every case.
  context_.systematic = traits_.systematic;
  runner_.use(roles_.methods, context_, roles_.omitted_params);
  Results results = traits_.results;
  const bool is_one_by_one = is_served_one_by_one();
  // Far away one at a time takes its time: only what is likeliest to end the server goes alone.
  constexpr milliseconds kFar{10};
  const Danger alone_from = patience_.round_trip() > kFar ? Danger::weight : Danger::broken;
  const Agenda agenda =
      sort_out(corpus_, options_, endpoint_, runner_, traits_, roles_, alone_from, results);
  // A server that refuses ids for good is started anew where a case needs one again.
  const bool alone = agenda.runnable.empty() || (traits_.refuses_used_ids && endpoint_.is_shared());
  if (is_one_by_one) runner_.make_way();
  const Jobs jobs = alone || is_one_by_one
                        ? Jobs{}
                        : jobs_for(options_, endpoint_, agenda.runnable.size(), patience_);
  Schedule schedule(corpus_, endpoint_, runner_, patience_, progress_, endings_);
  schedule.run(agenda, jobs, conversation_, results);
  if (schedule.has_come_late() && !is_interrupted()) return {.for_late_answers = true};
  if (schedule.is_limited() && !is_interrupted()) return {.for_one_connection = true};
  if (!is_interrupted() && schedule.failure().empty()) {
    if (tells_beside_cases("err-code-method")) {
      settle_lapses(runner_, conversation_, liveness_, results);
    }
    settle_losses(corpus_, runner_, conversation_, patience_, endings_, liveness_,
                  tells_beside_cases("id-echo"), results);
    try_flaky_again(options_, corpus_, schedule, conversation_, results);
  }
  run_.failure = schedule.failure();
  if (const auto cases = schedule.unconfirmed(); cases > 0)
    run_.notes.push_back(note_of_unconfirmed(cases));
  note_interruption(corpus_, options_, endpoint_, agenda.total, results, run_);
  for (auto& [ordinal, result] : results) run_.cases.push_back(std::move(result));
  return {};
}

// Where its finding would be left out of the run, a case keeps its own.
bool Judging::tells_beside_cases(const std::string& requirement) const {
  corpus::Case told;
  told.id = kLivenessDialogue.id;
  told.requirements = {requirement};
  return options_.selection.includes(told);
}

// What passed beside the cases.
void Judging::add_side_dialogues() {
  const auto& selection = options_.selection;
  const auto reproduce = [&](const corpus::Case& call) { return endpoint_.reproduce(call); };
  const auto& ledger = corpus_.ledger;
  // On a stream the handshake alone shows what it is answered: it comes once.
  const auto reproduce_opening = [&](const corpus::Case& call) {
    if (endpoint_.binding().pairs_replies) return endpoint_.reproduce(call);
    const auto& messages = options_.opening.messages;
    corpus::Case alone;
    alone.session = corpus::Case::Session::bare;
    for (const auto& message : messages) alone.steps.push_back(corpus::step_sending(message));
    return endpoint_.reproduce(alone);
  };
  if (beginning_.opening != nullptr) {
    add_side_dialogue(*beginning_.opening, selection, reproduce_opening, run_);
  }
  if (law_->catalogue) add_side_dialogue(*catalogue_, selection, reproduce, run_);
  add_side_dialogue(*discovery_, selection, reproduce, run_);
  add_unasked(beginning_.events, ledger, context_, selection, reproduce, run_);
  if (const std::size_t ends = endings_.count(); ends > 0) {
    run_.notes.push_back(ends == 1
                             ? "The server went away once during the run."
                             : fmt::format("The server went away {} times during the run.", ends));
  }
  if (const std::string during = endings_.kept_out_during(); !during.empty()) {
    run_.notes.push_back(
        "The server has refused every call (HTTP 401, 402 or 403) since then, or "
        "for a time: first seen " +
        during + ".");
  }
  // Told whatever was selected: it is not one case that shows them.
  if (endings_.count() + endings_.unexplained() > 0) {
    add_side_dialogue(endings_.dialogue(ledger, context_), {}, reproduce, run_);
  }
  // Of a control call only what answered it is kept.
  const auto reproduce_control = [&](const corpus::Case& call) {
    corpus::Case asked;
    asked.id = call.id;
    asked.steps.emplace_back().messages.emplace_back(endpoint_.control_call().text(1));
    return endpoint_.reproduce(asked);
  };
  add_side_dialogue(liveness_.dialogue(), selection, reproduce_control, run_);
  if (first_calls_) add_side_dialogue(*first_calls_, selection, reproduce, run_);
  run_.conditions->opening = beginning_.events;
}

void Judging::add_notes() {
  add_framing_note(options_, endpoint_.binding(), run_);
  run_.conditions->roles = roles_.methods;
  run_.conditions->omitted_params = roles_.omitted_params;
  if (auto note = note_of_other_protocol(traits_); !note.empty()) run_.notes.push_back(note);
  if (auto note = note_of_methods_kept(*discovery_); !note.empty()) run_.notes.push_back(note);
  if (auto note = note_of_slow_end(corpus_, run_.cases, options_.timeout); !note.empty()) {
    run_.notes.push_back(std::move(note));
  }
  add_role_notes(corpus_, options_, endpoint_.binding(), roles_.methods, traits_, run_);
}

}  // namespace

Restart judge_endpoint(const corpus::Corpus& corpus, const Options& options, Endpoint& endpoint,
                       session::Conversation& conversation, session::Patience& patience,
                       Progress& progress, result::Run& run, const Beginning& beginning) {
  run.target = target_of(endpoint);
  auto& conditions = run.conditions.emplace();
  conditions.select = options.selection.select;
  conditions.skip = options.selection.skip;
  conditions.batches_optional = options.batches_optional;
  const auto law = judge::law_of(corpus);
  if (!law) {
    run.unreached = law.error().message;
    return {};
  }
  Judging judging(corpus, options, endpoint, conversation, patience, progress, beginning, **law,
                  run);
  Restart restart = judging.judge();
  if (restart || !run.unreached.empty()) return restart;
  conclude_run(corpus, endpoint.binding(), judging.catalogue(), options.selection, run);
  run.waits_in_vain = patience.waits_in_vain();
  run.tails = patience.tails();
  return restart;
}

}  // namespace jrpcheck::run
