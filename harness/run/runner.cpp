#include "run/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <iterator>
#include <map>
#include <set>

#include "base/bytes.hpp"
#include "base/interruption.hpp"
#include "dialogue/id_key.hpp"
#include "result/attribution.hpp"
#include "result/shard.hpp"
#include "run/calibration.hpp"
#include "run/case_runner.hpp"
#include "run/conclusion.hpp"
#include "run/endings.hpp"
#include "run/endpoint.hpp"
#include "run/http_triage.hpp"
#include "run/roles.hpp"
#include "run/schedule.hpp"
#include "session/incoming.hpp"
#include "session/opening.hpp"
#include "session/patience.hpp"

namespace jrpcheck::run {
namespace {

// A handful of connections hides the round trip; more would be load, which is not what is tested.
constexpr int kSharedJobs = 4;

// A program that answers more slowly than this is waited for most of the time: then several of it
// run side by side. Where it is quicker one process is enough, and the run does less to the
// machine.
constexpr milliseconds kSlowRoundTrip{5};
constexpr int kSlowOwnJobs = 8;

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  const auto length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text, length};
}

constexpr std::string_view kOneCall = "the server serves one call a connection";

bool leaves_in_one_write(const corpus::Case& one) {
  return std::any_of(one.steps.begin(), one.steps.end(), [](const corpus::Step& step) {
    return step.messages.size() > 1 && !step.concurrently;
  });
}

// Why a case does not run, or nothing when it does.
std::string obstacle(const corpus::Case& one, const Traits& traits, const Roles& roles) {
  if (!traits.unjudgeable.empty()) return "the server cannot be judged further";
  for (const auto& role : one.roles) {
    if (roles.methods.count(role) == 0) {
      return "needs a method in the role '" + role + "', which --methods FILE names";
    }
  }
  if (auto reason = params_not_taken(one, roles.takes); !reason.empty()) return reason;
  if (one.needs_batches && !traits.no_batches.empty()) return traits.no_batches;
  if (one.needs_http_1_1 && !traits.no_http_1_1.empty()) return traits.no_http_1_1;
  if (traits.one_call_a_connection && leaves_in_one_write(one)) return std::string(kOneCall);
  return {};
}

std::size_t job_count(const Options& options, Endpoint& endpoint, microseconds round_trip) {
  int jobs = options.jobs;
  if (jobs == 0) {
    jobs = endpoint.is_shared() ? kSharedJobs : round_trip > kSlowRoundTrip ? kSlowOwnJobs : 1;
  }
  if (jobs == 1 || (endpoint.is_shared() && !endpoint.serves_several())) return 1;
  return static_cast<std::size_t>(jobs);
}

// The roles that cases of this corpus ask for and no method plays.
std::vector<std::string> unbound_roles(const corpus::Corpus& corpus,
                                       const corpus::RoleBindings& roles) {
  std::vector<std::string> unbound;
  for (const auto& role : corpus::known_roles()) {
    const bool wanted =
        std::any_of(corpus.cases.begin(), corpus.cases.end(), [&](const corpus::Case& one) {
          return std::find(one.roles.begin(), one.roles.end(), role) != one.roles.end();
        });
    if (wanted && roles.count(role) == 0) unbound.push_back(role);
  }
  return unbound;
}

void add_role_notes(const corpus::Corpus& corpus, const Options& options,
                    const corpus::RoleBindings& roles, const Traits& traits, result::Run& run) {
  run.unjudgeable = traits.unjudgeable;
  if (!traits.unjudgeable.empty()) {
    run.notes.push_back(traits.unjudgeable);
    return;
  }
  const auto unbound = unbound_roles(corpus, roles);
  if (unbound.empty() || is_interrupted()) return;  // they were not looked for to the end
  std::string missing;
  for (const auto& role : unbound) missing += (missing.empty() ? "" : ", ") + role;
  run.notes.push_back(
      "Some cases need methods whose behaviour is known, and were not exercised: " + missing +
      ". This writes a file in which to name yours, for --methods:\n  " +
      command_for(options, options.target ? options.target->redacted : "", "methods") +
      " > roles.json");
}

