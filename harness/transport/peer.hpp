// Peer: who is at the other end. Where connections to it come from, what became of it, and how it
// is brought back.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "transport/byte_stream.hpp"
#include "transport/child_process.hpp"
#include "transport/empty_folder.hpp"
#include "transport/guardian.hpp"
#include "transport/process_group.hpp"

namespace jrpcheck::transport {

/// Makes a stream: a TCP connection, a child's pipes, TLS over another Dial, an accepted
/// connection.
using Dial = std::function<Result<std::unique_ptr<ByteStream>>(Deadline)>;

/// Who works on what is asked: processes of this machine. Safe to use from several threads.
class Worker {
 public:
  virtual ~Worker() = default;

  /// What it has had of the processors, and whether it wants more; nothing where that is not known.
  virtual std::optional<ProcessorUse> processor_use() = 0;
};

/// A program that was started here. Safe to use from several threads.
class Program : public Worker {
 public:
  std::optional<ProcessorUse> processor_use() override {
    const auto own = group();
    return own ? processor_use_of(*own) : std::nullopt;
  }

  /// How it ended, waiting at most until the deadline; nothing while it runs.
  virtual std::optional<ExitStatus> ended(Deadline deadline) = 0;
  /// The last bytes that it wrote to standard error.
  virtual std::string standard_error_tail() = 0;
  /// Ends it, at once or by the end of its input: then it has `grace` to leave by itself.
  virtual void end(microseconds grace) = 0;
  /// Its process group, with whatever it has started.
  virtual std::optional<pid_t> group() const { return std::nullopt; }
  /// The empty folder that it may call its own, which goes with it; null: it was given none.
  virtual const EmptyFolder* folder() const { return nullptr; }
};

struct Connection {
  std::unique_ptr<ByteStream> stream;
  /// The program of this connection alone, which ends with it; null where the peer is shared.
  std::shared_ptr<Program> program = nullptr;
};

/// Enough for a program to notice the end of its input and leave by itself; a hang costs no more.
inline constexpr milliseconds kGrace{250};

/// Changes when the peer has been started anew, or has come back.
using Generation = unsigned long long;

class Peer {
 public:
  virtual ~Peer() = default;

  /// Makes sure that it can be reached: starts it where that is ours to do, and waits until it
  /// accepts a connection. Refuses to start it where something else answers already, because that
  /// would be judged instead.
  virtual Result<bool> start(Deadline deadline) = 0;

  virtual Result<Connection> connect(Deadline deadline) = 0;

  /// Brings back what was found dead or wedged in the generation `seen`; does nothing when another
  /// conversation has done so since. An Error when it stays away.
  virtual Result<bool> revive(Generation seen, Deadline deadline) = 0;
  virtual Generation generation() const = 0;

  /// Whether all connections lead to one server, shared by all conversations. Otherwise each has a
  /// program of its own.
  virtual bool is_shared() const = 0;
  /// The one program behind a shared peer; null where somebody else runs it.
  virtual std::shared_ptr<Program> program() const { return nullptr; }
  /// Who answers at a shared peer, whoever runs it; null where that is not known.
  virtual std::shared_ptr<Worker> worker() const { return program(); }

  /// It gives calls on one connection the answers to others: no connection is used twice unless a
  /// case is about that.
  void note_mixed_up_calls() { mixes_up_calls_ = true; }
  bool mixes_up_calls() const { return mixes_up_calls_; }

  /// What it does to a connection of ours while others of ours are open, as far as that is known.
  enum class OneMore { unknown, not_turned_away, turned_away };
  /// Closes or refuses it at once. From then on it is given one at a time, and what is closed
  /// without an answer is tried again: it may not have noticed yet that the one before has gone.
  void note_one_more(OneMore what) { one_more_ = what; }
  OneMore one_more() const { return one_more_; }
  /// Where nobody was let in that tells nothing, and each look takes a while: so many are enough.
  bool may_look_once_more() { return looks_++ < kMostLooks; }
  bool turns_others_away() const { return one_more_ == OneMore::turned_away; }

  /// A connection was closed or refused at once, and may have been one too many.
  void note_refusal(bool has_come = true) { has_refused_ = has_come; }
  bool has_refused() const { return has_refused_; }

 private:
  std::atomic<bool> mixes_up_calls_{false};
  std::atomic<OneMore> one_more_{OneMore::unknown};
  std::atomic<bool> has_refused_{false};
  static constexpr int kMostLooks = 6;
  std::atomic<int> looks_{0};
};

/// A program on stdio, started anew for each connection, and given a folder of its own where it is
/// said to need one.
std::unique_ptr<Peer> make_program_peer(std::vector<std::string> command, Guardian& guardian,
                                        bool gives_folders = false);

/// A server that is reached by a Dial.
struct Place {
  Dial dial;
  std::string address;  ///< "127.0.0.1:8545"
  std::string shown;    ///< as the user named it, without what is secret
  /// Tells whether anybody listens there; null where `dial` does. A handshake that fails shows that
  /// somebody does, and trying it again would not help.
  Dial knock = nullptr;
  int local_port =
      0;  ///< the TCP port of this machine behind which it works; 0: another's, or none
  std::string socket_file = {};  ///< which it makes to listen at; empty: none

  bool is_listened_at(Deadline deadline) const { return bool((knock ? knock : dial)(deadline)); }
};

/// One that somebody else runs.
std::unique_ptr<Peer> make_server_peer(Place place);
/// One that is started by `command`, and started again when it dies. Its socket file goes with it:
/// many do not listen where one stands already.
std::unique_ptr<Peer> make_server_peer(Place place, std::vector<std::string> command,
                                       Guardian& guardian);

}  // namespace jrpcheck::transport
