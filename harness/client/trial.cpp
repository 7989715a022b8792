#include "client/trial.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "client/scripted_server.hpp"
#include "json/parse.hpp"
#include "transport/child_process.hpp"

namespace jrpcheck::client {
namespace {

using corpus::CallOutcome;
using transport::ChildProcess;

constexpr milliseconds kTrialLook{20};
constexpr microseconds kForStarting = std::chrono::seconds(10);
constexpr microseconds kMostOfATrial = std::chrono::seconds(60);
constexpr std::size_t kMostPrinted = 4U << 20;

// As a shell reads them.
std::string shell_words(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + shell_quote(word);
  return text;
}

// env(1) sets what the program finds in its environment.
std::vector<std::string> command_of(const ClientOptions& options, const corpus::Scenario& scenario,
                                    const ScriptedServer& server, const Premises& premises) {
  std::vector<std::string> command = {"env", "JRPCHECK_CALLS=1,2,3",
                                      "JRPCHECK_ORDER=" + std::string(name_of(scenario.order))};
  std::vector<std::string> relay;
  if (options.door->is_stdio()) {
    relay = options.relay;
    relay.push_back(server.socket());
    command.push_back("JRPCHECK_SERVER=" + shell_words(relay));
  } else {
    command.push_back("JRPCHECK_URL=" + server.url());
  }
  const std::string authority = premises.authority_file();
  if (!authority.empty()) command.push_back("JRPCHECK_CACERT=" + authority);
  const auto words = filled_command(options.command, server.url(), authority, relay);
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

std::optional<std::size_t> call_number(const json::Value& line) {
  const json::Value* number = line.find("n");
  if (number == nullptr || number->text().size() != 1) return std::nullopt;
  const auto n = static_cast<std::size_t>(number->text().front() - '0');
  return n >= 1 && n <= kCalls ? std::optional(n) : std::nullopt;
}

CallOutcome outcome_of(const json::Value& line, const std::string& result) {
  if (line.find("err") != nullptr) return CallOutcome::error;
  const json::Value* ok = line.find("ok");
  if (ok == nullptr || ok->is(json::Kind::null)) return CallOutcome::nothing;
  const auto expected = json::parse(result);
  return expected && json::equal(*ok, *expected.value) ? CallOutcome::value : CallOutcome::wrong;
}

// The line of JSON that a driver printed of a call.
std::string line_of(const std::string& printed, std::size_t number) {
  std::string_view rest = printed;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto parsed = json::parse(line);
    if (parsed && call_number(*parsed.value) == number) return std::string(line);
  }
  return {};
}

}  // namespace

std::vector<std::string> filled_command(const std::vector<std::string>& command,
                                        const std::string& url, const std::string& authority_file,
                                        const std::vector<std::string>& server) {
  std::vector<std::string> filled;
  for (std::string word : command) {
    if (word == "{server}") {
      filled.insert(filled.end(), server.begin(), server.end());
      continue;
    }
    replace_all(word, "{url}", url);
    replace_all(word, "{cacert}", authority_file);
    replace_all(word, "{server}", shell_words(server));
    filled.push_back(std::move(word));
  }
  return filled;
}

std::array<CallOutcome, kCalls + 1> outcomes_of(const std::string& printed,
                                                const std::array<std::string, kCalls + 1>& results,
                                                CallOutcome otherwise) {
  std::array<CallOutcome, kCalls + 1> outcomes{};
  for (std::size_t n = 1; n <= kCalls; ++n) {
    const auto line = json::parse(line_of(printed, n));
    outcomes.at(n) = line ? outcome_of(*line.value, results.at(n)) : otherwise;
  }
  return outcomes;
}

Result<Trial> try_client(const corpus::Scenario& scenario, const ClientOptions& options,
                         Premises& premises, transport::Guardian& guardian) {
  Script script(scenario);
  auto server = ScriptedServer::start(*options.door, script, premises);
  if (!server) return server.error();
  const auto output = ChildProcess::Output::piped;
  auto started =
      ChildProcess::start(command_of(options, scenario, **server, premises), output, guardian);
  if (!started) return started.error();
  auto& process = **started;
  process.stream().close_write();
  std::string printed;
  // Who goes on for so long, whatever passes meanwhile, never ends.
  const auto most = Deadline::in(std::max<microseconds>(kMostOfATrial, 20 * options.patience));
  auto last = Clock::now();
  bool has_ended = false;
  while (!has_ended && !is_interrupted() && !most.passed()) {
    const std::size_t size = printed.size();
    has_ended = process.stream().transfer({}, printed, Deadline::in(kTrialLook)).ended;
    if (printed.size() > kMostPrinted) break;
    if (printed.size() > size) last = Clock::now();
    last = std::max(last, (*server)->last_activity());
    // Until it speaks it is being started, which takes longer on a busy machine and is no waiting.
    const auto patience =
        (*server)->is_met() ? options.patience : std::max(options.patience, kForStarting);
    if (Clock::now() - last > patience) break;
  }
  const auto status = process.await_exit(has_ended ? Deadline::in(options.patience)
                                                   : Deadline::firmly_in(microseconds(0)));
  Trial trial;
  trial.was_cut_off = is_interrupted();
  if (!status) process.end(microseconds(0));
  trial.traffic = (*server)->stop();
  trial.standard_error = process.standard_error_tail();
  trial.was_played = script.was_played();
  trial.is_own_id_answered = script.is_own_id_answered();
  trial.is_own_call_answered = script.is_own_call_answered();
  trial.told = script.told();
  if (status) trial.ending = status->text();
  trial.was_killed = status && status->by_signal;
  if (options.has_driver) {
    std::array<std::string, kCalls + 1> results;
    for (std::size_t n = 1; n <= kCalls; ++n) results.at(n) = std::to_string(good_result(n));
    if (!scenario.result.empty()) results.at(kSubject) = scenario.result;
    // Whoever ends well, and has said nothing of a call, had nothing left to wait for: it never
    // ends.
    const bool has_died = status && (status->by_signal || status->value != 0);
    trial.outcomes =
        outcomes_of(printed, results, has_died ? CallOutcome::died : CallOutcome::waits);
    trial.shown = line_of(printed, kSubject);
  } else {
    trial.outcomes.fill(!status              ? CallOutcome::waits
                        : status->by_signal  ? CallOutcome::died
                        : status->value == 0 ? CallOutcome::value
                                             : CallOutcome::error);
  }
  if (trial.shown.empty()) {
    trial.shown = status ? "the program " + trial.ending + ", and has said nothing of the call"
                         : "the program waits";
  }
  return trial;
}

}  // namespace jrpcheck::client