// Whoever reads lines would wait for ever, and no clause says that a program must write them.
void add_framing_note(const Options& options, const wire::Binding& binding, result::Run& run) {
  if (options.framing != nullptr || !binding.structures_only || binding.on_sockets) return;
  run.notes.push_back(
      "The server ends no message with a line feed: it was judged with --framing concatenated. "
      "Clients that read lines, as those of MCP do, get no answer from it.");
}

// A case that is known to be flaky shows in a few tries what it can show.
constexpr int kTriesOfFlaky = 3;

void try_flaky_again(const Options& options, const corpus::Corpus& corpus, Schedule& schedule,
                     session::Conversation& conversation, Results& results) {
  for (auto& [ordinal, result] : results) {
    if (options.flaky.count(corpus.cases[ordinal].id) == 0 || result.findings.empty()) continue;
    for (int i = 1; i < kTriesOfFlaky; ++i) {
      Results once;
      schedule.run({ordinal}, 1, conversation, results.size(), once);
      if (once.count(ordinal) == 0) return;  // interrupted
      result.tries.push_back(std::move(once.at(ordinal)));
    }
  }
}

// What one shard has learned of the server must be what every other has: such cases run in all.
bool runs_here(const corpus::Case& one, const Options& options,
               const std::set<std::string>& telling) {
  if (!options.selection.includes(one)) return false;
  return !options.shard || result::is_in_shard(one.id, *options.shard) ||
         telling.count(one.id) != 0;
}

result::CaseResult unsettled(const corpus::Corpus& corpus, const corpus::Case& one,
                             const Endpoint& endpoint, std::string reason) {
  const wire::Binding& binding = endpoint.binding();
  return corpus.applies(one, binding) ? not_exercised(one, std::move(reason))
                                      : not_applicable(one, binding);
}

// Where the run ended before its end, every case that had not been settled is there and says why.
void note_interruption(const corpus::Corpus& corpus, const Options& options,
                       const Endpoint& endpoint, std::size_t total, Results& results,
                       result::Run& run) {
  if (!is_interrupted() && run.failure.empty()) return;
  const std::string why = run.failure.empty() ? interruption_text() : run.failure;
  const auto telling = result::telling_cases(corpus);
  run.interrupted = why + " after " + std::to_string(std::min(results.size(), total)) + " of " +
                    std::to_string(total) + " cases";
  for (std::size_t ordinal = 0; ordinal < corpus.cases.size(); ++ordinal) {
    const auto& one = corpus.cases[ordinal];
    if (!runs_here(one, options, telling) || results.count(ordinal) != 0) continue;
    results[ordinal] = unsettled(corpus, one, endpoint, "the run ended before it");
  }
}

// What was tried last is what fails on purpose, and the likeliest cause.
void look_for_damage(const CaseRunner& runner, session::Conversation& conversation,
                     SideDialogue& discovery, Traits& traits) {
  dialogue::Transcript transcript;
  const std::string damage = runner.find_damage(conversation, transcript);
  if (damage.empty()) return;
  discovery.note(fact_event(dialogue::Fact::answers_changed, damage,
                            "since its methods were tried every call is answered so"),
                 discovery.last_call(), transcript);
  dialogue::Transcript aside;
  const bool is_mended =
      conversation.start_anew(aside) && runner.find_damage(conversation, aside).empty();
  if (!is_mended) {
    traits.unjudgeable = "Since its methods were tried the server answers every call in one way: " +
                         to_visible(damage, 400);
  }
}

// The cases that are still to run, and how many there are in all.
struct Agenda {
  std::vector<std::size_t> runnable;
  std::size_t total = 0;
};

// What cannot run has its result at once.
Agenda sort_out(const corpus::Corpus& corpus, const Options& options, const Endpoint& endpoint,
                const CaseRunner& runner, const Traits& traits, const Roles& roles,
                Results& results) {
  const auto telling = result::telling_cases(corpus);
  Agenda agenda;
  for (std::size_t ordinal = 0; ordinal < corpus.cases.size(); ++ordinal) {
    const auto& one = corpus.cases[ordinal];
    const bool is_done = results.count(ordinal) != 0;
    if (!is_done && !runs_here(one, options, telling)) continue;
    ++agenda.total;
    if (is_done) continue;
    // Roles that were not looked for to the end are no obstacle.
    std::string reason = is_interrupted() ? "" : obstacle(one, traits, roles);
    if (reason.empty() && traits.unknown_hangs && runner.calls_unknown_method(ordinal)) {
      reason = kUnknownHangs;
    }
    if (reason.empty() && corpus.applies(one, endpoint.binding())) {
      agenda.runnable.push_back(ordinal);
    } else {
      results[ordinal] = unsettled(corpus, one, endpoint, std::move(reason));
    }
  }
  return agenda;
}

