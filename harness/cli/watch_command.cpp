#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <iostream>
#include <system_error>
#include <utility>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/failure.hpp"
#include "base/interruption.hpp"
#include "cli/endpoint_session.hpp"
#include "cli/kept_secrets.hpp"
#include "cli/parse_words.hpp"
#include "cli/signals.hpp"
#include "cli/watch_options.hpp"
#include "reports/report.hpp"
#include "traffic/account.hpp"
#include "transport/descriptor.hpp"
#include "watch/observer.hpp"
#include "watch/watcher.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::cli {
namespace {

using transport::Descriptor;

// Of lines part is lost where nobody reads.
class StandardError {
 public:
  /// How long whoever reads it is waited for, in all. What carries the traffic does not wait.
  explicit StandardError(milliseconds patience = {}) : patience_(patience) {}

  void tell(const std::string& line) {
    const std::string text = line + "\n";
    for (std::string_view left = text; !left.empty();) {
      const auto begin = Clock::now();
      pollfd output{STDERR_FILENO, POLLOUT, 0};
      const bool is_read = ::poll(&output, 1, static_cast<int>(patience_.count())) > 0;
      const auto waited = std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
      patience_ = std::max(patience_ - waited, milliseconds(0));
      if (!is_read) return;
      // So much goes into a pipe that takes anything.
      const auto count =
          ::write(STDERR_FILENO, left.data(), std::min<std::size_t>(left.size(), PIPE_BUF));
      if (count <= 0) return;
      left.remove_prefix(static_cast<std::size_t>(count));
    }
  }

 private:
  milliseconds patience_;
};

constexpr milliseconds kPatienceWithReader{3000};

// The file of --record. A disk that is full ends the recording and nothing else.
class Recording {
 public:
  Recording(const std::string& path, StandardError& standard_error)
      : path_(path),
        standard_error_(standard_error),
        file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {
    if (!file_.is_open()) give_up("nothing is recorded");
  }

