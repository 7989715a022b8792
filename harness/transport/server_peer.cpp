#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/bytes.hpp"
#include "base/duration_text.hpp"
#include "base/interruption.hpp"
#include "transport/child_program.hpp"
#include "transport/listening_ports.hpp"
#include "transport/peer.hpp"
#include "transport/unix_socket.hpp"

namespace jrpcheck::transport {
namespace {

// How often a server that refuses is tried again while it starts. Connecting is the only way to
// learn that it listens; the wait between tries ends at once when the process ends.
constexpr milliseconds kRetryInterval{10};
constexpr milliseconds kConnecting{2000};

// Whatever the command is, it goes behind this as it stands.
constexpr std::string_view kInputKeptOpen =
    "\nIf it reads its standard input to the end before it serves: jrpcheck keeps that open, and "
    "-- sh -c 'exec \"$0\" \"$@\" </dev/null' in front of the command gives it an end";

// A server that somebody else runs on this machine, by its port.
class Stranger : public Worker {
 public:
  explicit Stranger(int port) : port_(port) {}

  std::optional<ProcessorUse> processor_use() override {
    const std::lock_guard lock(mutex_);
    auto use = processor_use_of_processes(processes_);
    if (use) return use;
    processes_ = listeners_at(port_);  // it has not been looked for, or has been started anew
    std::erase(processes_, ::getpid());
    return processor_use_of_processes(processes_);
  }

 private:
  const int port_;
  std::mutex mutex_;
  std::vector<pid_t> processes_;
};

class ServerPeer : public Peer {
 public:
  explicit ServerPeer(Place place)
      : place_(std::move(place)),
        stranger_(place_.local_port == 0 ? nullptr
                                         : std::make_shared<Stranger>(place_.local_port)) {}
  ServerPeer(Place place, std::vector<std::string> command, Guardian& guardian)
      : place_(std::move(place)), command_(std::move(command)), guardian_(&guardian) {}
  ~ServerPeer() override {
    if (program_) program_->end(2 * kGrace);
    remove_socket_file();
  }

  Result<bool> start(Deadline deadline) override;
  Result<Connection> connect(Deadline deadline) override {
    auto stream = place_.dial(deadline);
    if (!stream) return stream.error();
    return Connection{*std::move(stream)};
  }
  Result<bool> revive(Generation seen, Deadline deadline) override;

  Generation generation() const override {
    const std::lock_guard lock(mutex_);
    return generation_;
  }
  bool is_shared() const override { return true; }
  std::shared_ptr<Program> program() const override {
    const std::lock_guard lock(mutex_);
    return program_;
  }
  std::shared_ptr<Worker> worker() const override {
    if (stranger_) return stranger_;
    return program();
  }

 private:
  Result<bool> launch(Deadline deadline);
  void remove_socket_file();
  Result<bool> await_listener(Deadline deadline);
  Result<bool> may_speak(Deadline deadline);

  const Place place_;
  const std::shared_ptr<Worker> stranger_;
  const std::vector<std::string> command_;
  Guardian* guardian_ = nullptr;
  mutable std::mutex mutex_;  // guards what follows, and is held while it is brought back
  std::shared_ptr<ChildProgram> program_;
  bool has_listened_ = false;  // that program
  Generation generation_ = 0;
};

Result<bool> ServerPeer::start(Deadline deadline) {
  const std::lock_guard lock(mutex_);
  if (command_.empty()) {
    auto connected = place_.dial(deadline);
    if (connected) return true;
    // Whoever answers is there.
    if (place_.knock && place_.is_listened_at(Deadline::in(kConnecting))) return connected.error();
    return Error{connected.error().message + "\nIs the server running at " + place_.shown +
                 "? To let jrpcheck start it, put its command after --"};
  }
  if (place_.is_listened_at(Deadline::in(kConnecting))) {
    return Error{"something answers at " + place_.address +
                 " already, and would be judged in place of '" + command_[0] +
                 "': end it, or choose another address"};
  }
  return launch(deadline);
}

Result<bool> ServerPeer::launch(Deadline deadline) {
  if (program_) program_->end(microseconds(0));  // others may hold it still
  program_.reset();
  remove_socket_file();
  if (is_interrupted()) return Error{interruption_text()};  // it would only have to be ended
  auto started = ChildProcess::start(command_, ChildProcess::Output::noted, *guardian_);
  if (!started) return started.error();
  program_ = std::make_shared<ChildProgram>(*std::move(started));
  ++generation_;
  return await_listener(deadline);
}

// What the program has left behind; not where one that it has started goes on listening.
void ServerPeer::remove_socket_file() {
  const bool may_be_left = std::exchange(has_listened_, false) && !place_.socket_file.empty();
  if (may_be_left && !place_.is_listened_at(Deadline::in(kConnecting))) {
    remove_unix(place_.socket_file);
  }
}

Result<bool> ServerPeer::await_listener(Deadline deadline) {
  const auto begin = Clock::now();
  for (;;) {
    auto connected = (place_.knock ? place_.knock : place_.dial)(Deadline::in(kConnecting));
    if (connected) {
      has_listened_ = true;
      return may_speak(deadline);
    }
    const auto wait = Deadline::earlier(deadline, Deadline::in(kRetryInterval));
    const auto status = program_->ended(wait);
    if (!status && !deadline.passed()) continue;
    const auto waited = time_since(begin);
    const std::string reason =
        status ? status->text() + " before it listened"
               : "did not listen in " + duration_text(waited) + " (--start-timeout gives it more)";
    const std::string said = program_->standard_error_tail();
    return Error{"'" + command_[0] + "' " + reason + " at " + place_.address + " (" +
                 connected.error().message + "); " +
                 (said.empty() ? "it wrote nothing to standard error"
                               : "its output:\n" + to_visible_lines(said)) +
                 std::string(status ? "" : kInputKeptOpen)};
  }
}

// Where a handshake comes before the first message it is tried once. A program may listen before it
// shakes hands: some make their key in between, which takes seconds.
Result<bool> ServerPeer::may_speak(Deadline deadline) {
  if (!place_.knock) return true;
  auto connected =
      place_.dial(Deadline::in(std::max<microseconds>(kConnecting, deadline.remaining())));
  if (!connected) return connected.error();
  return true;
}

Result<bool> ServerPeer::revive(Generation seen, Deadline deadline) {
  const std::lock_guard lock(mutex_);
  if (seen != generation_) return true;
  if (!command_.empty()) return launch(deadline);
  // Somebody else runs it; a supervisor may bring it back.
  for (;;) {
    auto connected = place_.dial(Deadline::in(kConnecting));
    if (connected) {
      ++generation_;
      return true;
    }
    if (deadline.passed()) return connected.error();
    wait_until(Deadline::earlier(deadline, Deadline::in(kRetryInterval)));
  }
}

}  // namespace

std::unique_ptr<Peer> make_server_peer(Place place) {
  return std::make_unique<ServerPeer>(std::move(place));
}

std::unique_ptr<Peer> make_server_peer(Place place, std::vector<std::string> command,
                                       Guardian& guardian) {
  return std::make_unique<ServerPeer>(std::move(place), std::move(command), guardian);
}

}  // namespace jrpcheck::transport