// What passed beside the cases.
struct Beside {
  const corpus::Corpus& corpus;
  const Options& options;
  const Endpoint& endpoint;
  const Beginning& beginning;
  const SideDialogue& discovery;
  const Endings& endings;
  const SideDialogue& liveness;
  const judge::Context& context;
};

void add_side_dialogues(const Beside& beside, result::Run& run) {
  const auto& selection = beside.options.selection;
  const auto reproduce = [&](const corpus::Case& call) { return beside.endpoint.reproduce(call); };
  const auto& ledger = beside.corpus.ledger;
  if (beside.beginning.opening != nullptr) {
    add_side_dialogue(*beside.beginning.opening, selection, reproduce, run);
  }
  add_side_dialogue(beside.discovery, selection, reproduce, run);
  add_unasked(beside.beginning.events, ledger, beside.context, selection, run);
  if (const std::size_t ends = beside.endings.count(); ends > 0) {
    run.notes.push_back(ends == 1
                            ? "The server went away once during the run."
                            : fmt::format("The server went away {} times during the run.", ends));
    // Told whatever was selected: it is not one case that shows them.
    add_side_dialogue(beside.endings.dialogue(ledger, beside.context), {}, reproduce, run);
  }
  add_side_dialogue(beside.liveness, selection, reproduce, run);
}

void note_roles(const corpus::Corpus& corpus, const Options& options, const Roles& roles,
                const Traits& traits, result::Run& run) {
  run.conditions->roles = roles.methods;
  run.conditions->omitted_params = traits.omitted_params;
  add_role_notes(corpus, options, roles.methods, traits, run);
}

Roles find_roles(const corpus::Corpus& corpus, const Options& options, const Traits& traits,
                 session::Conversation& conversation, Progress& progress, SideDialogue& discovery,
                 Endings& endings) {
  progress.begin("looking for methods", {});
  return discover_roles(
      {corpus.profile, options.roles, options.try_roles, options.seed, traits.omitted_params,
       traits.unknown_hangs,
       [&progress](std::size_t done, std::size_t all) { progress.step(done, all); }},
      conversation, &discovery, &endings);
}

// Everything between an open conversation and the results of all cases.
Restart exercise(const corpus::Corpus& corpus, const Options& options, Endpoint& endpoint,
                 session::Conversation& conversation, session::Patience& patience,
                 Progress& progress, result::Run& run, const Beginning& beginning) {
  CaseRunner runner(corpus, endpoint, options.seed);
  judge::Context context;
  context.dialect = corpus.profile.dialect;
  context.binding = &endpoint.binding();
  runner.use(options.roles, context);
  if (beginning.recognises_late) runner.watch_turns();
  Liveness liveness({std::string(kLivenessDialogue), "What the control calls were answered",
                     corpus.ledger, context});
  Endings endings;
  progress.begin("getting to know the server", {});
  Traits traits = calibrate(corpus, options, endpoint, runner, conversation, patience,
                            {&liveness, &endings, beginning.recognises_handshake});
  if (traits.has_come_late) return {.for_late_answers = true};
  if (!is_interrupted()) run.unreached = traits.silent;
  if (!is_interrupted() && (!traits.silent.empty() || !traits.handshake.empty())) {
    return {.handshake = traits.handshake};
  }
  if (is_interrupted()) traits = {};  // what was waited for in vain was not waited for

  context.systematic = traits.systematic;
  SideDialogue discovery(std::string(kDiscoveryDialogue),
                         "What the server's methods answered when they were tried for roles",
                         corpus.ledger, context);
  Roles roles{options.roles, {}, {}};
  if (traits.unjudgeable.empty() && !is_interrupted()) {
    roles = find_roles(corpus, options, traits, conversation, progress, discovery, endings);
    run.tried = roles.tried;
    runner.watch(liveness);
    if (traits.refuses_used_ids) runner.use_fresh_sessions();
    if (conversation.usable()) look_for_damage(runner, conversation, discovery, traits);
  }
  leave_out_unselected(corpus, options.selection, traits, run.conditions->unreported);
  if (traits.constant) runner.withdraw(*traits.constant);
  context.systematic = traits.systematic;
  runner.use(roles.methods, context, traits.omitted_params);

  Results results = traits.results;
  const auto [runnable, total] =
      sort_out(corpus, options, endpoint, runner, traits, roles, results);
  // A server that refuses ids for good is started anew where a case needs one again.
  const bool alone = runnable.empty() || (traits.refuses_used_ids && endpoint.is_shared());
  const std::size_t jobs = alone ? 1 : job_count(options, endpoint, patience.round_trip());
  Schedule schedule(corpus, endpoint, runner, patience, progress, endings);
  schedule.run(runnable, jobs, conversation, total, results);
  if (schedule.has_come_late() && !is_interrupted()) return {.for_late_answers = true};
  if (!is_interrupted() && schedule.failure().empty())
    try_flaky_again(options, corpus, schedule, conversation, results);
  run.failure = schedule.failure();
  note_interruption(corpus, options, endpoint, total, results, run);
  for (auto& [ordinal, result] : results) run.cases.push_back(std::move(result));
  add_side_dialogues(
      {corpus, options, endpoint, beginning, discovery, endings, liveness.dialogue(), context},
      run);
  run.conditions->opening = beginning.events;
  add_framing_note(options, endpoint.binding(), run);
  note_roles(corpus, options, roles, traits, run);
  return {};
}

}  // namespace

