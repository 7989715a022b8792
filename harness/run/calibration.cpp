#include "run/calibration.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/bytes.hpp"
#include "base/interruption.hpp"
#include "base/letter_case.hpp"
#include "run/dialect_probe.hpp"
#include "run/http_triage.hpp"

namespace jrpcheck::run {
namespace {

using dialogue::Survival;
using session::Conversation;

constexpr int kRoundTrips = 5;

constexpr long long kFirstHarmlessId = 4'900'001;

constexpr const char* kAtTheBeginning = "among the first calls";

bool is_response(const json::Value& value) {
  return value.find("result") != nullptr || value.find("error") != nullptr;
}

bool looks_like_response(const dialogue::Reply& reply) {
  return reply.outline() != nullptr && is_response(*reply.outline());
}

// Whether a batch was served as one, well or badly.
bool has_array_of_responses(const std::vector<dialogue::Exchange>& exchanges) {
  return std::any_of(exchanges.begin(), exchanges.end(), [](const dialogue::Exchange& exchange) {
    return std::any_of(exchange.replies.begin(), exchange.replies.end(), [](const auto& reply) {
      const json::Value* all = reply.outline();
      if (all == nullptr || !all->is(json::Kind::array)) return false;
      const auto& elements = all->children();
      return std::any_of(elements.begin(), elements.end(), is_response);
    });
  });
}

bool has_response(const std::vector<dialogue::Exchange>& exchanges) {
  return std::any_of(exchanges.begin(), exchanges.end(), [](const dialogue::Exchange& exchange) {
    return std::any_of(exchange.replies.begin(), exchange.replies.end(), looks_like_response);
  });
}

// Whether nothing at all has come.
bool is_silent(const std::vector<dialogue::Exchange>& exchanges) {
  return std::all_of(exchanges.begin(), exchanges.end(), [](const dialogue::Exchange& exchange) {
    return exchange.replies.empty() && exchange.noise.empty() && exchange.http_status == 0 &&
           exchange.unfinished.empty();
  });
}

// Whether a call of an unknown method is answered as it must be.
bool is_answered_rightly(const std::vector<dialogue::Exchange>& exchanges) {
  if (exchanges.empty() || exchanges.front().replies.empty()) return false;
  const json::Value* error = exchanges.front().replies.front().find("error");
  const json::Value* code = error != nullptr ? error->find("code") : nullptr;
  return code != nullptr && code->is(json::Kind::number) && code->text() == "-32601";
}

// What the server did instead of answering in JSON-RPC.
std::string what_came(const std::vector<dialogue::Exchange>& exchanges) {
  if (exchanges.empty()) return "nothing";
  const auto& exchange = exchanges.back();
  std::string text;
  if (exchange.http_status != 0) {
    text = "HTTP " + std::to_string(exchange.http_status);
    if (!exchange.http_content_type.empty()) text += " (" + exchange.http_content_type + ")";
    text += ": ";
  }
  if (!exchange.replies.empty()) return text + to_visible(exchange.replies.front().text(), 300);
  if (!exchange.noise.empty())
    return "output that is no message: " + to_visible(exchange.noise.front().bytes, 300);
  return text + (exchange.detail.empty() ? "an empty answer" : exchange.detail);
}

// The code that LSP gives to what comes before `initialize`, or words to that effect.
bool asks_for_handshake(const dialogue::Reply& reply) {
  const json::Value* error = reply.find("error");
  if (error == nullptr || !error->is(json::Kind::object)) return false;
  const json::Value* code = error->find("code");
  if (code != nullptr && code->is(json::Kind::number) && code->text() == "-32002") return true;
  const json::Value* message = error->find("message");
  if (message == nullptr || !message->is(json::Kind::string)) return false;
  const std::string words = in_lower_case(message->text());
  constexpr std::array<std::string_view, 4> kPhrases = {
      "not initialized", "not initialised", "before initialization", "initialize first"};
  return std::any_of(kPhrases.begin(), kPhrases.end(), [&](std::string_view phrase) {
    return words.find(phrase) != std::string::npos;
  });
}

// The profile with an opening that is spoken over such a binding; empty where no call asks for one.
std::string wanted_handshake(const std::vector<dialogue::Exchange>& exchanges,
                             const Endpoint& endpoint) {
  if (exchanges.empty() || exchanges.front().replies.empty()) return {};
  if (!asks_for_handshake(exchanges.front().replies.front())) return {};
  const std::string class_name(endpoint.binding().requirement_class);
  for (const auto& profile : corpus::embedded_profiles()) {
    const auto& classes = profile.classes;
    const bool is_spoken_so =
        std::find(classes.begin(), classes.end(), class_name) != classes.end();
    if (!profile.opening.empty() && is_spoken_so) return profile.name;
  }
  return {};
}

std::string hint_for(const std::vector<dialogue::Exchange>& exchanges) {
  const int status = exchanges.empty() ? 0 : exchanges.back().http_status;
  if (status == 401 || status == 403) {
    return " If the server wants credentials, pass them with --header 'Authorization: ...'.";
  }
  if (status == 404 || status == 405) return " Is the path of the URL the one the server serves?";
  if (status == 0) {
    return " If the server wants a handshake first, name it with --opening; if it frames its "
           "messages in a way of its own, with --framing; if it takes longer to come up, give it "
           "the seconds with --start-timeout.";
  }
  return "";
}

// How long control calls take that are answered; nothing when none is.
std::optional<microseconds> measure_round_trip(Conversation& conversation, Liveness* liveness,
                                               Endings& endings) {
  std::vector<microseconds> measured;
  for (int i = 0; i < kRoundTrips && conversation.usable(); ++i) {
    dialogue::Transcript aside;
    const auto begin = Clock::now();
    const auto check = conversation.check_survival(aside);
    if (liveness != nullptr) liveness->has_changed(check.answer);
    if (is_lost(check.survival)) endings.note_unexplained(check, kAtTheBeginning);
    if (check.survival != Survival::alive) continue;
    measured.push_back(std::chrono::duration_cast<microseconds>(Clock::now() - begin));
  }
  if (measured.empty()) return std::nullopt;
  std::sort(measured.begin(), measured.end());
  return measured[measured.size() / 2];
}

// A call that is answered by a server which then goes away may be answered by the next one.
dialogue::SurvivalCheck check_twice(Conversation& conversation, Endings& endings) {
  dialogue::Transcript aside;
  auto check = conversation.check_survival(aside);
  if (!is_lost(check.survival) || !conversation.usable()) return check;
  auto second = conversation.check_survival(aside);
  if (second.survival != Survival::alive) return check;
  endings.note_unexplained(check, kAtTheBeginning);
  return second;
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
    corpus::Step step;
    step.messages.push_back(call.text(i < 2 ? kTwice : kTwice + 1));
    dialogue::Transcript aside;
    if (!conversation.usable()) return false;
    outcomes[i] = outcome_of(conversation.exchange(step, aside));
    if (outcomes[i].empty()) conversation.check_survival(aside);
    if (i == 0 && outcomes[0].empty()) return false;
    if (i == 1 && outcomes[1] == outcomes[0]) return false;
  }
  return outcomes[2] == outcomes[0];
}

// Whether some harmless method is answered where the unknown one was not, on a connection of its
// own: what was sent before may still keep the server busy.
bool settle_on_harmless_method(Endpoint& endpoint, Conversation& conversation,
                               const session::ControlCall& present,
                               const corpus::RoleBindings& roles, bool with_id = false) {
  std::vector<std::string> methods(harmless_methods().begin(), harmless_methods().end());
  for (const char* role : {"no-params", "nothing", "echo"}) {
    const auto given = roles.find(role);
    if (given != roles.end()) methods.insert(methods.begin(), given->second);
  }
  long long id = kFirstHarmlessId;
  for (const auto& method : methods) {
    const session::ControlCall call{method, {}, present.dialect};
    conversation.use_control_call(call);
    corpus::Step step;
    step.messages.push_back(call.text(id++));
    dialogue::Transcript aside;
    if (!conversation.open(aside)) continue;
    const auto exchange = conversation.exchange(step, aside);
    if (has_response({exchange}) && (!with_id || carries_the_id(exchange)) &&
        conversation.check_survival(aside).survival == Survival::alive) {
      endpoint.use_control_call(call);
      return true;
    }
  }
  conversation.use_control_call(present);
  return false;
}

std::string find_control_call(Endpoint& endpoint, Conversation& conversation,
                              const session::ControlCall& present,
                              const corpus::RoleBindings& roles, const CaseRun& first,
                              Endings& endings) {
  if (!first.exchanges.empty() && first.exchanges.back().held_back) {
    return "The server keeps each answer back until the next message comes.";
  }
  if (has_response(first.exchanges)) {
    const bool is_theirs = first.has_its_id;
    // Many a server loses the id in its errors, and in these alone.
    if (!is_theirs && conversation.usable() &&
        settle_on_harmless_method(endpoint, conversation, present, roles, true)) {
      return {};
    }
    const auto check = check_twice(conversation, endings);
    if (check.survival == Survival::alive) return {};
    if (is_theirs && conversation.usable() &&
        settle_on_harmless_method(endpoint, conversation, present, roles)) {
      return {};
    }
    if (is_theirs) endings.note_unexplained(check, kAtTheBeginning);
    if (check.survival == Survival::dead) return "The server answers one call and then ends.";
    if (is_theirs) return "The server answers one call and then nothing more.";
    return "The server answers, but its replies do not carry the id of the call, so nothing that "
           "follows can be told apart: " +
           what_came(first.exchanges);
  }
  if (settle_on_harmless_method(endpoint, conversation, present, roles)) return {};
  return "The server speaks no JSON-RPC 2.0: a call of a method came back as " +
         what_came(first.exchanges) + "." + hint_for(first.exchanges);
}

struct Obstacle {
  std::string text;
  bool other_dialect = false;
};

// Why the server cannot be judged, or nothing; a server of 1.0 that is asked in 2.0 is told so
// once.
Obstacle find_how_to_ask(Endpoint& endpoint, Conversation& conversation,
                         const session::ControlCall& present, const corpus::RoleBindings& roles,
                         CaseRun& first, Endings& endings) {
  const bool answered = has_response(first.exchanges);
  std::string other_dialect;
  const auto recognise = [&] {
    if (present.dialect != corpus::Dialect::json_rpc_1_0) {
      other_dialect = recognise_1_0(first.exchanges, conversation);
    }
  };
  if (answered) recognise();
  std::string obstacle;
  if (other_dialect.empty()) {
    obstacle = find_control_call(endpoint, conversation, present, roles, first, endings);
    if (!answered && !obstacle.empty()) recognise();
  }
  if (other_dialect.empty()) return {obstacle};
  note_fact(fact_event(dialogue::Fact::speaks_1_0, {}, other_dialect), first.result);
  return {other_dialect, true};
}

// Whether a call of an unknown method is left waiting by a server that answers others: then the
// case that has shown it is charged with just that, and with nothing that comes of waiting.
bool hangs_on_unknown_method(CaseRun& run, const CaseRunner& runner, std::size_t ordinal,
                             Conversation& conversation) {
  run = runner.run(ordinal, conversation);
  const auto& exchange = run.exchanges.back();
  if (!is_silent(run.exchanges) || exchange.ending != dialogue::Ending::timed_out) return false;
  if (exchange.control_answered) return false;  // it is left out, and holds up nothing
  note_fact(fact_event(dialogue::Fact::unknown_method_hangs, {},
                       exchange.detail + "; calls of methods that it has are answered"),
            run.result);
  return true;
}

void learn_batches(CaseRun& run, const std::string& observed_as, bool may_lack, Traits& traits) {
  result::CaseResult& result = run.result;
  std::vector<judge::Observation> observations;
  for (const auto& each : run.result.observations) {
    if (each.name == observed_as) observations.push_back(each);
  }
  const bool served = std::any_of(observations.begin(), observations.end(),
                                  [](const auto& each) { return each.value == "served"; });
  if (served || has_array_of_responses(run.exchanges)) return;
  const std::string how = observations.empty() ? "not served" : observations.front().value;
  if (run.survival.survival == Survival::dead || run.survival.survival == Survival::wedged) {
    traits.no_batches = "the server does not survive a batch (calibration/batch)";
  } else if (!has_response(run.exchanges) || !observations.empty()) {
    traits.no_batches = "batches are " + how + " (calibration/batch)";
  }
  if (traits.no_batches.empty() || !may_lack) return;
  auto& findings = result.findings;
  findings.erase(std::remove_if(findings.begin(), findings.end(),
                                [](const judge::Finding& finding) {
                                  return finding.requirement != "rob-survives";
                                }),
                 findings.end());
  if (!findings.empty()) return;
  result.verdict = result::Verdict::not_exercised;
  result.exercised.clear();
  result.reason = "this protocol has no batches; the server leaves them " + how;
}

// What may be wrong with every reply, whatever it answers: its envelope, and a log line beside it.
bool may_be_systematic(std::string_view requirement, const wire::Binding& binding) {
  return judge::is_envelope_requirement(requirement) || requirement == binding.noise ||
         requirement == binding.several_lines || requirement == binding.wrong_length;
}

std::set<std::string> systematic_findings(const result::CaseResult& result,
                                          const wire::Binding& binding) {
  std::set<std::string> ids;
  for (const auto& finding : result.findings) {
    if (may_be_systematic(finding.requirement, binding)) ids.insert(finding.requirement);
  }
  return ids;
}

// Systematic is what every reply so far has violated, and no fewer than two replies.
void learn_systematic(const CaseRun& run, const wire::Binding& binding, int& replies,
                      Traits& traits) {
  if (!has_response(run.exchanges)) return;
  const auto found = systematic_findings(run.result, binding);
  if (++replies == 1) {
    traits.systematic = found;
    return;
  }
  std::set<std::string> both;
  std::set_intersection(traits.systematic.begin(), traits.systematic.end(), found.begin(),
                        found.end(), std::inserter(both, both.begin()));
  traits.systematic = std::move(both);
}

// A server may serve a call with empty params and not the same one without. It is given another
// chance with them only where it has not answered as it must: any other answer tells nothing.
void learn_omitted_params(Endpoint& endpoint, CaseRunner& runner, std::size_t ordinal,
                          Conversation& conversation, CaseRun& run, Traits& traits) {
  if (is_answered_rightly(run.exchanges)) return;
  const bool was_answered = has_response(run.exchanges);
  const auto control = unknown_control_call();
  for (const std::string params : {"[]", "{}"}) {
    if (!conversation.usable()) break;
    runner.use_omitted_params(params);
    conversation.use_control_call({control.method, params, control.dialect});
    CaseRun with = runner.run(ordinal, conversation);
    if (!is_answered_rightly(with.exchanges) && (was_answered || !has_response(with.exchanges)))
      continue;
    endpoint.use_control_call({control.method, params, control.dialect});
    traits.omitted_params = params;
    run = std::move(with);
    return;
  }
  runner.use_omitted_params({});
  conversation.use_control_call(control);
}

void learn_http_version(const CaseRun& run, Traits& traits) {
  if (!run.exchanges.empty() && run.exchanges.front().http_version == "HTTP/1.0") {
    traits.no_http_1_1 = "the server speaks HTTP/1.0, which has no chunked coding (RFC 9112 §6.1)";
  }
}

}  // namespace

