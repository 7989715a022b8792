// The HTTP server under test: where it is reached and, when jrpcheck started it, its process.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "transport/byte_stream.hpp"
#include "transport/child_process.hpp"
#include "transport/guardian.hpp"
#include "transport/target.hpp"

namespace jrpcheck::session {

/// Shared by all conversations with one server; safe to use from several threads.
class HttpServer {
 public:
  /// A server that somebody else runs.
  explicit HttpServer(transport::HttpTarget target) : target_(std::move(target)) {}
  /// A server that is started by `command` and started again when it dies.
  HttpServer(transport::HttpTarget target, std::vector<std::string> command,
             transport::Guardian& guardian)
      : target_(std::move(target)), command_(std::move(command)), guardian_(&guardian) {}
  ~HttpServer();

  const transport::HttpTarget& target() const { return target_; }

  /// Makes sure the server can be reached: starts it when that is ours to do, and waits until it
  /// accepts a connection. Refuses to start it when something else answers there already, because
  /// that something would be judged instead.
  Result<bool> start(Deadline deadline);

  Result<std::unique_ptr<transport::ByteStream>> connect(Deadline deadline) const;

  /// Brings a server back that was found dead or wedged in `generation`; does nothing when another
  /// conversation has done so since. An Error when it stays away.
  Result<bool> recover(unsigned long long generation, Deadline deadline);

  /// How the process ended, waiting at most until the deadline; nothing when it runs or is not
  /// ours.
  std::optional<std::string> ended(Deadline deadline);
  std::string standard_error_tail();

  /// The process group of the server; nothing when it is not ours.
  std::optional<pid_t> process_group() const;

  /// Changes when the server is started anew, or has come back.
  unsigned long long generation() const;

  /// It answers calls on one connection with the answers to others: none is used again unless a
  /// case is about that.
  void note_mixed_up_calls() { mixes_up_calls_ = true; }
  bool mixes_up_calls() const { return mixes_up_calls_; }

 private:
  Result<bool> launch(Deadline deadline);
  Result<bool> await_port(Deadline deadline);

  transport::HttpTarget target_;
  std::vector<std::string> command_;
  transport::Guardian* guardian_ = nullptr;
  std::atomic<bool> mixes_up_calls_{false};
  mutable std::mutex mutex_;  // guards what follows
  std::unique_ptr<transport::ChildProcess> process_;
  unsigned long long generation_ = 0;
};

}  // namespace jrpcheck::session