std::string interruption_text() {
  if (!is_signalled()) return "stopped by --max-time";
  const char* name = ::sigabbrev_np(interrupting_signal);
  return "interrupted by " + (name == nullptr ? "a signal" : "SIG" + std::string(name));
}

result::Run begin_run(const corpus::Corpus& corpus, const Options& options) {
  result::Run run;
  run.corpus_cases = corpus.cases.size();
  run.corpus_hash = corpus.hash;
  run.seed = options.seed;
  run.shard = options.shard;
  run.profile = corpus.profile.name;
  run.started = now_text();
  return run;
}

Restart judge_endpoint(const corpus::Corpus& corpus, const Options& options, Endpoint& endpoint,
                       session::Conversation& conversation, session::Patience& patience,
                       Progress& progress, result::Run& run, const Beginning& beginning) {
  run.target = target_of(endpoint);
  run.conditions = result::Conditions{options.selection.select,
                                      options.selection.skip,
                                      {},
                                      {},
                                      options.batches_optional,
                                      {},
                                      {},
                                      {}};
  auto restart =
      exercise(corpus, options, endpoint, conversation, patience, progress, run, beginning);
  if (restart || !run.unreached.empty()) return restart;
  conclude_run(corpus, endpoint.binding(), options.selection, run);
  run.waits_in_vain = patience.waits_in_vain();
  run.tails = patience.tails();
  return restart;
}

