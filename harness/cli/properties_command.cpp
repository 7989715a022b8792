#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <utility>

#include "base/contains.hpp"
#include "base/failure.hpp"
#include "base/interruption.hpp"
#include "base/join.hpp"
#include "cli/commands.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/endpoint_session.hpp"
#include "cli/kept_secrets.hpp"
#include "cli/law.hpp"
#include "cli/parse_words.hpp"
#include "cli/probe_session.hpp"
#include "cli/properties_screen.hpp"
#include "cli/report_request.hpp"
#include "cli/say.hpp"
#include "cli/signals.hpp"
#include "cli/verdict_options.hpp"
#include "fuzz/probe_capabilities.hpp"
#include "fuzz/properties/report.hpp"
#include "fuzz/properties/trials.hpp"
#include "fuzz/to_run.hpp"
#include "run/runner.hpp"

namespace jrpcheck::cli {
namespace {

using properties::Property;

struct PropertiesOptions {
  run::Options run;
  LawWords law;
  bool recognises = false;  // nobody said which protocol it is
  properties::Limits limits;
  std::vector<const Property*> properties;
  std::vector<ReportRequest> reports;
  bool strict = false;
};

struct PropertiesWords {
  EndpointWords endpoint;
  double max_seconds = 300;
  std::vector<std::string> only;
  std::vector<std::string> reports;
  bool list = false;
};

void declare(CLI::App& app, PropertiesWords& words, PropertiesOptions& options) {
  app.description(
      "Tests on generated messages what holds for every JSON-RPC 2.0 server: white space changes\n"
      "nothing, a batch is answered as its calls are alone, and more.\n"
      "jrpcheck properties [OPTIONS] TARGET | [TARGET] -- COMMAND [ARG...]");
  app.footer(
      "A failure is confirmed on fresh connections and reduced to the smallest messages that show\n"
      "it. If the server gives different answers to the same message (time, state, chance), the "
      "test\n"
      "is skipped and counted as such. The same seed gives the same messages.\n"
      "A property holds if a quarter of its tests showed it, or 25 of them. With fewer, or if the\n"
      "server hangs again and again, it is not exercised; nor is it if a call was left unanswered\n"
      "and was answered when sent again. Then the call is sent up to 250 times: two more losses\n"
      "are a failure. SIGINT (Ctrl-C) or SIGTERM ends the "
      "tests;\n"
      "reports are still written. A second signal ends the program at once.\n\n"
      "Exit codes:\n"
      "  0    nothing fails\n"
      "  1    something fails, or no property was tested enough\n"
      "  2    wrong usage\n"
      "  3    the target could not be started or reached, was lost, hung, or left a call\n"
      "       unanswered that it answered when sent again\n"
      "  4    an error in jrpcheck itself\n"
      "  128+ interrupted: 128 plus the number of the signal");
  declare_endpoint(app, words.endpoint);
  declare_law(app, options.law);
  app.add_option("--tests", options.limits.tests, "tests of each property")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000))
      ->capture_default_str();
  declare_max_time(app, "seconds until all ends; a test that is running then is cut off",
                   words.max_seconds);
  app.add_option("--seed", options.run.seed, "the same seed makes the same messages")
      ->type_name("N")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
  app.add_option("--only", words.only, "test only this property; may be repeated")
      ->type_name("PROPERTY")
      ->allow_extra_args(false);
  declare_reports(app, words.reports);
  app.add_flag("--strict", options.strict, "treat warnings as failures");
  app.add_flag("--list", words.list, "print all properties: id, requirements and title");
}

ExitCode print_list() {
  for (const auto& property : properties::all_properties()) {
    std::cout << fmt::format("{}\t{}\t{}\n", property.id, joined(property.requirements, ","),
                             property.title);
  }
  return ExitCode::ok;
}

Result<bool> interpret(const CommandLine& line, const PropertiesWords& words,
                       PropertiesOptions& options) {
  if (auto ok = interpret_endpoint(line, words.endpoint, options.run); !ok) return ok.error();
  options.run.allowed.insert(options.law.allowed.begin(), options.law.allowed.end());
  options.recognises = options.law.option->count() == 0 && may_be_recognised(words.endpoint);
  const auto end = end_of_work(line, words.max_seconds);
  if (!end) return end.error();
  options.limits.end = Deadline::at(*end);
  // Ten answers that do not come are enough, whatever one of them costs.
  constexpr int kMostWaits = 10;
  options.limits.waiting = std::min(options.limits.waiting, kMostWaits * options.run.timeout);
  std::vector<const Property*> only;
  for (const auto& word : words.only) {
    only.push_back(properties::find_property(word));
    if (only.back() == nullptr) {
      return Error{"--only: there is no property '" + word +
                   "'; jrpcheck properties --list prints them"};
    }
  }
  for (const auto& property : properties::all_properties()) {
    const bool wanted = only.empty() || contains(only, &property);
    if (wanted) options.properties.push_back(&property);
  }
  auto reports = parse_reports(words.reports);
  if (!reports) return reports.error();
  options.reports = *std::move(reports);
  return true;
}

