#include "cli/properties_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <utility>

#include "base/bytes.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/endpoint_session.hpp"
#include "cli/parse_words.hpp"
#include "cli/report_request.hpp"
#include "cli/secrets.hpp"
#include "cli/version.hpp"
#include "fuzz/prepare.hpp"
#include "fuzz/properties/endpoint_server.hpp"
#include "fuzz/properties/report.hpp"
#include "result/redact.hpp"
#include "run/runner.hpp"

namespace jrpcheck::cli {
namespace {

using properties::Property;
using result::Verdict;

constexpr double kMostSeconds = 30.0 * 24 * 3600;
constexpr std::size_t kShown = 2000;

struct PropertiesOptions {
  run::Options run;
  properties::Limits limits;
  std::vector<const Property*> properties;
  std::vector<ReportRequest> reports;
  bool strict = false;
};

struct Words {
  EndpointWords endpoint;
  double max_seconds = 0;
  std::vector<std::string> only;
  std::vector<std::string> reports;
  bool list = false;
};

void declare(CLI::App& app, Words& words, PropertiesOptions& options) {
  app.name("jrpcheck properties");
  app.description(
      "Tries relations that hold for every JSON-RPC 2.0 server on generated messages: that white\n"
      "space changes nothing, that a batch brings back what its calls bring back alone, and more.\n"
      "jrpcheck properties [OPTIONS] TARGET | [TARGET] -- COMMAND [ARG...]");
  app.footer(
      "What breaks a property is confirmed on fresh connections and reduced to the smallest\n"
      "messages that show it. Where a server differs from itself, by time or state or chance, the\n"
      "test is skipped and counted. The same seed gives the same messages.\n"
      "Exit codes: 0 nothing fails, 1 something fails, 2 usage error, 3 the target could not be\n"
      "started or reached, 4 an error of jrpcheck's own.");
  declare_endpoint(app, words.endpoint);
  app.add_option("--tests", options.limits.tests, "tests of each property")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-time", words.max_seconds,
                 "seconds until it ends, shared by the properties; 0: no limit")
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option("--seed", options.run.seed, "number from which all chance is made")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--only", words.only, "only this property; may be repeated")
      ->type_name("PROPERTY")
      ->allow_extra_args(false);
  app.add_option("--report", words.reports,
                 "FORMAT=PATH: write a report, - for standard output; formats: " + format_names())
      ->type_name("FORMAT=PATH")
      ->allow_extra_args(false);
  app.add_flag("--strict", options.strict, "warnings fail");
  app.add_flag("--list", words.list, "print all properties: id, requirements and what they say");
}

ExitCode print_list() {
  for (const auto& property : properties::all_properties()) {
    std::string requirements;
    for (const auto& id : property.requirements) {
      requirements += (requirements.empty() ? "" : ",") + std::string(id);
    }
    std::cout << fmt::format("{}\t{}\t{}\n", property.id, requirements, property.title);
  }
  return ExitCode::ok;
}

Result<bool> interpret(const CommandLine& line, const Words& words, PropertiesOptions& options) {
  if (auto ok = interpret_endpoint(line, words.endpoint, options.run); !ok) return ok.error();
  if (!std::isfinite(words.max_seconds) || words.max_seconds < 0 ||
      words.max_seconds > kMostSeconds) {
    return Error{"--max-time takes seconds from 0 to 2592000"};
  }
  options.limits.time = microseconds(static_cast<long long>(words.max_seconds * 1e6));
  for (const auto& property : properties::all_properties()) {
    const bool wanted = words.only.empty() || std::find(words.only.begin(), words.only.end(),
                                                        property.id) != words.only.end();
    if (wanted) options.properties.push_back(&property);
  }
  for (const auto& word : words.only) {
    if (properties::find_property(word) == nullptr) {
      return Error{"--only: there is no property '" + word +
                   "'; jrpcheck properties --list prints them"};
    }
  }
  for (const auto& word : words.reports) {
    auto report = parse_report(word);
    if (!report) return report.error();
    options.reports.push_back(*std::move(report));
  }
  return true;
}

std::optional<ExitCode> parse(const std::vector<std::string>& arguments,
                              PropertiesOptions& options) {
  CLI::App app;
  const CommandLine line = split_command_line(arguments);
  Words words;
  declare(app, words, options);
  if (auto over = parse_words(app, line.words)) return over;
  if (words.list) return print_list();
  if (auto ok = interpret(line, words, options); !ok) {
    return complain(ExitCode::usage, ok.error().message);
  }
  return std::nullopt;
}

// All that was sent and came back in one step, a line each.
std::string exchange_lines(const result::CaseResult& one, std::size_t step) {
  std::string text;
  for (const auto& event : one.transcript) {
    if (event.step != step) continue;
    const std::string what = event.bytes.empty() ? event.note : event.bytes;
    text +=
        fmt::format("    {:<9} {}\n", session::name_of(event.direction), to_visible(what, kShown));
    if (!event.bytes.empty() && !event.note.empty()) {
      text += fmt::format("              ({})\n", event.note);
    }
  }
  return text;
}

void print_findings(const result::CaseResult& one, std::ostream& out) {
  std::size_t first = 0;
  for (const auto& finding : one.findings) {
    out << fmt::format("  {} {}: {}\n",
                       finding.severity == corpus::Verdict::warn ? "warns" : "breaks",
                       finding.requirement, to_visible(finding.message, kShown));
    for (std::size_t step = first; step <= finding.step; ++step) out << exchange_lines(one, step);
    out << fmt::format("    expected  {}\n    actual    {}\n", to_visible(finding.expected, kShown),
                       to_visible(finding.actual, kShown));
    first = finding.step + 1;
  }
  if (!one.reproduce.empty()) out << fmt::format("    try       {}\n", one.reproduce);
}

std::string_view word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "PASS";
    case Verdict::warn:
      return "WARN";
    case Verdict::fail:
      return "FAIL";
    case Verdict::not_exercised:
      break;
  }
  return "----";
}

