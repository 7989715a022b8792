#include "run/calibration.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/duration_text.hpp"
#include "base/interruption.hpp"
#include "run/await_start.hpp"
#include "run/control_call.hpp"
#include "run/first_answers.hpp"
#include "run/framing_discovery.hpp"
#include "run/how_to_ask.hpp"
#include "run/http_triage.hpp"
#include "run/joined_calls.hpp"
#include "session/framed_stream.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::run {
namespace {

using dialogue::Survival;
using session::Conversation;

constexpr int kRoundTrips = 5;

// How long control calls take that are answered; nothing when none is.
std::optional<microseconds> measure_round_trip(Conversation& conversation, Liveness* liveness,
                                               Endings& endings) {
  std::vector<microseconds> measured;
  for (int i = 0; i < kRoundTrips && conversation.usable(); ++i) {
    dialogue::Transcript aside;
    const auto begin = Clock::now();
    const auto check = conversation.check_survival(aside);
    if (liveness != nullptr) liveness->has_changed(check.answer, check.answer_status);
    if (is_lost(check.survival)) endings.note_unexplained(check, kAtTheBeginning);
    if (check.survival != Survival::alive) continue;
    measured.push_back(time_since(begin));
  }
  if (measured.empty()) return std::nullopt;
  std::sort(measured.begin(), measured.end());
  return measured[measured.size() / 2];
}

// "-32601", "result", or what else a call came to; empty: nothing.
std::string outcome_of(const dialogue::Exchange& exchange) {
  if (exchange.replies.empty()) return {};
  const auto& reply = exchange.replies.front();
  if (reply.value() == nullptr || !reply.value()->is(json::Kind::object)) return {};
  const json::Value* error = reply.find("error");
  if (error == nullptr || error->is(json::Kind::null)) return "result";
  const json::Value* code = error->is(json::Kind::object) ? error->find("code") : nullptr;
  return code == nullptr ? "error" : json::write(*code);
}

// The same call twice with one id, and once with another: is it the id that is refused?
bool refuses_used_ids(Conversation& conversation, const CaseRunner& runner,
                      corpus::Dialect dialect) {
  constexpr long long kTwice = 4'950'001;
  std::string outcomes[3];
  for (int i = 0; i < 3; ++i) {
    const session::ControlCall call{unknown_control_call().method, runner.omitted_params(),
                                    dialect};
    const auto step = corpus::step_sending(call.text(i < 2 ? kTwice : kTwice + 1));
    dialogue::Transcript aside;
    if (!conversation.usable()) return false;
    outcomes[i] = outcome_of(conversation.exchange(step, aside));
    if (outcomes[i].empty()) conversation.check_survival(aside);
    if (i == 0 && outcomes[0].empty()) return false;
    if (i == 1 && outcomes[1] == outcomes[0]) return false;
  }
  return outcomes[2] == outcomes[0];
}

// Why no case calls an unknown method, where a server that answers others does not answer that. The
// case that has shown it left waiting is charged with just that, and with nothing that comes of
// waiting. What is left out alone, and holds up nothing, the case is charged with anyway.
std::string why_no_unknown_methods(CaseRun& run, const CaseRunner& runner, std::size_t ordinal,
                                   Conversation& conversation) {
  using dialogue::Ending;
  run = runner.run(ordinal, conversation);
  if (!is_silent(run.exchanges)) return {};
  const auto& exchange = run.exchanges.back();
  const bool dies = exchange.ending == Ending::exited || run.survival.survival == Survival::dead;
  const bool hangs = !dies && exchange.ending == Ending::timed_out && !exchange.control_answered;
  if (hangs) {
    note_fact(fact_event(dialogue::Fact::unknown_method_hangs, {},
                         exchange.detail + "; calls of methods that it has are answered"),
              run.result);
  }
  const bool closes = exchange.ending == Ending::closed;
  const std::string what = dies     ? "of which this server dies"
                           : hangs  ? "which this server leaves waiting"
                           : closes ? "at which this server closes the connection"
                                    : "which this server does not answer";
  return "calls an unknown method, " + what + " (" + run.result.id + ")";
}

// Whether this is served, where what came of the same call without params is not: any other answer
// tells nothing.
bool is_answered_now(const CaseRun& run, bool was_answered) {
  return is_answered_rightly(run.exchanges) || (!was_answered && has_response(run.exchanges));
}

// Whether what it shows is the server's doing: who has not come up yet has left nothing unanswered,
// and who refuses to be called so often shows nothing.
bool tells_of_server(const CaseRun& run) {
  const bool has_come = !is_silent(run.exchanges) || run.exchanges.back().control_answered;
  return has_come && !run.result.findings.empty();
}

// A server may serve a call with empty params and not the same one without. Where it serves the
// same one without as well, asked once more, it was no matter of params: gives what was shown
// first, then, and `run` is how calls are answered.
std::optional<CaseRun> learn_omitted_params(Endpoint& endpoint, CaseRunner& runner,
                                            std::size_t ordinal, Conversation& conversation,
                                            CaseRun& run, Traits& traits) {
  if (is_answered_rightly(run.exchanges)) return std::nullopt;
  const bool was_answered = has_response(run.exchanges);
  const auto control = unknown_control_call();
  for (const std::string params : {"[]", "{}"}) {
    if (!conversation.usable()) break;
    runner.use_omitted_params(params);
    const session::ControlCall with_params{control.method, params, control.dialect};
    // Who may end at params like these is not asked by them whether it serves.
    if (!was_answered) conversation.use_control_call(with_params);
    CaseRun with = runner.run(ordinal, conversation);
    if (!is_answered_now(with, was_answered)) continue;
    runner.use_omitted_params({});
    if (conversation.usable()) {
      CaseRun without = runner.run(ordinal, conversation);
      if (is_answered_now(without, was_answered)) {
        conversation.use_control_call(control);
        std::swap(run, without);
        return tells_of_server(without) ? std::optional(std::move(without)) : std::nullopt;
      }
    }
    runner.use_omitted_params(params);
    endpoint.use_control_call(with_params);
    conversation.use_control_call(with_params);
    traits.omitted_params = params;
    run = std::move(with);
    return std::nullopt;
  }
  runner.use_omitted_params({});
  conversation.use_control_call(control);
  return std::nullopt;
}

void learn_http_version(const CaseRun& run, Traits& traits) {
  if (!run.exchanges.empty() && run.exchanges.front().http_version == "HTTP/1.0") {
    traits.no_http_1_1 = "the server speaks HTTP/1.0, which has no chunked coding (RFC 9112 §6.1)";
  }
}

}  // namespace

