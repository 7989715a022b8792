// The server of one trial: behind a port of its own, until it is stopped.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
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
#include "client/served_connection.hpp"
#include "transport/listener.hpp"

namespace jrpcheck::client {

/// Serves one connection of the client, until that ends or the trial is stopped.
using Attend =
    std::function<void(transport::ByteStream& stream, std::uint32_t number, TrialState& state)>;

class ScriptedServer {
 public:
  /// More connections than that wait until one of them has ended.
  static constexpr std::size_t kMostAtOnce = 200;

  static Result<std::unique_ptr<ScriptedServer>> start(const Door& door, Attend attend,
                                                       Premises& premises);
  static constexpr microseconds kForTheirClose{500'000};
  /// One that answers as the script says; `for_close`: so long it waits for a Close of the client.
  static Result<std::unique_ptr<ScriptedServer>> start(const Door& door, Respondent& respondent,
                                                       Premises& premises,
                                                       microseconds for_close = kForTheirClose);
  ~ScriptedServer();

  /// Empty where the client starts a program, which is to come to `socket`.
  std::string url(const std::string& path = "/") const;
  const std::string& socket() const { return socket_; }
  /// When anything passed last.
  Clock::time_point last_activity() const { return state_.last_activity.load(); }
  /// Whether the client has said anything.
  bool is_met() const { return state_.is_met; }
  /// Whether a line feed was in that; of a client that has ended, all that it has said is heard.
  bool has_line_feed() const { return state_.has_line_feed; }
  /// Whether more has passed than anybody says.
  bool is_flooded() const { return state_.is_flooded; }
  /// To be called before a client is ended that may be within a message: what it says last is cut
  /// off then.
  void expect_kill() { state_.is_killed = true; }
  /// What has passed, to the last byte that the client sent; to be taken once it has ended. Throws
  /// what kept a connection from being served, such as a lack of memory.
  std::vector<dialogue::TrafficEvent> stop();

 private:
  ScriptedServer(const Door& door, Attend attend, Premises& premises, std::string socket,
                 transport::Listener listener)
      : door_(door),
        attend_(std::move(attend)),
        premises_(premises),
        socket_(std::move(socket)),
        listener_(std::move(listener)) {}

  struct Serving {
    std::thread thread;
    bool is_done = false;
  };

  void accept_all();
  void join();
  // Of a thread, which lets no exception out.
  void keep_failure(const std::function<void()>& work);
  void begin(std::unique_ptr<transport::ByteStream> stream, std::uint32_t number);
  // Waits until no more than so many are left.
  void end_finished(std::size_t most_left);
  void serve(std::unique_ptr<transport::ByteStream> stream, std::uint32_t number);

  const Door& door_;
  Attend attend_;
  Premises& premises_;
  std::string socket_;
  transport::Listener listener_;
  TrialState state_;
  std::list<Serving> serving_;  // of the thread that accepts
  std::mutex finished_mutex_;   // guards what each says to be done, and what follows
  std::exception_ptr failure_;  // the first
  std::condition_variable finished_;
  std::thread accepting_;
};

}  // namespace jrpcheck::client
