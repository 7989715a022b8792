#include "run/program_sight.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/interruption.hpp"
#include "run/http_triage.hpp"
#include "transport/listening_ports.hpp"
#include "transport/process_group.hpp"
#include "transport/tcp.hpp"

namespace jrpcheck::run {
namespace {

// A program that serves both ways has answered on stdio by then; one that loads a lot, and opens a
// port for its own purposes first, may take longer.
constexpr milliseconds kBeforePorts{2000};
constexpr milliseconds kBetweenPorts{1000};
constexpr milliseconds kBetweenLooks{250};
constexpr milliseconds kBeforeTelling{1500};
// In so many looks, one after another, a program that comes up does not rest: it is on a processor,
// waits for one or for a disk, or says what it does.
constexpr int kLooksOfIdlers = 6;
constexpr milliseconds kSilentBesideHttp{3000};
// Timers cost an idle program a little, of the 25 hundredths of a second between two looks.
constexpr long long kTicksOfIdlers = 2;

std::string last_line_of(const std::string& text) {
  const auto end = text.find_last_not_of(" \t\r\n") + 1;
  const auto begin = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;
  return to_visible(std::string_view(text).substr(begin, end - begin));
}

}  // namespace

void ProgramSight::add(const std::shared_ptr<transport::Program>& program) {
  if (programs_.empty()) next_ports_ = Deadline::in(kBeforePorts);
  programs_.push_back(program);
  if (const auto group = program->group()) groups_.push_back(*group);
}

void ProgramSight::note_output(const std::string& first_words) {
  if (first_words_.empty()) first_words_ = first_words;
  idle_looks_ = 0;
}

void ProgramSight::look() {
  if (groups_.empty() || is_interrupted() || !next_activity_.passed()) return;
  next_activity_ = Deadline::in(kBetweenLooks);
  note_activity();
  if (next_ports_.passed() && !rpc_port_) look_at_ports();
  tell_guess();
  if (!options_.tell_seen || Clock::now() - begin_ < kBeforeTelling) return;
  std::string now = seen();
  if (now == told_) return;
  told_ = std::move(now);
  options_.tell_seen(told_);
}

void ProgramSight::note_activity() {
  bool is_running = false;
  const auto ticks = cpu_ticks(is_running);
  std::string logged = log();
  // Where the system tells nothing of it, it may be at work.
  const bool is_at_work = !ticks || is_running || *ticks - ticks_ > kTicksOfIdlers;
  idle_looks_ = is_at_work || logged != logged_ ? 0 : idle_looks_ + 1;
  ticks_ = ticks.value_or(0);
  logged_ = std::move(logged);
}

std::optional<long long> ProgramSight::cpu_ticks(bool& is_running) const {
  std::optional<long long> ticks;
  for (const auto& process : transport::processes_of(groups_)) {
    ticks = ticks.value_or(0) + process.cpu_ticks;
    is_running = is_running || transport::is_running(process.id);
  }
  return ticks;
}

void ProgramSight::look_at_ports() {
  next_ports_ = Deadline::in(kBetweenPorts);
  bool is_new = false;
  for (const pid_t group : groups_) {
    const auto ports = transport::listening_ports(group);
    for (const int port : ports) {
      const bool is_known = contains(looked_at_, port);
      if (is_known || rpc_port_) continue;
      is_new = true;
      looked_at_.push_back(port);
      look_at(port);
    }
    if (!ports.empty()) break;  // the others are the same program
  }
  if (!is_new) return;
  bool is_running = false;
  ticks_ = cpu_ticks(is_running).value_or(0);  // what the calls have cost it is no work of its own
}

void ProgramSight::look_at(int port) {
  const auto target = transport::parse_target(fmt::format("http://127.0.0.1:{}/", port));
  if (!target) return;
  const auto dial = target->place().dial;
  const auto found = find_path(dial, *target, {}, call_, {});
  if (found.is_http && !http_port_) http_port_ = port;
  if (!found.path) return;
  rpc_port_ = port;
  rpc_path_ = *found.path;
}

std::optional<Stranger> ProgramSight::recognised() const {
  return rpc_port_ && is_idle() ? supposed() : std::nullopt;
}

// Whoever waits there for a request over HTTP cannot be told from a server on stdio that waits for
// a database, beside a port for its health: only the time that it may take to come up decides.
void ProgramSight::tell_guess() {
  const bool may_serve_there = http_port_ && !rpc_port_ && is_idle() && !has_read_input_;
  if (has_guessed_ || !may_serve_there || Clock::now() - begin_ < kSilentBesideHttp) return;
  has_guessed_ = true;
  if (!options_.tell_guess) return;
  const std::string url = fmt::format("http://127.0.0.1:{}/", *http_port_);
  options_.tell_guess(
      fmt::format("{} says nothing on stdio so far, and speaks HTTP on port {}; did you mean\n  {}",
                  options_.command.front(), *http_port_, command_for(options_, url)));
}

std::optional<Stranger> ProgramSight::supposed() const {
  if (rpc_port_) {
    const std::string url = fmt::format("http://127.0.0.1:{}{}", *rpc_port_, rpc_path_);
    return Stranger{.what = fmt::format("it says nothing on stdio, and answers JSON-RPC over HTTP "
                                        "on port {}",
                                        *rpc_port_),
                    .advice = {"did you mean", command_for(options_, url)}};
  }
  if (!http_port_) return std::nullopt;
  const std::string url = fmt::format("http://127.0.0.1:{}/", *http_port_);
  return Stranger{
      .what = fmt::format("it says nothing on stdio, and speaks HTTP on port {}", *http_port_),
      .advice = {"did you mean", command_for(options_, url),
                 "if it serves on stdio, and later: --start-timeout SECONDS"}};
}

bool ProgramSight::is_idle() const { return idle_looks_ >= kLooksOfIdlers; }

std::string ProgramSight::log() const {
  for (const auto& each : programs_) {
    const auto program = each.lock();
    if (!program || program->ended(Deadline::in(microseconds(0)))) continue;
    std::string tail = program->standard_error_tail();
    if (!tail.empty()) return tail;
  }
  return {};
}

std::string ProgramSight::seen() const {
  if (rpc_port_) return fmt::format("it answers over HTTP on port {}", *rpc_port_);
  if (http_port_) return fmt::format("HTTP on port {}, nothing on stdio", *http_port_);
  if (!first_words_.empty()) return "it says " + last_line_of(first_words_);
  if (!logged_.empty()) return "it logs " + last_line_of(logged_);
  if (has_read_input_) return "it has read the calls, and is silent";
  return is_idle() ? "it idles, and has read no call" : "it works, and has read no call";
}

}  // namespace jrpcheck::run