std::ostream& output_for(const PropertiesOptions& options) {
  return takes_standard_output(options.reports) ? std::cerr : std::cout;
}

void print_case(const result::CaseResult& one, std::ostream& out) {
  out << fmt::format("{}  {}  {}\n", word_of(one.verdict), one.id, one.title);
  if (!one.reason.empty()) out << fmt::format("  not exercised: {}\n", one.reason);
  print_findings(one, out);
}

// As it comes: a slow server takes its time.
void print_redacted(const result::CaseResult& one, const PropertiesOptions& options) {
  result::Run run;
  run.cases.push_back(one);
  result::redact(run, secrets_of(options.run));
  print_case(run.cases.front(), output_for(options));
  output_for(options) << std::flush;
}

void print_run(const result::Run& run, const PropertiesOptions& options) {
  std::ostream& out = output_for(options);
  for (const auto& note : run.notes) out << to_visible(note, kShown) << "\n";
  const auto& counts = run.counts;
  out << fmt::format("{} held, {} warned, {} broken, {} not exercised  (seed {}, {} tests each)\n",
                     counts.pass, counts.warn, counts.fail, counts.not_exercised, run.seed,
                     options.limits.tests);
  if (counts.fail + counts.warn > 0) {
    out << fmt::format("again: the same command with --seed {} --tests {} --only PROPERTY\n",
                       run.seed, options.limits.tests);
  }
}

ExitCode conclude(result::Run run, const PropertiesOptions& options, ExitCode code) {
  run.tool_version = version();
  result::redact(run, secrets_of(options.run));
  print_run(run, options);
  if (!write_reports(run, options.reports)) return ExitCode::internal;
  if (code != ExitCode::ok) return code;
  const bool bad = run.counts.fail > 0 || (options.strict && run.counts.warn > 0);
  if (!bad && run.counts.pass + run.counts.warn == 0) {
    return complain(ExitCode::failed, "no property was exercised: nothing was tested");
  }
  return bad ? ExitCode::failed : ExitCode::ok;
}