std::ostream& output_for(const PropertiesOptions& options) {
  return takes_standard_output(options.reports) ? std::cerr : std::cout;
}

bool has_color(const PropertiesOptions& options) {
  return wants_color(Color::automatic,
                     takes_standard_output(options.reports) ? STDERR_FILENO : STDOUT_FILENO);
}

// `reason`: why there is nothing in it. It has been told, but for the reports.
ExitCode conclude(result::Run run, const PropertiesOptions& options, ExitCode code,
                  const std::string& reason = {}) {
  run.tool_version = kVersion;
  const std::size_t untold_notes = run.notes.size();
  if (!reason.empty()) run.notes.push_back(reason);
  const auto redacted = without_secrets(std::move(run));
  print_sums(redacted, untold_notes, options.limits.tests, output_for(options));
  const bool written = write_reports(redacted, options.reports);
  if (is_signalled()) return interrupted_code();
  if (!written) return ExitCode::internal;
  const auto& counts = redacted->counts;
  const bool bad = counts.fail > 0 || (options.strict && counts.warn > 0);
  if (bad) return ExitCode::failed;
  if (code == ExitCode::ok && counts.pass + counts.warn == 0) {
    return complain(ExitCode::failed, "no property was tested enough: nothing was shown");
  }
  return code;
}

// A run in which nothing was tried.
ExitCode give_up(result::Run run, const PropertiesOptions& options, const corpus::Corpus& corpus,
                 const std::string& reason, ExitCode code) {
  std::vector<result::CaseResult> cases;
  for (const auto* property : options.properties) {
    cases.push_back(properties::untried_case(*property, reason));
  }
  if (is_signalled() || code == ExitCode::internal) run.interrupted = reason;
  return conclude(fuzz::to_run(std::move(run), std::move(cases), corpus), options, code, reason);
}

ExitCode not_reached(result::Run run, const PropertiesOptions& options,
                     const corpus::Corpus& corpus, Error error) {
  // Neither says anything about the server.
  if (options.limits.end.passed() && !is_signalled()) {
    const std::string told = interrupted_before("the target was reached", "");
    const bool is_told = error.message.starts_with(told);
    error = Error{"the time was up before the target was reached" +
                  (is_told ? error.message.substr(told.size()) : ": " + error.message)};
  }
  complain_unreached(error);
  run.target = run::unreached_target(options.run);
  return give_up(std::move(run), options, corpus, error.message, ExitCode::unreachable);
}

// What has come of the properties so far.
struct SearchOutcome {
  std::vector<result::CaseResult> cases;
  std::size_t exchanges = 0;
  std::size_t whole = 0;  // were tried as often as was asked for, or needed
  std::size_t hung = 0;   // were not tested enough, for answers that did not come
  std::string lost;
};

void take(const properties::PropertyResult& each, const PropertiesOptions& options,
          const run::Endpoint& endpoint, result::Run& run, SearchOutcome& outcome) {
  outcome.exchanges += each.exchanges;
  if (each.cut_short.empty()) ++outcome.whole;
  if ((each.has_hung() && each.found.empty()) || each.loses_answers()) ++outcome.hung;
  if (!each.lost.empty()) outcome.lost = each.lost;
  outcome.cases.push_back(properties::as_case(each, endpoint));
  if (auto note = properties::note_of(each); !note.empty()) run.notes.push_back(std::move(note));
  result::Run shown;
  shown.cases.push_back(outcome.cases.back());
  print_property(without_secrets(std::move(shown)), each, has_color(options), output_for(options));
}

// Of a server that was lost, or hung, no more is said than what it has broken.
ExitCode code_of(const SearchOutcome& outcome) {
  const bool broken = std::ranges::any_of(
      outcome.cases, [](const auto& one) { return one.verdict == result::Verdict::fail; });
  if (is_signalled() || broken || (outcome.lost.empty() && outcome.hung == 0)) {
    return ExitCode::ok;
  }
  const std::string why = outcome.lost.empty() ? "the server left calls unanswered"
                                               : "the server was lost: " + outcome.lost;
  const auto untested = std::ranges::count_if(
      outcome.cases, [](const auto& one) { return one.verdict == result::Verdict::not_exercised; });
  return complain(ExitCode::unreachable,
                  fmt::format("{} {} not tested enough: {}", untested,
                              untested == 1 ? "property was" : "properties were", why));
}

