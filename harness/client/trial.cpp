#include "client/trial.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "client/client_process.hpp"
#include "client/scripted_server.hpp"
#include "json/number.hpp"
#include "json/parse.hpp"

namespace jrpcheck::client {
namespace {

using corpus::CallOutcome;

constexpr double kHighestCall = 999'999;

// A tree takes up to a hundred times its text, and several clients may print at once.
constexpr json::ParseOptions kPrintedLimits{.max_depth = 120'000, .max_values = 500'000};

std::optional<std::size_t> call_number(const json::Value& line) {
  const json::Value* number = line.find("n");
  if (number == nullptr || !number->is(json::Kind::number)) return std::nullopt;
  // Some languages have but one kind of numbers, and print 1.0 for 1.
  const double value = std::strtod(number->text().c_str(), nullptr);
  const bool is_whole = json::is_integer(number->text()) && value >= 1 && value <= kHighestCall;
  return is_whole ? std::optional(static_cast<std::size_t>(value)) : std::nullopt;
}

// Whether a line that is a JSON object is like that.
template <typename Test>
bool any_line(const std::string& printed, Test test) {
  std::string_view rest = printed;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto parsed = json::parse(line, kPrintedLimits);
    if (parsed && parsed.value->is(json::Kind::object) && test(*parsed.value)) return true;
  }
  return false;
}

std::string subject_text() { return std::to_string(kSubject); }

// In seconds: a call that ends by it is not seen to wait.
std::string limit_within(microseconds patience) {
  std::string text = std::to_string(static_cast<double>(patience.count()) / 3e6);
  return text.substr(0, text.find('.') + 3);
}

// Of whose calls nothing was said.
void tell_of_silent_calls(Trial& trial, bool calls_without_end) {
  for (auto& each : trial.shown) {
    if (!each.empty()) continue;
    each = !trial.ending.empty()
               ? "the program " + trial.ending + ", and has said nothing of the call"
           : calls_without_end ? "the program makes the call again and again"
                               : "the program waits";
  }
}

}  // namespace

std::map<std::size_t, std::string> printed_calls(const std::string& printed) {
  std::map<std::size_t, std::string> calls;
  std::string_view rest = printed;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto parsed = json::parse(line, kPrintedLimits);
    if (!parsed) continue;
    if (const auto number = call_number(*parsed.value)) calls.emplace(*number, line);
  }
  return calls;
}

bool tells_of_failed_note(const std::string& printed) {
  return any_line(printed, [](const json::Value& line) {
    return line.find("note") != nullptr && line.find("err") != nullptr;
  });
}

bool tells_of_limit(const std::string& printed) {
  return any_line(printed, [](const json::Value& line) {
    const json::Value* limit = line.find("limit");
    return limit != nullptr && limit->is(json::Kind::number);
  });
}

CallOutcome outcome_of(const std::string& text, const std::string& result) {
  const auto line = json::parse(text, kPrintedLimits);
  if (line && line.value->find("err") != nullptr) return CallOutcome::error;
  const json::Value* ok = line ? line.value->find("ok") : nullptr;
  const auto expected = json::parse(result);
  if (ok != nullptr && expected && json::equal(*ok, *expected.value)) return CallOutcome::value;
  return ok == nullptr || ok->is(json::Kind::null) ? CallOutcome::nothing : CallOutcome::wrong;
}

std::array<CallOutcome, kCalls + 1> outcomes_of(const std::string& printed,
                                                const std::array<std::string, kCalls + 1>& results,
                                                CallOutcome otherwise) {
  std::array<CallOutcome, kCalls + 1> outcomes{};
  const auto lines = printed_calls(printed);
  for (std::size_t n = 1; n <= kCalls; ++n) {
    const auto line = lines.find(n);
    outcomes.at(n) = line == lines.end() ? otherwise : outcome_of(line->second, results.at(n));
  }
  return outcomes;
}

Result<Trial> try_client(const corpus::Scenario& scenario, const ClientOptions& options,
                         Premises& premises, transport::Guardian& guardian) {
  Script script(scenario);
  // It grows with the patience, as in a second look.
  const auto for_close =
      std::max<microseconds>(ScriptedServer::kForTheirClose, options.patience / 3);
  auto server = ScriptedServer::start(*options.door, script, premises, for_close);
  if (!server) return server.error();
  ClientStart start{options.command, options.relay};
  start.order = name_of(scenario.order);
  start.patience = options.patience;
  if (scenario.is_of_notification) start.more.push_back("JRPCHECK_NOTIFY=" + subject_text());
  if (scenario.is_unanswered)
    start.more.push_back("JRPCHECK_TIMEOUT=" + limit_within(start.patience));
  start.is_enough = [&script](const std::string&, const std::string&) {
    return script.is_called_without_end();
  };
  auto end = run_to_end(start, **server, *options.door, premises, guardian);
  if (!end) return end.error();
  const auto& status = end->status;
  const std::string& printed = end->printed;
  const bool is_awaiting = is_left_awaiting(*end);
  const bool is_dead = has_died(*end);
  Trial trial;
  trial.was_cut_off = end->was_cut_off;
  trial.ends_no_line =
      options.door->takes_framings() && (*server)->is_met() && !(*server)->has_line_feed();
  trial.traffic = std::move(end->traffic);
  trial.standard_error = std::move(end->standard_error);
  trial.was_played = script.was_played();
  trial.batch_of_subject = script.batch_of_subject();
  trial.hindrance = script.hindrance();
  trial.own_answer = script.own_answer();
  trial.are_pings_answered = script.are_pings_answered();
  trial.has_notification_an_id = script.has_notification_an_id();
  trial.has_notification_failed = tells_of_failed_note(printed);
  trial.has_limit = tells_of_limit(printed);
  trial.is_close_answered = script.is_close_answered();
  trial.told = script.told();
  if (status) trial.ending = status->text();
  trial.was_killed = status && status->by_signal;
  if (options.has_driver) {
    std::array<std::string, kCalls + 1> results;
    for (std::size_t n = 1; n <= kCalls; ++n) results.at(n) = std::to_string(good_result(n));
    if (!scenario.result.empty()) results.at(kSubject) = scenario.result;
    // Whoever ends well, and has said nothing of a call, had nothing left to wait for: it never
    // ends.
    trial.outcomes =
        outcomes_of(printed, results, is_dead ? CallOutcome::died : CallOutcome::waits);
    for (auto& [n, line] : printed_calls(printed)) {
      if (n <= kCalls) trial.shown.at(n) = std::move(line);
    }
  } else {
    trial.outcomes.fill(!status || is_awaiting ? CallOutcome::waits
                        : status->by_signal    ? CallOutcome::died
                        : status->value == 0   ? CallOutcome::value
                                               : CallOutcome::error);
  }
  tell_of_silent_calls(trial, script.is_called_without_end());
  return trial;
}

}  // namespace jrpcheck::client