// A run in which nothing was tried.
result::Run untried(result::Run run, const PropertiesOptions& options, const corpus::Corpus& corpus,
                    const std::string& reason) {
  std::vector<result::CaseResult> cases;
  for (const auto* property : options.properties) {
    cases.push_back(properties::untried_case(*property, reason));
  }
  run.notes.push_back(reason);
  properties::conclude(run, std::move(cases), corpus);
  return run;
}

ExitCode not_reached(result::Run run, const PropertiesOptions& options,
                     const corpus::Corpus& corpus) {
  const auto& target = options.run.target;
  run.target.text = target ? target->redacted : options.run.command.front();
  run.target.transport = target ? "http" : "stdio";
  return conclude(untried(std::move(run), options, corpus, "the target was not reached"), options,
                  ExitCode::unreachable);
}

ExitCode try_all(const PropertiesOptions& options, const corpus::Corpus& corpus) {
  const auto begin = Clock::now();
  auto run = run::begin_run(corpus, options.run);
  EndpointSession session;
  const ExitCode reached = reach_endpoint(options.run, session);
  if (reached != ExitCode::ok) return not_reached(std::move(run), options, corpus);
  auto& endpoint = *session.endpoint;
  const auto prepared = fuzz::prepare(corpus, options.run, endpoint, *session.patience);
  if (!prepared) {
    complain(ExitCode::unreachable, prepared.error().message);
    return not_reached(std::move(run), options, corpus);
  }
  run.target = {endpoint.text(), endpoint.is_stream() ? "stdio" : "http",
                std::string(endpoint.transport())};
  if (!prepared->unanswered.empty()) {
    return conclude(untried(std::move(run), options, corpus, prepared->unanswered), options,
                    ExitCode::failed);
  }
  const auto words = properties::words_from(prepared->roles);
  const auto server =
      properties::make_endpoint_server(endpoint, options.run, *session.patience, *session.guardian);
  const fuzz::Oracle oracle(corpus.ledger, prepared->traits);
  properties::Trials trials(*server, oracle, words, options.limits, options.run.seed);
  std::vector<result::CaseResult> cases;
  ExitCode code = ExitCode::ok;
  std::size_t exchanges = 0;
  const auto told = [&](const properties::PropertyResult& each) {
    exchanges += each.exchanges;
    cases.push_back(properties::as_case(each, endpoint));
    if (auto note = properties::note_of(each); !note.empty()) run.notes.push_back(std::move(note));
    if (!each.lost.empty() && each.found.empty()) code = ExitCode::unreachable;
    print_redacted(cases.back(), options);
  };
  trials.run(options.properties, told);
  run.notes.push_back(fmt::format("{} exchanges in all.", exchanges));
  run.duration = std::chrono::duration_cast<microseconds>(Clock::now() - begin);
  properties::conclude(run, std::move(cases), corpus);
  if (run.counts.fail > 0) code = ExitCode::ok;  // by its verdict, then
  return conclude(std::move(run), options, code);
}

}  // namespace

CommandForm properties_form() {
  CLI::App app;
  Words words;
  PropertiesOptions options;
  declare(app, words, options);
  return form_of(app);
}

ExitCode properties_command(const std::vector<std::string>& arguments) {
  PropertiesOptions options;
  if (const auto over = parse(arguments, options)) return *over;
  auto corpus = load_corpus({});
  if (corpus) corpus = corpus::with_profile(*std::move(corpus), corpus::kDefaultProfile);
  if (!corpus) return complain(ExitCode::internal, corpus.error().message);
  return try_all(options, *corpus);
}

}  // namespace jrpcheck::cli