namespace {

// The answers to the messages of the handshake, each to the one that was sent last.
SideDialogue judge_opening(const corpus::Corpus& corpus, const Options& options,
                           const dialogue::Transcript& transcript) {
  judge::Context context;
  context.dialect = corpus.profile.dialect;
  SideDialogue dialogue(std::string(kOpeningDialogue),
                        "What the messages of the handshake were answered", corpus.ledger, context);
  const auto& messages = options.opening.messages;
  std::size_t sent = 0;
  for (const auto& event : transcript.whole()) {
    const bool is_next = event.direction == dialogue::Direction::sent && sent < messages.size() &&
                         event.bytes.find(messages[sent]) != std::string::npos;
    if (is_next) ++sent;
    const bool is_answer = event.direction == dialogue::Direction::received && !event.is_control;
    if (!is_answer || sent == 0) continue;
    const dialogue::Message body = dialogue::message_of(event);
    if (body.text().empty()) continue;
    dialogue::Exchange exchange;
    exchange.replies.push_back({body, 0});
    dialogue::Transcript evidence;
    evidence.add(dialogue::Direction::sent, messages[sent - 1], "opening");
    evidence.add(dialogue::received(body));
    dialogue.take(messages[sent - 1], exchange, evidence);
  }
  return dialogue;
}

// How long late answers are waited for: at first as long as most servers deserve, then longer.
constexpr microseconds kTails[] = {milliseconds(3), milliseconds(300), milliseconds(1500)};

// One run as the options say; nothing is judged in it where it is to begin again.
result::Run attempt_once(const corpus::Corpus& corpus, const Options& options,
                         transport::Guardian& guardian, Progress& progress, bool recognises,
                         microseconds tail, Restart& restart) {
  const auto begin = Clock::now();
  result::Run run = begin_run(corpus, options);
  session::Patience patience(options.timeout, options.start_bound());
  patience.use_tail(tail);
  const auto endpoint = make_endpoint(options, patience, guardian);
  endpoint->use_control_call(unknown_control_call(corpus.profile.dialect));
  const bool starts = !options.command.empty();
  progress.begin(starts ? "starting " + options.command.front() : "asking " + endpoint->text(),
                 patience.for_start());
  if (auto reached = endpoint->reach(); !reached) {
    return unreached_run(corpus, options, reached.error().message, endpoint->ending());
  }
  const auto conversation = endpoint->converse();
  dialogue::Transcript opening;
  if (auto opened = conversation->open(opening); !opened) {
    return unreached_run(corpus, options, opened.error().message);
  }

  const auto opening_dialogue = judge_opening(corpus, options, opening);
  // On sockets answers may also come on a connection that is not theirs.
  const bool recognises_late = tail < *std::rbegin(kTails) && !endpoint->is_shared();
  restart = judge_endpoint(corpus, options, *endpoint, *conversation, patience, progress, run,
                           {&opening_dialogue, opening.events(), recognises, recognises_late});
  if (!run.unreached.empty()) return unreached_run(corpus, options, run.unreached);
  run.duration = std::chrono::duration_cast<microseconds>(Clock::now() - begin);
  return run;
}

// Where `recognises` a server that asks for a handshake is not judged: the run is nothing then, and
// `handshake` its name.
result::Run attempt(const corpus::Corpus& corpus, const Options& options,
                    transport::Guardian& guardian, Progress& progress, bool recognises,
                    std::string& handshake) {
  for (const microseconds* tail = kTails;; ++tail) {  // by the longest nothing is late
    Restart restart;
    auto run = attempt_once(corpus, options, guardian, progress, recognises, *tail, restart);
    handshake = restart.handshake;
    if (!restart.for_late_answers) return run;
  }
}

}  // namespace

result::Run run_corpus(const corpus::Corpus& corpus, const Options& options,
                       transport::Guardian& guardian, Progress& progress) {
  std::string handshake;
  auto run =
      attempt(corpus, options, guardian, progress, options.opening.messages.empty(), handshake);
  if (handshake.empty()) return run;
  Options with_handshake = options;
  adopt_opening(handshake, with_handshake);
  std::string none;
  auto second = attempt(corpus, with_handshake, guardian, progress, false, none);
  if (second.unreached.empty()) {
    second.notes.insert(second.notes.begin(),
                        "The server wants a handshake before it serves, and was given that of "
                        "--opening " +
                            handshake + ".");
    return second;
  }
  auto third = attempt(corpus, options, guardian, progress, false, none);
  if (!third.unreached.empty()) return third;
  third.notes.insert(third.notes.begin(),
                     "The server asks for a handshake, and does not take that of --opening " +
                         handshake + ": " + second.unreached +
                         ". Name a file with the messages of its own.");
  return third;
}

result::Run unreached_run(const corpus::Corpus& corpus, const Options& options,
                          const std::string& reason, result::RunVerdict ending) {
  result::Run run = begin_run(corpus, options);
  run.target = unreached_target(options);
  for (const auto& one : corpus.cases) {
    if (options.selection.includes(one) &&
        (!options.shard || result::is_in_shard(one.id, *options.shard))) {
      run.cases.push_back(not_exercised(one, "the target was not reached"));
    }
  }
  run.unreached = reason;
  run.notes.push_back(reason);
  run.verdict = ending;
  result::summarise(run, corpus.ledger, {applicable_classes(corpus.profile, nullptr), {}, false});
  return run;
}

}  // namespace jrpcheck::run