namespace {

// Who meets whom.
struct Meeting {
  const corpus::Corpus& corpus;
  const Options& options;
  Endpoint& endpoint;
  CaseRunner& runner;
  Conversation& conversation;
  session::Patience& patience;
  const Watching& watching;
  Endings& endings;
  Traits& traits;
};

// What has nothing to do with the case does not happen twice.
CaseRun run_in_earnest(const Meeting& meeting, std::size_t ordinal) {
  auto& [corpus, options, endpoint, runner, conversation, patience, watching, endings, traits] =
      meeting;
  CaseRun run = runner.run(ordinal, conversation);
  if (run.answered_late) {
    patience.forgive();
    run = runner.run(ordinal, conversation);
  }
  const bool is_gone = is_lost(run.survival.survival);
  if (!is_gone || !conversation.usable() || !patience.has_answered()) return run;
  CaseRun again = runner.run(ordinal, conversation);
  if (is_lost(again.survival.survival) && !goes_away_anyway(conversation)) {
    endings.note_caused();
    return run;
  }
  if (run.survival.survival != dialogue::Survival::dead) patience.note_causeless_hang();
  endings.note_unexplained(run.survival, "in " + corpus.cases[ordinal].id);
  return again;
}

// How fast a server answers that can be judged, and what it makes of ids and unknown methods.
void learn_manners(const Meeting& meeting, std::size_t ordinal, CaseRun& run) {
  auto& [corpus, options, endpoint, runner, conversation, patience, watching, endings, traits] =
      meeting;
  patience.note_first_answer();  // it may be a harmless method that was answered first
  patience.forgive();
  const auto round_trip = measure_round_trip(conversation, watching.liveness, endings);
  if (round_trip) patience.learn_round_trip(*round_trip);
  if (is_silent(run.exchanges)) {
    traits.no_unknown_methods = why_no_unknown_methods(run, runner, ordinal, conversation);
  }
  if (!traits.no_unknown_methods.empty()) return;
  if (endpoint.is_shared() && !endpoint.binding().pairs_replies &&
      answers_in_order(conversation, endpoint.control_call())) {
    patience.note_order();
  }
  traits.one_call_a_connection = endpoint.serves_one_call();
  // What else it reads on that connection belongs to the call, for all that it may know: a control
  // call right behind would be charged to the message before it.
  if (traits.one_call_a_connection) patience.note_one_call();
  traits.refuses_used_ids = refuses_used_ids(conversation, runner, corpus.profile.dialect);
}

void learn_joined_calls(const Meeting& meeting) {
  const Traits& traits = meeting.traits;
  const bool is_asked = meeting.endpoint.binding().is_framing() &&
                        traits.no_unknown_methods.empty() && !traits.one_call_a_connection &&
                        !traits.refuses_used_ids && !is_interrupted();
  if (!is_asked || !loses_joined_calls(meeting.conversation, meeting.endpoint.control_call()))
    return;
  meeting.traits.loses_joined_calls = true;
  meeting.patience.keep_messages_apart();
  meeting.patience.forgive();
}

// Who says that it still starts is asked again for as long as a program may take to come up, and
// judged by what it says then; who says so for good is judged by that, which the user is told.
// Gives what an answer meets that says so, where it ends.
std::vector<corpus::Condition> await_readiness(const Meeting& meeting, std::size_t ordinal,
                                               CaseRun& run) {
  constexpr milliseconds kLongestPause{2000};
  const auto begin = Clock::now();
  const Deadline deadline = Deadline::at(begin + meeting.options.start_bound());
  milliseconds pause{100};  // longer each time: some go on starting only while nothing comes
  const std::string said = says_it_starts(run.exchanges) ? outcome_of(run.exchanges.front()) : "";
  bool starts = !said.empty();
  while (starts && meeting.conversation.usable() && !deadline.passed() && !is_interrupted()) {
    transport::wait_until(Deadline::earlier(deadline, Deadline::in(pause)));
    pause = std::min(2 * pause, kLongestPause);
    CaseRun next = meeting.runner.run(ordinal, meeting.conversation);
    starts = says_it_starts(next.exchanges);
    if (!is_answered_rightly(next.exchanges)) continue;
    meeting.patience.learn_start_up(time_since(begin));
    run = std::move(next);
    return {{.at = "/error/code", .equals = said}};
  }
  if (starts && !is_interrupted()) {
    meeting.traits.still_starts =
        "For " + duration_text(meeting.options.start_bound()) +
        " the server has answered that it still starts, and is judged by that: " +
        what_came(run.exchanges) + ". If it needs longer: --start-timeout SECONDS.";
  }
  return {};
}

// Each program that is started anew may say so as the first did.
void expect_start_of_each(const Meeting& meeting, const std::vector<corpus::Condition>& not_yet) {
  auto control = meeting.endpoint.control_call();
  control.not_yet = not_yet;
  meeting.endpoint.use_control_call(control);
  meeting.conversation.use_control_call(control);
}

// What a server has done that has never answered, and what may help.
std::string silence_of(const CaseRun& run, const Options& options,
                       const session::Patience& patience) {
  constexpr std::string_view kProgram = "the program ";
  const auto& exchanges = run.exchanges;
  const auto& end = run.survival;
  const bool is_own_end = end.survival == Survival::dead && end.detail.starts_with(kProgram);
  if (!options.command.empty() && is_own_end) {
    return ended_too_early(options.command.front(), end.detail.substr(kProgram.size()),
                           end.standard_error);
  }
  const auto told = [&](const std::string& what) {
    return "the server has never answered: " + what + "." + hint_for(exchanges);
  };
  if (exchanges.empty() || exchanges.back().ending != dialogue::Ending::timed_out) {
    return told("a call of a method got " + what_came(exchanges));
  }
  const auto waited =
      std::chrono::duration_cast<std::chrono::seconds>(options.silence.waited + patience.age());
  const auto& seen = options.silence.seen;
  const auto& begun = exchanges.back().unfinished;
  return told((begun.empty() ? "nothing has come in " + duration_text(waited)
                             : "in " + duration_text(waited) +
                                   " no message has come to its end: " + to_visible(begun, 100)) +
              (seen.empty() ? "" : "; " + seen));
}

// What the first case tells about all that follow. False where nothing does: nobody is there, or a
// handshake is wanted.
bool meet(const Meeting& meeting, std::size_t ordinal, CaseRun& run,
          std::optional<std::string>& mixed_up) {
  auto& [corpus, options, endpoint, runner, conversation, patience, watching, endings, traits] =
      meeting;
  const std::string silence = silence_of(run, options, patience);  // after the longest wait of all
  if (watching.recognises_handshake) {
    traits.handshakes = wanted_handshakes(run.exchanges, endpoint.binding());
    if (!traits.handshakes.empty()) return false;
  }
  const auto not_yet = await_readiness(meeting, ordinal, run);
  const bool may_lack_params = corpus.profile.dialect != corpus::Dialect::json_rpc_1_0 &&
                               corpus.profile.request_members.empty();
  std::optional<CaseRun> shown_first;
  if (may_lack_params) {
    shown_first = learn_omitted_params(endpoint, runner, ordinal, conversation, run, traits);
  }
  if (has_response(run.exchanges)) mixed_up = endpoint.find_mixed_up_calls();
  if (mixed_up) run = runner.run(ordinal, conversation);
  // Whatever it says, it has come up: nothing after this waits for a program that starts.
  if (has_response(run.exchanges)) patience.note_first_answer();
  auto present = control_call_of(corpus.profile);
  if (present.params.empty()) present.params = traits.omitted_params;
  // Trying params has left another there, which is answered otherwise.
  if (!corpus.profile.control_method.empty()) {
    endpoint.use_control_call(present);
    conversation.use_control_call(present);
  }
  const auto obstacle =
      find_how_to_ask(endpoint, conversation, present, options.roles, run, endings);
  if (!not_yet.empty()) expect_start_of_each(meeting, not_yet);
  traits.unjudgeable = obstacle.text;
  const std::string limit = limit_met(run.exchanges);
  if (!obstacle.text.empty() && !limit.empty()) {
    traits.silent = "No answer of the server can be judged: to a call of a method " +
                    std::string(session::kMoreThanRead) + limit + ".";
    traits.answered = "it answers, and with more than jrpcheck reads";
    return false;
  }
  const bool was_silent = !patience.has_answered() && has_come_to_nothing(run.exchanges);
  if (!obstacle.text.empty() && !obstacle.other_dialect && was_silent) {
    traits.silent = silence;
    return false;
  }
  if (traits.unjudgeable.empty()) {
    learn_manners(meeting, ordinal, run);
    learn_joined_calls(meeting);
  }
  // While it came up, another call went out behind the first.
  const bool was_joined = traits.loses_joined_calls && !endpoint.is_shared();
  if (shown_first && traits.unjudgeable.empty() && traits.no_unknown_methods.empty() &&
      !was_joined) {
    run = *std::move(shown_first);
  }
  return true;
}

// Why a calibration case does not run, or nothing when it does.
std::string why_left_out(const Meeting& meeting, std::size_t ordinal) {
  const Traits& traits = meeting.traits;
  if (!traits.unjudgeable.empty() || !meeting.conversation.usable()) {
    return "see the first case of the calibration";
  }
  const auto& why = traits.no_unknown_methods;
  return !why.empty() && meeting.runner.calls_unknown_method(ordinal) ? why : std::string();
}

}  // namespace

