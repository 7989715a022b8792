// ProgramSight: what is seen of programs that say nothing on stdio: whether they work or idle and
// read what they are sent, what they say elsewhere, and the ports that they open.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "run/options.hpp"
#include "run/stranger.hpp"
#include "session/conversation.hpp"
#include "transport/peer.hpp"

namespace jrpcheck::run {

class ProgramSight {
 public:
  /// What is referred to must outlive this.
  ProgramSight(const Options& options, session::ControlCall call)
      : options_(options), call_(std::move(call)) {}

  void add(const std::shared_ptr<transport::Program>& program);
  /// Something that it was sent has been taken from its standard input.
  void note_input_read() { has_read_input_ = true; }
  /// It has said something that is no message.
  void note_output(const std::string& first_words);

  /// Looks, if it is time to, and tells the user what there is to see.
  void look();

  /// What they are instead of a server on stdio: JSON-RPC is answered on a port of theirs, where
  /// they have come up and wait. Who has a port for something else may yet answer.
  std::optional<Stranger> recognised() const;
  /// What they are if they go on to say nothing.
  std::optional<Stranger> supposed() const;

 private:
  void note_activity();
  void tell_guess();
  std::optional<long long> cpu_ticks(bool& is_running) const;
  void look_at_ports();
  void look_at(int port);
  std::string seen() const;
  bool is_idle() const;
  std::string log() const;

  const Options& options_;
  session::ControlCall call_;
  std::vector<pid_t> groups_;
  std::vector<std::weak_ptr<transport::Program>> programs_;
  Clock::time_point begin_ = Clock::now();
  int idle_looks_ = 0;
  Deadline next_activity_ = Deadline::in(microseconds(0));
  Deadline next_ports_ = next_activity_;
  long long ticks_ = 0;
  std::string logged_;
  std::string first_words_;
  bool has_read_input_ = false;
  std::vector<int> looked_at_;
  std::optional<int> http_port_;  // the first that speaks HTTP, and no JSON-RPC
  std::optional<int> rpc_port_;
  std::string rpc_path_;
  std::string told_;
  bool has_guessed_ = false;
};

}  // namespace jrpcheck::run
