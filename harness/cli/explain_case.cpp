#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/join.hpp"
#include "cli/explain.hpp"
#include "cli/text_layout.hpp"
#include "corpus/bindings.hpp"
#include "judge/pattern.hpp"
#include "run/reproduce.hpp"
#include "transport/target.hpp"
#include "wire/binding.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::cli {
namespace {

using corpus::Case;
using corpus::Outcome;
using corpus::Step;

// Examples of what a run picks afresh.
corpus::Bindings example_bindings(const Case& one) {
  corpus::Bindings bindings{1, "an-id", "no.such.method", {}};
  for (const auto& role : one.roles) bindings.roles[role] = role;
  return bindings;
}

std::string needs_of(const Case& one) {
  std::vector<std::string> needs;
  for (const auto& role : one.roles) {
    needs.push_back("a method that plays the role " + role +
                    " (found by its name, or named with --methods)");
  }
  if (one.needs_batches) needs.emplace_back("a server that serves batches");
  if (one.needs_answers_to_batches) {
    needs.emplace_back("a server that serves batches, or refuses them with -32600");
  }
  if (one.needs_http_1_1) needs.emplace_back("a server that speaks HTTP/1.1");
  return joined(needs, "; ");
}

std::string manner_of(const Step& step) {
  std::vector<std::string> manner;
  if (step.messages.size() > 1) {
    manner.push_back(fmt::format("{} messages {}", step.messages.size(),
                                 step.concurrently ? "in flight together" : "in one write"));
  }
  if (step.raw) manner.emplace_back("as they stand, without framing");
  if (step.write_every != 0) {
    manner.push_back(fmt::format("in pieces of {} bytes", step.write_every));
  }
  if (!step.write_at.empty()) {
    manner.push_back(fmt::format("cut at byte {}", fmt::join(step.write_at, ", ")));
  }
  if (step.same_connection) manner.emplace_back("on the connection of the step before");
  if (step.end_of_input) manner.emplace_back("then end of input");
  if (step.http.method != "POST") manner.push_back("over HTTP with " + step.http.method);
  if (step.http.chunked) manner.emplace_back("over HTTP in chunks");
  for (const auto& [name, value] : step.http.headers) {
    if (step.handshake) {
      manner.push_back("after a handshake with '" + name + (value ? ": " + *value : "") + "'");
      continue;
    }
    manner.push_back(value ? fmt::format("over HTTP with '{}: {}'", name, *value)
                           : "over HTTP without " + name);
  }
  return joined(manner, "; ");
}

// A batch of a thousand and a message of a megabyte are shown by their ends.
constexpr std::size_t kShownMessages = 4;

void add_outcome(const Outcome& outcome, const Case& one, std::string_view label,
                 TextLayout& page) {
  const bool is_told = outcome.tells_nothing.empty();
  const std::string_view verdict = is_told ? corpus::name_of(outcome.verdict) : "not exercised";
  std::string line = fmt::format("{}  {}", verdict, judge::describe(outcome));
  if (!outcome.transports.empty()) {
    line += fmt::format(" [{} only]", fmt::join(outcome.transports, ", "));
  }
  if (!outcome.because.empty()) {
    line += ": " + outcome.because.substr(0, outcome.because.find_last_not_of('.') + 1);
  }
  if (!is_told) line += ": " + outcome.tells_nothing;
  if (outcome.verdict != corpus::Verdict::pass && outcome.charge != one.requirements.front()) {
    line += " (charged to " + outcome.charge + ")";
  }
  if (!outcome.observe.empty()) line += "; recorded as \"" + outcome.observe + "\"";
  page.entry(label, line);
}

void add_step(const Step& step, const Case& one, const corpus::Ledger& ledger, TextLayout& page) {
  std::string_view label = "Sends";
  for (std::size_t i = 0; i < std::min(step.messages.size(), kShownMessages); ++i) {
    const auto frame = step.frames.find(i);
    const std::string kind =
        frame == step.frames.end() ? "" : "[" + wire::text_of(frame->second) + "] ";
    page.verbatim(label, kind + to_visible(step.messages[i].text()));
    label = "";
  }
  if (step.messages.size() > kShownMessages) {
    page.entry("", fmt::format("and {} more", step.messages.size() - kShownMessages));
  }
  page.entry("", manner_of(step));
  label = "Accepts";
  for (const auto& outcome : step.accept) {
    add_outcome(outcome, one, label, page);
    label = "";
  }
  const auto* first = ledger.find(one.requirements.front());
  const bool warns = first != nullptr && first->level == corpus::Level::should;
  page.entry("", warns ? "warn  anything else (an answer missing, or a broken one, fails)"
                       : "fail  anything else");
}

void add_kills(const Case& one, const std::vector<selftest::Mutant>& mutants, TextLayout& page) {
  std::string_view label = "Catches";
  for (const auto& name : one.kills) {
    const auto found =
        std::ranges::find_if(mutants, [&](const auto& each) { return each.name == name; });
    page.entry(label, "the fault " + name + (found == mutants.end() ? "" : ": " + found->about));
    label = "";
  }
}

std::string curl(const Step& step, const std::string& message) {
  std::string line = shell_printer(message) + " | curl -sS -i -X " + step.http.method;
  bool typed = false;
  for (const auto& [name, value] : step.http.headers) {
    line += " -H " + shell_quote(value ? name + ": " + *value : name + ":");
    typed = typed || name == "Content-Type";
  }
  if (!typed) line += " -H 'Content-Type: application/json'";
  if (step.http.chunked) line += " -H 'Transfer-Encoding: chunked'";
  if (step.http.method != "GET" || !message.empty()) line += " --data-binary @-";
  return line + " http://127.0.0.1:8545/";
}

bool is_in_pieces(const Step& step) {
  return step.write_every > 0 || !step.write_at.empty() || step.write_after_head;
}

bool is_for_websocket(const Case& bound) {
  const auto bindings = wire::bindings();
  return std::ranges::none_of(
      bindings, [&](const auto& each) { return !each.is_upgrade && bound.applies_to(each.name); });
}

std::string lines_over_websocket(const Case& bound) {
  const auto target = transport::parse_target("ws://127.0.0.1:8546/");
  return run::websocket_lines(bound, {*target, {}, {}}, {}, run::way_to(*target));
}

// What needs connections goes to a server, and all else into a program.
std::string lines_on_stream(const Case& bound, const wire::Binding& stream,
                            const std::vector<std::string>& opening) {
  const bool needs_connections = std::ranges::any_of(
      bound.steps, [](const auto& step) { return step.then != corpus::Step::Then::read; });
  if (!needs_connections) {
    return run::pipe_line(bound, stream, {opening}, run::way_into("your-server"));
  }
  return run::pipe_line(bound, wire::on_sockets(stream), {opening},
                        run::way_to(*transport::parse_target("tcp://127.0.0.1:8545")));
}

// The newest version of the protocol that the case is of; null: it is of JSON-RPC alone.
const corpus::Profile* protocol_of_case(const Case& bound, const corpus::Corpus& corpus) {
  const auto* subject = corpus.ledger.find(bound.requirements.front());
  const corpus::Profile* protocol = nullptr;
  for (const auto& profile : corpus.profiles) {
    if (subject == nullptr || !profile.has_class(subject->class_name)) continue;
    if (profile.name == corpus::kDefaultProfile) return nullptr;
    if (profile.is_of(bound.versions) && profile.is_of(subject->versions)) protocol = &profile;
  }
  return protocol;
}

void add_shell_lines(const Case& bound, const corpus::Corpus& corpus, const std::string& cases,
                     TextLayout& page) {
  const auto* first = corpus.ledger.find(bound.requirements.front());
  const std::string profile = first == nullptr ? "" : profile_option(corpus, first->class_name);
  page.verbatim("Try", "jrpcheck run " + cases + profile + "--select " + bound.id + " --verbose " +
                           (is_for_websocket(bound) ? "ws://127.0.0.1:8546/" : "-- your-server"));
  std::string_view label = "By hand";
  const auto* protocol = protocol_of_case(bound, corpus);
  const auto applies = [&](bool to_a_stream) {
    const auto bindings = wire::bindings();
    const auto found = std::ranges::find_if(bindings, [&](const auto& each) {
      return each.is_stream() == to_a_stream && bound.applies_to(each.name) &&
             (protocol == nullptr || protocol->spoken_on.empty() ||
              contains(protocol->spoken_on, each.name));
    });
    return found == bindings.end() ? nullptr : &*found;
  };
  const auto opening = protocol != nullptr ? protocol->opening : std::vector<std::string>();
  if (const wire::Binding* stream = applies(true)) {
    page.verbatim(label, stream->is_upgrade ? lines_over_websocket(bound)
                                            : lines_on_stream(bound, *stream, opening));
    label = "";
  }
  if (applies(false) == nullptr) return;
  if (protocol != nullptr || std::ranges::any_of(bound.steps, is_in_pieces)) {
    const auto target = transport::parse_target("http://127.0.0.1:8545/");
    const auto habits = protocol != nullptr ? protocol->http : corpus::HttpHabits();
    return page.verbatim(label, run::curl_lines(bound, *target, {}, {habits, opening}));
  }
  for (const auto& step : bound.steps) {
    const std::size_t count = std::min(step.messages.size(), kShownMessages);
    for (std::size_t i = 0; i < count; ++i) {
      page.verbatim(label, curl(step, step.messages[i].text()));
      label = "";
    }
  }
}

}  // namespace

