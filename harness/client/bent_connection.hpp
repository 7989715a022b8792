// One connection of a client that is carried to a real server, whose answer is bent on the way.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "client/bend.hpp"
#include "client/passage.hpp"
#include "client/served_connection.hpp"
#include "result/secrets.hpp"
#include "transport/peer.hpp"

namespace jrpcheck::client {

/// The real server.
struct Upstream {
  transport::Peer* peer = nullptr;
  Destination destination = {};
  const wire::Binding* framing = nullptr;  ///< of a stream; null: it is found out
  /// As in traffic::TapSink, from any thread.
  std::function<void(result::Secret)> tell_secret = [](const result::Secret&) {};
};

class BentConnection {
 public:
  BentConnection(const Door& door, const Upstream& upstream, Bend& bend, TrialState& state,
                 transport::ByteStream& client, std::uint32_t number);

  /// Until both ends have closed, the bend ends it, or the trial is stopped: what has come by then
  /// is heard, and not carried any more.
  void run();

 private:
  void carry();
  void await();
  void take_client();
  void take_server();
  void tell(const Said& said);
  void release_held();
  void give(const Answer& answer, const Said& said);
  void hear(std::string_view in);
  bool write_client(std::string_view bytes);

  const Door& door_;
  const Upstream& upstream_;
  Bend& bend_;
  TrialState& state_;
  transport::ByteStream& client_;
  std::uint32_t number_;
  OwnCalls own_calls_;
  std::unique_ptr<Passage> passage_;
  std::unique_ptr<traffic::Tap> tap_;
  transport::Connection server_;
  std::string early_of_client_;  // came while something was written
  std::string early_of_server_;
  Clock::time_point quiet_since_ = Clock::now();  // a message of the server's
  bool needs_framing_;
  bool client_has_ended_ = false;
  bool server_has_ended_ = false;
  bool is_over_ = false;  // nobody is to be told anything more
  bool is_cut_ = false;   // by the bend
  bool is_reset_ = false;
};

}  // namespace jrpcheck::client