void Lessons::take(const corpus::Case& one, CaseRun& run) {
  const bool is_first = std::exchange(is_first_, false);
  if (is_first && asked_.dialect != corpus::Dialect::json_rpc_1_0) {
    traits_.constant = ConstantAnswer::of(run.exchanges);
  }
  learn_systematic(run, *asked_.binding, replies_, traits_);
  if (one.id == "calibration/batch") {
    learn_batches(run, one.observes, asked_.batches_optional || asked_.binding->batches_optional,
                  traits_);
  }
}

// One reply alone shows no habit.
void Lessons::end() {
  if (replies_ < 2) traits_.systematic.clear();
}

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
  traits.unknown_hangs =
      is_silent(run.exchanges) && hangs_on_unknown_method(run, runner, ordinal, conversation);
  if (traits.unknown_hangs) return;
  traits.one_call_a_connection = endpoint.serves_one_call();
  traits.refuses_used_ids = refuses_used_ids(conversation, runner, corpus.profile.dialect);
}

// What the first case tells about all that follow. False where nothing does: nobody is there, or a
// handshake is wanted.
bool meet(const Meeting& meeting, std::size_t ordinal, CaseRun& run,
          std::optional<std::string>& mixed_up) {
  auto& [corpus, options, endpoint, runner, conversation, patience, watching, endings, traits] =
      meeting;
  if (watching.recognises_handshake) {
    traits.handshake = wanted_handshake(run.exchanges, endpoint);
    if (!traits.handshake.empty()) return false;
  }
  if (corpus.profile.dialect != corpus::Dialect::json_rpc_1_0) {
    learn_omitted_params(endpoint, runner, ordinal, conversation, run, traits);
  }
  if (has_response(run.exchanges)) mixed_up = endpoint.find_mixed_up_calls();
  if (mixed_up) run = runner.run(ordinal, conversation);
  // Whatever it says, it has come up: nothing after this waits for a program that starts.
  if (has_response(run.exchanges)) patience.note_first_answer();
  auto present = unknown_control_call(corpus.profile.dialect);
  present.params = traits.omitted_params;
  const auto obstacle =
      find_how_to_ask(endpoint, conversation, present, options.roles, run, endings);
  traits.unjudgeable = obstacle.text;
  const bool was_silent = !patience.has_answered() && is_silent(run.exchanges);
  if (!obstacle.text.empty() && !obstacle.other_dialect && was_silent) {
    traits.silent = "the server has never answered: a call of a method came back as " +
                    what_came(run.exchanges) + "." + hint_for(run.exchanges);
    return false;
  }
  if (traits.unjudgeable.empty()) learn_manners(meeting, ordinal, run);
  return true;
}

// Why a calibration case does not run, or nothing when it does.
std::string why_left_out(const Meeting& meeting, std::size_t ordinal) {
  const Traits& traits = meeting.traits;
  if (!traits.unjudgeable.empty() || !meeting.conversation.usable()) {
    return "see the first case of the calibration";
  }
  const bool would_hang = traits.unknown_hangs && meeting.runner.calls_unknown_method(ordinal);
  return would_hang ? std::string(kUnknownHangs) : std::string();
}

}  // namespace

Traits calibrate(const corpus::Corpus& corpus, const Options& options, Endpoint& endpoint,
                 CaseRunner& runner, Conversation& conversation, session::Patience& patience,
                 const Watching& watching) {
  Traits traits;
  Lessons lessons({corpus.profile.dialect, &endpoint.binding(), options.batches_optional}, traits);
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
    if (is_first && traits.unknown_hangs) {
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
