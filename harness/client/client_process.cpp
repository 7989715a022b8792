#include "client/client_process.hpp"

#include <algorithm>
#include <fstream>
#include <utility>

#include "base/bytes.hpp"
#include "client/relay_words.hpp"
#include "transport/child_process.hpp"

namespace jrpcheck::client {
namespace {

using transport::ChildProcess;

constexpr milliseconds kLookAtProcess{20};
constexpr microseconds kForStarting = std::chrono::seconds(10);
constexpr microseconds kMostOfATrial = std::chrono::seconds(60);
constexpr std::size_t kMostPrinted = 4U << 20;

// env(1) sets what the program finds in its environment.
std::vector<std::string> command_of(const ClientStart& start, const ScriptedServer& server,
                                    const Door& door, const Premises& premises) {
  std::vector<std::string> command = {"/usr/bin/env", "JRPCHECK_CALLS=" + start.calls,
                                      "JRPCHECK_ORDER=" + start.order};
  command.insert(command.end(), start.more.begin(), start.more.end());
  std::vector<std::string> relay;
  const std::string url = server.url(start.path);
  if (door.is_stdio()) {
    relay = start.relay;
    relay.push_back(server.socket());
    if (start.relay_writes_errors) relay.emplace_back(kRelayWritesErrors);
    command.push_back("JRPCHECK_SERVER=" + shell_line(relay));
  } else {
    command.push_back("JRPCHECK_URL=" + url);
  }
  const std::string authority = premises.authority_file();
  if (!authority.empty()) command.push_back("JRPCHECK_CACERT=" + authority);
  const auto words = filled_command(start.command, url, authority, relay);
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
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
    replace_all(word, "{server}", shell_line(server));
    filled.push_back(std::move(word));
  }
  return filled;
}

bool is_left_awaiting(const ClientEnd& end) {
  constexpr int kUnsettledAwait = 13;  // Node.js, process, "Exit codes"
  if (!end.status || end.status->by_signal || end.status->value != kUnsettledAwait) return false;
  // Node 22 warns of it; Node 20 ends without a word, but for the warnings that it may have given
  // before ("(node:4242) ExperimentalWarning: ..."). Who says something else has failed.
  const auto& said = end.standard_error;
  return said.empty() || said.find("unsettled top-level await") != said.npos ||
         said.find("(node:") != said.npos;
}

bool has_died(const ClientEnd& end) {
  const auto& status = end.status;
  return status && (status->by_signal || status->value != 0) && !is_left_awaiting(end);
}

Result<ClientEnd> run_to_end(const ClientStart& start, ScriptedServer& server, const Door& door,
                             const Premises& premises, transport::Guardian& guardian) {
  auto started = ChildProcess::start(command_of(start, server, door, premises),
                                     ChildProcess::Output::piped, guardian);
  if (!started) return started.error();
  auto& process = **started;
  process.stream().close_write();
  ClientEnd end;
  // Who goes on for so long, whatever passes meanwhile, never ends.
  const auto most = Deadline::in(std::max<microseconds>(kMostOfATrial, 20 * start.patience));
  auto last = Clock::now();
  bool has_ended = false;
  bool is_quiet = false;
  while (!has_ended && !is_quiet && !is_interrupted() && !most.passed()) {
    const std::size_t size = end.printed.size();
    has_ended = process.stream().transfer({}, end.printed, Deadline::in(kLookAtProcess)).ended;
    if (end.printed.size() > kMostPrinted || server.is_flooded()) break;
    if (start.is_enough && start.is_enough(end.printed, process.standard_error_tail())) break;
    if (end.printed.size() > size) last = Clock::now();
    last = std::max(last, server.last_activity());
    // Until it speaks it is being started, which takes longer on a busy machine and is no waiting;
    // a real server may take as long.
    const bool is_patient = !server.is_met() || (start.awaits_server && start.awaits_server());
    const auto patience = is_patient ? std::max(start.patience, kForStarting) : start.patience;
    is_quiet = Clock::now() - last > patience;
  }
  end.status = process.await_exit(has_ended ? Deadline::in(start.patience)
                                            : Deadline::firmly_in(microseconds(0)));
  end.was_cut_off = is_interrupted();
  if (!end.status) {
    // Who waits is not within a message.
    if (!is_quiet) server.expect_kill();
    process.end(microseconds(0));
  }
  end.is_restless = !end.status && !is_quiet && !has_ended;
  end.traffic = server.stop();
  if (door.is_stdio()) end.servers_ended = lines_of(server.socket() + std::string(kRelayNote));
  end.standard_error = process.standard_error_tail();
  return end;
}

}  // namespace jrpcheck::client
