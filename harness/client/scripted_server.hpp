// The server of one trial: behind a port of its own, until it is stopped.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/result.hpp"
#include "client/door.hpp"
#include "client/premises.hpp"
#include "client/script.hpp"
#include "transport/listener.hpp"

namespace jrpcheck::client {

class ScriptedServer {
 public:
  static Result<std::unique_ptr<ScriptedServer>> start(const Door& door, Script& script,
                                                       Premises& premises);
  ~ScriptedServer();

  /// Empty where the client starts a program, which is to come to `socket`.
  std::string url() const;
  const std::string& socket() const { return socket_; }
  /// When anything passed last.
  Clock::time_point last_activity() const { return last_activity_.load(); }
  /// Whether the client has said anything.
  bool is_met() const { return is_met_; }
  /// What has passed; to be taken once the client has ended.
  std::vector<dialogue::TrafficEvent> stop();

 private:
  ScriptedServer(const Door& door, Script& script, Premises& premises, std::string socket,
                 transport::Listener listener)
      : door_(door),
        script_(script),
        premises_(premises),
        socket_(std::move(socket)),
        listener_(std::move(listener)) {}

  void accept_all();
  void serve(std::unique_ptr<transport::ByteStream> stream, std::uint32_t number);
  void talk(transport::ByteStream& stream, std::uint32_t number);
  bool send(transport::ByteStream& stream, DoorConnection& connection, traffic::Tap& tap,
            const Answer& answer);
  bool write(transport::ByteStream& stream, traffic::Tap& tap, std::string_view bytes);
  microseconds now() const;

  const Door& door_;
  Script& script_;
  Premises& premises_;
  std::string socket_;
  transport::Listener listener_;
  std::atomic<bool> is_stopped_{false};
  std::atomic<bool> is_met_{false};
  std::atomic<Clock::time_point> last_activity_{Clock::now()};
  Clock::time_point begin_ = Clock::now();
  std::thread accepting_;
  std::list<std::thread> serving_;
  std::mutex mutex_;  // guards what follows
  std::vector<dialogue::TrafficEvent> traffic_;
};

}  // namespace jrpcheck::client