ExitCode try_all(const PropertiesOptions& options, const corpus::Corpus& corpus,
                 EndpointSession& session, const fuzz::Capabilities& capabilities,
                 result::Run run) {
  const auto begin = Clock::now();
  auto& endpoint = *session.endpoint;
  const auto words = properties::words_from(capabilities);
  const properties::Server server{
      [&] {
        // A call behind each message is read together with it there.
        if (session.patience->between_messages() > microseconds(0)) {
          return fuzz::make_unpipelined_executor(endpoint);
        }
        return fuzz::make_fast_executor(endpoint, options.run, *session.patience, *session.guardian,
                                        capabilities.traits.protocol != nullptr);
      },
      [&] { return fuzz::make_careful_executor(endpoint); }, endpoint.binding()};
  const fuzz::Oracle oracle(corpus.ledger, capabilities.traits);
  properties::Trials trials(server, oracle, words, options.limits, options.run.seed);
  SearchOutcome outcome;
  trials.run(options.properties,
             [&](const auto& each) { take(each, options, endpoint, run, outcome); });
  run.notes.push_back(fmt::format("{} exchanges in all.", outcome.exchanges));
  run.duration = time_since(begin);
  const auto all = options.properties.size();
  if (is_signalled()) {
    run.interrupted =
        fmt::format("{} after {} of {} properties", interruption_text(), outcome.whole, all);
  } else if (outcome.whole < all) {
    // Whether fewer tests were enough to say that it holds is another question.
    run.notes.push_back(fmt::format(
        "The time was up before {} of {} properties had all the tests that were asked for.",
        all - outcome.whole, all));
  }
  const ExitCode code = code_of(outcome);
  return conclude(fuzz::to_run(std::move(run), std::move(outcome.cases), corpus), options, code);
}

ExitCode reach_and_try(PropertiesOptions& options, corpus::Corpus& corpus) {
  end_of_time = options.limits.end.moment();
  EndpointSession session;
  std::string note;
  const auto reached = open_session_by_law(corpus, options.run, session, note, options.recognises);
  auto run = run::begin_run(corpus, options.run);
  if (!note.empty()) {
    say(note);
    run.notes.push_back(note);
  }
  if (!reached) return not_reached(std::move(run), options, corpus, reached.error());
  if (auto ok = can_generate_for(corpus.profile); !ok) {
    return give_up(std::move(run), options, corpus, ok.error().message,
                   complain(ExitCode::usage, ok.error().message));
  }
  run.target = run::target_of(*session.endpoint);
  std::string of_handshake;
  const auto capabilities = probe_session(corpus, options.run, session, of_handshake);
  if (!of_handshake.empty()) run.notes.push_back(of_handshake);
  if (options.limits.end.passed()) {
    const auto what = is_signalled() ? interruption_text() : "the time was up";
    const std::string reason = what + " before the first property was tried";
    return give_up(std::move(run), options, corpus, reason,
                   complain(ExitCode::failed, reason + ": nothing was shown"));
  }
  if (!capabilities) return not_reached(std::move(run), options, corpus, capabilities.error());
  tell_names_without_effect(corpus.profile, options.run.allowed, capabilities->catalogue(), run);
  if (!capabilities->unanswered.empty()) {
    const std::string reason = capabilities->unanswered + ": nothing can be tested";
    return give_up(std::move(run), options, corpus, reason,
                   complain(ExitCode::unreachable, reason));
  }
  return try_all(options, corpus, session, *capabilities, std::move(run));
}

}  // namespace

Action declare_properties(CLI::App& app) {
  auto words = std::make_shared<PropertiesWords>();
  auto options = std::make_shared<PropertiesOptions>();
  declare(app, *words, *options);
  return [words, options](const CommandLine& line) {
    if (words->list) return print_list();
    if (const auto ok = interpret(line, *words, *options); !ok) {
      return complain(ExitCode::usage, ok.error().message);
    }
    auto corpus = corpus_by_law(options->law);
    if (!corpus) return complain(ExitCode::usage, corpus.error().message);
    ExitCode code = ExitCode::internal;
    const std::string failure =
        failure_of_command([&] { code = reach_and_try(*options, *corpus); });
    if (failure.empty()) return code;
    return give_up(run::begin_run(*corpus, options->run), *options, *corpus, failure,
                   complain(ExitCode::internal, failure));
  };
}

}  // namespace jrpcheck::cli
