#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>

#include "base/bytes.hpp"
#include "base/interruption.hpp"
#include "cli/captures.hpp"
#include "cli/commands.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/endpoint_session.hpp"
#include "cli/fuzz_screen.hpp"
#include "cli/kept_secrets.hpp"
#include "cli/law.hpp"
#include "cli/parse_words.hpp"
#include "cli/probe_session.hpp"
#include "cli/signals.hpp"
#include "cli/verdict_options.hpp"
#include "cli/write_file.hpp"
#include "corpus/read_file.hpp"
#include "dialogue/id_key.hpp"
#include "fuzz/executor.hpp"
#include "fuzz/finding.hpp"
#include "fuzz/finding_log.hpp"
#include "fuzz/first_answer.hpp"
#include "fuzz/judge_company.hpp"
#include "fuzz/memory_growth.hpp"
#include "fuzz/oracle.hpp"
#include "fuzz/probe_capabilities.hpp"
#include "fuzz/protocol.hpp"
#include "fuzz/second_answer.hpp"

namespace jrpcheck::cli {
namespace {

constexpr int kTries = 3;
constexpr milliseconds kGrowth{60'000};
constexpr std::size_t kShownShape = 200;

Result<fuzz::Finding> load_finding(const std::string& path) {
  const auto text = corpus::read_file(path);
  if (!text) return Error{"the finding '" + path + "' " + text.error().message};
  if (kind_of_text(*text) == FileKind::run) {
    return Error{path +
                 ": is a run, and no finding: jrpcheck judge and jrpcheck report take it; findings "
                 "are what jrpcheck fuzz --findings DIR stores"};
  }
  return fuzz::finding_from(path, *text);
}

// What came back the last time that a fault showed.
struct Shown {
  int times = 0;
  std::string requirement = {};
  std::string sentence = {};
  std::string actual = {};
  std::string expected = {};
};

struct ReplayOutcome {
  Shown stored = {};
  Shown other = {};  // breaks another requirement than the stored one
  std::string error = {};
};

std::optional<judge::Finding> find_again(const fuzz::Finding& finding,
                                         const judge::Judgement& judgement) {
  std::optional<judge::Finding> other;
  for (const auto& each : judgement.findings) {
    const bool bad =
        each.severity == corpus::Verdict::fail || finding.severity == corpus::Verdict::warn;
    if (bad && each.requirement == finding.requirement) return each;
    if (bad && !other) other = each;
  }
  return other;
}

// Another server may list what the one that showed the finding did not have.
bool may_be_sent(const fuzz::Finding& finding, const fuzz::Traits& traits) {
  if (!traits.protocol) return true;
  const auto is_safe = [&](const std::string& message) {
    return fuzz::may_be_sent(*traits.protocol, message);
  };
  return is_safe(finding.sent) && std::ranges::all_of(finding.before, is_safe);
}

Result<judge::Judgement> replay_in_company(const fuzz::Finding& finding, fuzz::Executor& executor,
                                           const fuzz::Oracle& oracle) {
  auto observed =
      fuzz::execute_in_company(executor, finding.sent, *finding.company, oracle.traits());
  if (!observed) return observed.error();
  fuzz::Suits suits;
  return fuzz::judge_in_company(oracle, finding.sent, *finding.company, observed->exchange,
                                observed->survival, suits);
}

// What comes of the messages before shows when the last one is played.
Result<judge::Judgement> replay_once(const fuzz::Finding& finding, fuzz::Executor& executor,
                                     const fuzz::Oracle& oracle) {
  if (finding.company) return replay_in_company(finding, executor, oracle);
  for (const auto& message : finding.before) {
    const auto before = fuzz::expectation_of(message, oracle.traits());
    static_cast<void>(executor.execute(before.expected.steps.front()));
  }
  const bool awaits_second = finding.symptom == judge::Symptom::second_response;
  if (awaits_second) executor.begin_connection();
  const auto expectation = fuzz::expectation_of(finding.sent, oracle.traits());
  auto asked = fuzz::expectation_of(finding.sent, oracle.traits());
  corpus::Step& step = asked.expected.steps.front();
  const bool is_surplus = finding.symptom == judge::Symptom::several_messages;
  if (is_surplus && finding.before.empty()) fuzz::wait_for_another(step);
  auto observed = executor.execute(step);
  if (!observed) return observed.error();
  if (finding.symptom == judge::Symptom::died_later) fuzz::await_end(executor, *observed);
  if (awaits_second) fuzz::await_second_answer(executor, *observed);
  auto judgement =
      oracle.judge_exchange(expectation, observed->exchange, observed->survival, observed->events);
  if (awaits_second) fuzz::judge_second_answer(expectation, *observed, judgement);
  return judgement;
}

ReplayOutcome repeat(const fuzz::Finding& finding, fuzz::Executor& executor,
                     const fuzz::Oracle& oracle) {
  if (!may_be_sent(finding, oracle.traits())) {
    return {.error = "it calls what may have effects on this server: --allow NAME allows it"};
  }
  ReplayOutcome outcome;
  for (int i = 0; i < kTries; ++i) {
    const auto judgement = replay_once(finding, executor, oracle);
    if (!judgement) {
      outcome.error = judgement.error().message;
      return outcome;
    }
    if (const auto again = find_again(finding, *judgement)) {
      Shown& shown = again->requirement == finding.requirement ? outcome.stored : outcome.other;
      shown = {shown.times + 1, again->requirement,
               again->requirement + ": " + judge::sentence_of(*again), again->actual,
               again->expected};
    }
  }
  return outcome;
}

// What a server keeps shows in no single reply.
ReplayOutcome repeat_growth(const fuzz::Finding& finding, fuzz::Executor& executor) {
  ReplayOutcome outcome;
  const auto step = corpus::step_sending(finding.sent);
  if (const auto observed = executor.execute(step); !observed) {
    outcome.error = observed.error().message;
    return outcome;
  }
  if (!executor.process_group()) {
    outcome.error = "its memory can be looked at only where jrpcheck starts it: add -- COMMAND";
    return outcome;
  }
  const auto growth = fuzz::find_steady_growth(executor, step, Deadline::in(kGrowth));
  if (is_interrupted()) outcome.error = interruption_text();
  if (!growth) return outcome;
  outcome.stored = {kTries, finding.requirement,
                    finding.requirement + ": " + fuzz::sentence_of(finding), "It " + growth->text(),
                    finding.expected};
  return outcome;
}

void say_heading(std::string_view word, result::Verdict verdict, const std::string& requirement,
                 const corpus::Requirement* rule, const std::string& about) {
  const reports::Palette palette(wants_color(Color::automatic, STDOUT_FILENO));
  std::cout << without_log_commands(
                   reports::rule_heading(palette, palette.verdict(verdict, word), requirement, rule,
                                         rule != nullptr ? "(" + about + ")" : about))
            << std::flush;
}

// Where it does not show, or nobody knows.
void say_finding(std::string_view word, result::Verdict verdict, const fuzz::Finding& finding) {
  say_heading(word, verdict, finding.requirement, nullptr, to_visible(finding.shape, kShownShape));
}

ExitCode say_not_shown(const fuzz::Finding& finding) {
  if (!finding.is_flaky()) {
    say_finding("FIXED", result::Verdict::pass, finding);
    return ExitCode::ok;
  }
  say_finding("UNSEEN", result::Verdict::not_exercised, finding);
  std::cout << fmt::format(
                   "  It showed {} of {} times when it was found, and none of {} now: it may be "
                   "there all the same.\n",
                   finding.shown, finding.tries, kTries)
            << std::flush;
  return ExitCode::ok;
}

// `endpoint`: what was asked now, which need not be what showed the finding.
ExitCode report(const fuzz::Finding& finding, const ReplayOutcome& outcome,
                const run::Endpoint& endpoint, const corpus::Ledger& ledger) {
  if (!outcome.error.empty()) {
    say_finding("ERROR", result::Verdict::not_exercised, finding);
    complain(ExitCode::unreachable, outcome.error);
    return is_signalled() ? interrupted_code() : ExitCode::unreachable;
  }
  const bool is_other = outcome.stored.times == 0;
  const Shown& shown = is_other ? outcome.other : outcome.stored;
  if (shown.times == 0) return say_not_shown(finding);
  say_heading(shown.times == kTries ? "FAILED" : "FLAKY", result::Verdict::fail, shown.requirement,
              ledger.find(shown.requirement),
              is_other
                  ? "another fault; " + finding.requirement + ", which was stored, does not show"
                  : to_visible(finding.shape, kShownShape));
  auto text = text_of(finding);
  text.where = fmt::format("{} of {} times", shown.times, kTries);
  text.sentence = without_secrets(shown.sentence);
  text.got = without_secrets(shown.actual);
  text.expected = without_secrets(shown.expected);
  text.reproduce = without_secrets(endpoint.reproduce(fuzz::case_playing(finding)));
  std::cout << without_log_commands(reports::finding_lines(text));
  return ExitCode::failed;
}

ExitCode say_unreached(const fuzz::Finding& finding, const Error& error) {
  say_finding("ERROR", result::Verdict::not_exercised, finding);
  return complain_unreached(error);
}

// By the law of a protocol a message is judged by what this server lists and declares.
Result<fuzz::Traits> traits_for(const fuzz::Finding& finding, const corpus::Corpus& corpus,
                                const run::Options& options, EndpointSession& session) {
  fuzz::Traits traits = finding.traits;
  if (!finding.profile.empty()) {
    auto found =
        fuzz::probe_capabilities(corpus, options, *session.endpoint, *session.patience, false);
    if (!found) return found.error();
    if (!found->unanswered.empty()) return Error{found->unanswered};
    traits = std::move(found->traits);
  }
  traits.binding = &session.endpoint->binding();
  return traits;
}

// Of a server that answers nothing, no message shows anything: a campaign needs an answer as well.
// One that says that it still starts is waited for: whether that was so.
Result<bool> expect_an_answer(const fuzz::Traits& traits, fuzz::Executor& executor,
                              const run::Options& options, EndpointSession& session) {
  const auto call = fuzz::expectation_of(fuzz::first_call(), traits);
  const auto observed = executor.execute(call.expected.steps.front());
  if (!observed) return observed.error();
  const bool is_answered = std::ranges::any_of(observed->exchange.replies, [](const auto& reply) {
    return reply.value() != nullptr && dialogue::has_outcome(*reply.value());
  });
  if (!is_answered) return Error{"the server answers no call"};
  return fuzz::await_start(observed->exchange, *session.endpoint->converse(), *session.endpoint,
                           options, *session.patience);
}

ExitCode replay(const fuzz::Finding& finding, run::Options options) {
  const bool by_law = !finding.profile.empty();
  auto corpus =
      corpus_by_law({by_law ? finding.profile : std::string(corpus::kDefaultProfile), {}});
  if (!corpus) return complain(ExitCode::usage, corpus.error().message);
  if (corpus->ledger.find(finding.requirement) == nullptr) {
    return complain(ExitCode::usage, "the finding is of a requirement that is not known here: '" +
                                         to_visible(finding.requirement, kShownShape) + "'");
  }
  EndpointSession session;
  std::string note;
  const auto reached = by_law ? open_session_by_law(*corpus, options, session, note, false)
                              : open_session(options, session);
  if (!reached) return say_unreached(finding, reached.error());
  if (!note.empty()) say(note);
  // The campaign that found it had given the server a handshake, by itself or as it was told.
  if (!by_law && finding.traits.is_dialect) {
    const auto given = give_wanted_handshake(corpus->profile, options, session);
    if (!given) return say_unreached(finding, given.error());
  }
  const auto traits = traits_for(finding, *corpus, options, session);
  if (!traits) return say_unreached(finding, traits.error());
  auto executor = fuzz::make_careful_executor(*session.endpoint);
  if (!by_law) {
    const auto was_starting = expect_an_answer(*traits, *executor, options, session);
    if (!was_starting) return say_unreached(finding, was_starting.error());
    if (*was_starting) executor = fuzz::make_careful_executor(*session.endpoint);
  }
  if (finding.shape.starts_with(fuzz::kHeldAnswer)) session.patience->held_answers().watch();
  if (finding.requirement == fuzz::kMemoryRequirement) {
    executor.reset();  // with the server that it has started
    const auto quick =
        fuzz::make_fast_executor(*session.endpoint, options, *session.patience, *session.guardian);
    return report(finding, repeat_growth(finding, *quick), *session.endpoint, corpus->ledger);
  }
  return report(finding, repeat(finding, *executor, fuzz::Oracle(corpus->ledger, *traits)),
                *session.endpoint, corpus->ledger);
}

void declare_finding(CLI::App& app, std::string& path) {
  app.add_option("FINDING", path, "file that jrpcheck fuzz has stored")
      ->type_name("FILE")
      ->required();
}

struct ReplayWords {
  EndpointWords endpoint;
  std::vector<std::string> allowed;
  double max_seconds = 120;
  std::string path;
};

ExitCode replay(const ReplayWords& words, const CommandLine& line) {
  run::Options options;
  if (auto ok = interpret_endpoint(line, words.endpoint, options); !ok) {
    return complain(ExitCode::usage, ok.error().message);
  }
  const auto end = end_of_work(line, words.max_seconds);
  if (!end) return complain(ExitCode::usage, end.error().message);
  const auto finding = load_finding(words.path);
  if (!finding) return complain(ExitCode::usage, finding.error().message);
  end_of_time = *end;
  options.allowed.insert(words.allowed.begin(), words.allowed.end());
  return replay(*finding, std::move(options));
}

struct PromoteWords {
  std::string path;
  std::string output;
};

// The folder of a file may be one that is not there yet.
Result<bool> write_case(const std::string& path, const std::string& text) {
  const auto folder = std::filesystem::path(path).parent_path().string();
  if (auto ok = make_folder_of("-o", folder); !ok) return ok;
  return write_file(path, text);
}

ExitCode promote(const PromoteWords& words) {
  auto finding = load_finding(words.path);
  if (!finding) return complain(ExitCode::usage, finding.error().message);
  const auto corpus = load_corpus({});
  if (!corpus) return complain(ExitCode::internal, corpus.error().message);
  fuzz::find_symptom(*finding, corpus->ledger);
  const auto text = fuzz::promote(*finding);
  if (!text) return complain(ExitCode::usage, text.error().message);
  const auto written = words.output.empty() ? print_text(*text) : write_case(words.output, *text);
  const std::string doubt = fuzz::doubt_about_case_of(*finding);
  if (written && !doubt.empty()) {
    say(doubt + " jrpcheck replay tries it several times, and calls that UNSEEN.");
  }
  return written ? ExitCode::ok : complain(ExitCode::internal, written.error().message);
}

}  // namespace

Action declare_replay(CLI::App& app) {
  auto words = std::make_shared<ReplayWords>();
  app.description(
      "Sends the message of a stored finding again; prints FIXED, FAILED, FLAKY, UNSEEN or ERROR. "
      "What was found by a profile is judged by it again.\n"
      "jrpcheck replay FINDING [OPTIONS] TARGET | [TARGET] -- COMMAND [ARG...]");
  app.footer(
      "Exit codes:\n"
      "  0    FIXED: the finding does not show any more; UNSEEN: one that shows at times did not\n"
      "  1    FAILED, or FLAKY: it shows at times\n"
      "  2    wrong usage\n"
      "  3    ERROR: the target could not be started or reached\n"
      "  4    an error in jrpcheck itself\n"
      "  128+ ERROR: interrupted, 128 plus the number of the signal");
  declare_finding(app, words->path);
  declare_endpoint(app, words->endpoint);
  declare_allow(app, words->allowed);
  declare_max_time(app, "seconds until the whole ends, with ERROR where nothing is known by then",
                   words->max_seconds);
  return [words](const CommandLine& line) { return replay(*words, line); };
}

Action declare_promote(CLI::App& app) {
  auto words = std::make_shared<PromoteWords>();
  app.description(
      "Makes a stored finding a case of the corpus, for jrpcheck run --cases.\n"
      "jrpcheck promote FINDING [-o CASE.json]");
  declare_finding(app, words->path);
  app.add_option("-o,--output", words->output,
                 "file that gets the case; without it standard output")
      ->type_name("FILE");
  return [words](const CommandLine&) { return promote(*words); };
}

}  // namespace jrpcheck::cli