Result<std::string> explain_case(const Case& one, const corpus::Corpus& corpus,
                                 const std::vector<selftest::Mutant>& mutants,
                                 const std::string& cases) {
  auto bindings = example_bindings(one);
  const auto* protocol = protocol_of_case(one, corpus);
  if (protocol != nullptr) bindings.adopt(*protocol);
  const auto bound = corpus::bind(one, bindings);
  if (!bound) return bound.error();
  TextLayout page(fmt::format("{}   cases/{}:{}", one.id, one.file, one.line));
  page.gap();
  page.paragraph(one.title);
  page.gap();
  add_requirements(one.requirements, corpus.ledger, page);
  page.entry("Applies to", one.transports.empty() ? "every transport" : joined(one.transports));
  page.entry("Needs", needs_of(one));
  if (one.derived_from) {
    page.entry(
        "Made from",
        fmt::format(
            "{}: {} became {}", one.derived_from->from, to_visible(one.derived_from->replace),
            one.derived_from->with.empty() ? "nothing" : to_visible(one.derived_from->with)));
  }
  if (!one.observes.empty()) page.entry("Records", one.observes);
  for (const auto& step : bound->steps) {
    page.gap();
    add_step(step, *bound, corpus.ledger, page);
  }
  page.gap();
  add_kills(one, mutants, page);
  add_shell_lines(*bound, corpus, cases, page);
  page.gap();
  page.paragraph("Names and ids are examples: a run picks fresh ones.");
  return page.text();
}

}  // namespace jrpcheck::cli
