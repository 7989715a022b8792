#include "session/http_server.hpp"
#include "base/duration_text.hpp"

#include "base/bytes.hpp"
#include "session/patience.hpp"

namespace jrpcheck::session {
namespace {

// How often a port that refuses is tried again while a server starts. Connecting is the only way to
// learn that it listens; the wait between tries ends at once when the process ends.
constexpr milliseconds kPollInterval{10};
constexpr milliseconds kHttpServerGrace{500};
constexpr milliseconds kConnecting{2000};

}  // namespace

HttpServer::~HttpServer() {
  if (process_) process_->end(kHttpServerGrace);
}

Result<std::unique_ptr<transport::ByteStream>> HttpServer::connect(Deadline deadline) const {
  return transport::connect_tcp(target_.address, deadline);
}

Result<bool> HttpServer::start(Deadline deadline) {
  const std::lock_guard lock(mutex_);
  if (command_.empty()) {
    auto connected = connect(deadline);
    if (connected) return true;
    return Error{connected.error().message + "\nIs the server running at " + target_.redacted +
                 "? To let jrpcheck start it, put its command after --"};
  }
  if (connect(Deadline::in(kConnecting))) {
    return Error{"something answers at " + target_.address.text() +
                 " already, and would be judged in place of '" + command_[0] +
                 "': end it, or choose another port"};
  }
  return launch(deadline);
}

Result<bool> HttpServer::launch(Deadline deadline) {
  process_.reset();
  auto started =
      transport::ChildProcess::start(command_, transport::ChildProcess::Output::noted, *guardian_);
  if (!started) return started.error();
  process_ = *std::move(started);
  ++generation_;
  return await_port(deadline);
}

Result<bool> HttpServer::await_port(Deadline deadline) {
  const auto begin = Clock::now();
  for (;;) {
    auto connected = connect(Deadline::in(kConnecting));
    if (connected) return true;
    const auto wait = Deadline::earlier(deadline, Deadline::in(kPollInterval));
    const auto status = process_->await_exit(wait);
    if (!status && !deadline.passed()) continue;
    const auto waited = std::chrono::duration_cast<microseconds>(Clock::now() - begin);
    const std::string reason =
        status ? status->text() + " before it listened"
               : "did not listen in " + duration_text(waited) + " (--start-timeout gives it more)";
    return Error{"'" + command_[0] + "' " + reason + " at " + target_.address.text() + " (" +
                 connected.error().message + "); its output:\n" +
                 to_visible_lines(process_->standard_error_tail())};
  }
}

Result<bool> HttpServer::recover(unsigned long long generation, Deadline deadline) {
  const std::lock_guard lock(mutex_);
  if (generation != generation_) return true;
  if (!command_.empty()) return launch(deadline);
  // Somebody else runs it; a supervisor may bring it back.
  for (;;) {
    auto connected = connect(Deadline::in(kConnecting));
    if (connected) {
      ++generation_;
      return true;
    }
    if (deadline.passed()) return connected.error();
    transport::wait_until(Deadline::earlier(deadline, Deadline::in(kPollInterval)));
  }
}

std::optional<std::string> HttpServer::ended(Deadline deadline) {
  const std::lock_guard lock(mutex_);
  if (!process_) return std::nullopt;
  const auto status = process_->await_exit(deadline);
  return status ? std::optional(status->text()) : std::nullopt;
}

std::string HttpServer::standard_error_tail() {
  const std::lock_guard lock(mutex_);
  return process_ ? process_->standard_error_tail() : std::string();
}

std::optional<pid_t> HttpServer::process_group() const {
  const std::lock_guard lock(mutex_);
  return process_ ? std::optional(process_->group()) : std::nullopt;
}

unsigned long long HttpServer::generation() const {
  const std::lock_guard lock(mutex_);
  return generation_;
}

}  // namespace jrpcheck::session