Traits calibrate(const corpus::Corpus& corpus, const Options& options, Endpoint& endpoint,
                 CaseRunner& runner, Conversation& conversation, session::Patience& patience,
                 const Watching& watching) {
  Traits traits;
  Lessons lessons({corpus.profile.dialect, &endpoint.binding(), options.batches_optional,
                   !corpus.profile.http.limits_users.empty()},
                  traits);
  Endings unwatched;
  Endings& endings = watching.endings != nullptr ? *watching.endings : unwatched;
  const Meeting meeting{corpus,   options,  endpoint, runner, conversation,
                        patience, watching, endings,  traits};
  for (std::size_t ordinal = 0; ordinal < corpus.cases.size(); ++ordinal) {
    const auto& one = corpus.cases[ordinal];
    if (!one.calibration || !corpus.applies(one, endpoint.binding())) continue;
    if (auto reason = why_left_out(meeting, ordinal); !reason.empty()) {
      traits.results.emplace(ordinal, not_exercised(one, std::move(reason)));
      continue;
    }
    const bool is_first = traits.results.empty();
    CaseRun run = run_in_earnest(meeting, ordinal);
    traits.has_come_late = run.has_come_late;
    if (traits.has_come_late) return traits;
    std::optional<std::string> mixed_up;
    if (is_first && !meet(meeting, ordinal, run, mixed_up)) return traits;
    if (is_first && !traits.no_unknown_methods.empty()) {
      traits.results.emplace(ordinal, std::move(run.result));
      continue;
    }
    lessons.take(one, run);
    if (is_first) learn_http_version(run, traits);
    // Charged once: every case after this has connections of its own.
    if (mixed_up && !mixed_up->empty()) {
      note_fact(fact_event(dialogue::Fact::answers_mixed_up, *mixed_up,
                           "calls on one connection get each other's answers"),
                run.result);
    }
    traits.results.emplace(ordinal, std::move(run.result));
  }
  lessons.end();
  if (!conversation.usable() && traits.unjudgeable.empty() && !is_interrupted()) {
    endings.note_unexplained({Survival::dead, "the server did not come back", {}}, kAtTheBeginning);
    traits.unjudgeable = "The server was gone after the first few calls and did not come back.";
  }
  return traits;
}

}  // namespace jrpcheck::run