  void write(std::string_view line) {
    while (!line.empty() && file_.is_open()) {
      const ssize_t count = ::write(file_.get(), line.data(), line.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return give_up("nothing more is recorded");
      line.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  bool is_whole() const { return file_.is_open(); }

 private:
  void give_up(const std::string& consequence) {
    const std::string reason = std::strerror(errno);
    standard_error_.tell("jrpcheck: --record: " + path_ + " cannot be written to, " + consequence +
                         ": " + reason);
    file_.reset();
  }

  std::string path_;
  StandardError& standard_error_;
  Descriptor file_;
};

// In which alone a protocol is spoken on standard input and output (MCP basic/transports); null
// where that is not said.
const wire::Binding* framing_of_programs(const corpus::Profile& profile) {
  const wire::Binding* sole = nullptr;
  for (const auto& binding : wire::bindings()) {
    if (!binding.tried_unasked || !contains(profile.spoken_on, binding.name)) continue;
    if (sole != nullptr) return nullptr;
    sole = &binding;
  }
  return sole;
}

watch::ObserverOptions observer_options(const WatchOptions& options) {
  const auto& endpoint = options.endpoint;
  watch::ObserverOptions made;
  made.secrets = kept_secrets();
  made.tool_version = kVersion;
  made.framing = endpoint.framing;
  made.origin.transport = run::transport_of(endpoint);
  if (!endpoint.target) {
    made.origin.target = shell_line(endpoint.command);
    if (made.framing == nullptr) made.framing = framing_of_programs(options.corpus.profile);
  } else {
    const auto* own = wire::binding_named(endpoint.target->scheme->binding);
    made.is_http = own != nullptr;
    made.path = endpoint.target->path;
    made.on_sockets = true;
    made.origin.target = endpoint.target->redacted;
    if (own != nullptr) made.origin.binding = own;
  }
  if (endpoint.framing != nullptr && !made.is_http) {
    made.origin.binding = made.on_sockets ? &wire::on_sockets(*endpoint.framing) : endpoint.framing;
  }
  made.print = [](const std::string&) {};
  return made;
}

ExitCode code_of(const result::Run& run, FailOn fail_on) {
  if (fail_on == FailOn::never) return ExitCode::ok;
  const bool fails = run.counts.fail > 0 || (fail_on == FailOn::warn && run.counts.warn > 0);
  return fails ? ExitCode::failed : ExitCode::ok;
}

// The process that judges. It sees neither the streams nor the signals of the other.
ExitCode observe(const WatchOptions& options, Descriptor pipe) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  take_file_limits_for_errors();
  StandardError standard_error(kPatienceWithReader);
  auto made = observer_options(options);
  if (!options.quiet) made.print = [&](const std::string& line) { standard_error.tell(line); };
  std::unique_ptr<Recording> recording;
  if (!options.record.empty()) {
    recording = std::make_unique<Recording>(options.record, standard_error);
    made.record = [&](const std::string& line) { recording->write(line); };
  }
  watch::Observer observer(options.corpus, std::move(made));
  {
    watch::JournalReader journal(std::move(pipe));
    while (const auto entry = journal.next()) observer.take(*entry);
    if (journal.is_cut_off()) observer.cut_off();
  }
  observer.end();
  // Closed before the reports are written: where descriptors are few they take its place.
  const bool recorded = !recording || recording->is_whole();
  recording.reset();
  const auto run = observer.run();
  const bool written = write_reports(run, options.reports);
  if (options.verbose) {
    standard_error.tell(reports::render_console(
        run, {wants_color(options.color, STDERR_FILENO), options.quiet, false, {}}));
  } else {
    standard_error.tell(observer.summary() + std::string(result::name_of(run->verdict)));
  }
  return written && recorded ? code_of(run, options.fail_on) : ExitCode::internal;
}

// Where what judges cannot go on, or not begin. What it has told stands; of the whole nothing is
// known.
ExitCode report_failure(const WatchOptions& options, const std::string& failure) {
  StandardError(kPatienceWithReader).tell("jrpcheck: " + failure + "; nothing more is judged");
  auto run = traffic::unjudged_run(options.corpus, observer_options(options).origin, failure);
  run.tool_version = kVersion;
  write_reports(without_secrets(std::move(run)), options.reports);
  return ExitCode::internal;
}

ExitCode observe_or_tell(const WatchOptions& options, Descriptor pipe) {
  ExitCode code = ExitCode::internal;
  const auto observe_all = [&] {
    const std::string failure =
        failure_of_command([&] { code = observe(options, std::move(pipe)); });
    if (!failure.empty()) code = report_failure(options, failure);
  };
  // Where not even a report can be had, why has been told.
  static_cast<void>(failure_of(observe_all));
  return code;
}

struct Judging {
  pid_t process = -1;
  Descriptor pipe;
};

// Standard output belongs to the traffic, and standard input to the server.
void leave_streams(bool is_program) {
  const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ::dup2(nothing.get(), STDIN_FILENO);
  if (is_program) ::dup2(nothing.get(), STDOUT_FILENO);
}

// Before any thread is started: it forks.
Judging begin_judging(const WatchOptions& options) {
  auto [reading, writing] = transport::make_pipe();
  auto [has_left, leaving] = transport::make_pipe();
  std::cout << std::flush;
  const pid_t process = ::fork();
  if (process < 0) {
    throw std::system_error(errno, std::generic_category(), "cannot start what judges");
  }
  if (process > 0) {
    // Nothing passes before what judges has left the group.
    leaving.reset();
    char end = 0;
    while (::read(has_left.get(), &end, 1) < 0 && errno == EINTR) {
    }
    return {process, std::move(writing)};
  }
  // Emacs ends its servers by SIGKILL to their group. What is judged then is what was seen.
  ::setsid();
  leaving.reset();
  has_left.reset();
  writing.reset();
  leave_streams(!options.listen);
  const ExitCode code = observe_or_tell(options, std::move(reading));
  std::cout << std::flush;
  ::_exit(static_cast<int>(code));
}

ExitCode end_judging(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) return static_cast<ExitCode>(WEXITSTATUS(status));
  return complain(ExitCode::internal, "what judges the traffic has crashed; the traffic went on");
}

Result<transport::Listener> listen_at(const ListenAddress& where) {
  return where.path.empty() ? transport::Listener::on_tcp(where.address)
                            : transport::Listener::on_unix(where.path);
}

// What the client is to be told in place of TARGET.
std::string place_text(const WatchOptions& options, const transport::Listener& listener) {
  if (!options.listen->path.empty()) return "unix:" + options.listen->path;
  auto address = options.listen->address;
  address.port = std::to_string(listener.port());
  return options.endpoint.target->url_of_relay(address);
}

// Silence about it would look like an end that one of the two had chosen.
void tell_of_the_time() {
  if (is_interrupted() && !is_signalled()) {
    StandardError().tell("jrpcheck: " + interruption_text() + "; what was under way is cut off");
  }
}

ExitCode watch_listening(const WatchOptions& options, Judging judging) {
  heed_interruptions();
  end_of_time = options.end;
  auto listener = listen_at(*options.listen);
  if (!listener) {
    ::kill(judging.process, SIGKILL);
    ::waitpid(judging.process, nullptr, 0);
    return complain(ExitCode::usage, listener.error().message);
  }
  const auto& target = *options.endpoint.target;
  StandardError().tell("jrpcheck: watching " + place_text(options, *listener) + " -> " +
                       target.redacted);
  Result<bool> is_reached = true;
  const std::string failure = failure_of([&] {
    watch::JournalWriter journal(std::move(judging.pipe));
    is_reached = watch::watch_server(
        *listener, target.place().dial, journal,
        [](const std::string& why) { StandardError().tell("jrpcheck: " + why); });
    tell_of_the_time();
  });
  const ExitCode judged = end_judging(judging.process);
  if (!failure.empty()) return complain(ExitCode::internal, failure);
  if (!is_reached) return complain(ExitCode::internal, is_reached.error().message);
  if (*is_reached || judged != ExitCode::ok || options.fail_on == FailOn::never) return judged;
  return complain(ExitCode::unreachable, target.redacted + " could never be reached");
}

ExitCode watch_in_place(const WatchOptions& options, Judging judging) {
  Result<transport::ExitStatus> ended = Error{};
  const std::string failure = failure_of([&] {
    Descriptor pipe = std::move(judging.pipe);      // whose end those who judge wait for
    const auto guardian = guard_what_is_started();  // forks as well
    end_of_time = options.end;
    watch::JournalWriter journal(std::move(pipe));
    ended = watch::watch_program(options.endpoint.command, *guardian, journal);
    tell_of_the_time();
  });
  const ExitCode judged = end_judging(judging.process);
  if (!failure.empty()) return complain(ExitCode::internal, failure);
  if (!ended) return complain(ExitCode::unreachable, ended.error().message);
  if (judged != ExitCode::ok) return judged;
  constexpr int kOfSignals = 128;  // as shells have it
  return static_cast<ExitCode>(ended->by_signal ? kOfSignals + ended->value : ended->value);
}

}  // namespace

Action declare_watch(CLI::App& app) {
  return [read = declare_watch_options(app)](const CommandLine& line) {
    const auto options = read(line);
    if (!options) return complain(ExitCode::usage, options.error().message);
    transport::ignore_broken_pipes();
    Judging judging;
    const std::string failure = failure_of([&] { judging = begin_judging(*options); });
    if (!failure.empty()) return report_failure(*options, failure);
    return options->listen ? watch_listening(*options, std::move(judging))
                           : watch_in_place(*options, std::move(judging));
  };
}

}  // namespace jrpcheck::cli
