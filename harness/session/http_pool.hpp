// Connections to an HTTP server that are kept alive, with a request under way on each.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "session/http_channel.hpp"

namespace jrpcheck::session {

/// Groups of steps that leave at once, each a plain POST of one message on a connection of its own.
/// What has no response in time is told as that; whatever else is not one whole response belongs in
/// a conversation, which finds out why.
class HttpPool {
 public:
  /// More would have to wait for a place in servers that serve a connection with a thread.
  static constexpr std::size_t kConnections = 8;

  HttpPool(std::shared_ptr<transport::Peer> peer, HttpSettings settings, Patience& patience)
      : channel_(std::move(peer), std::move(settings), patience), patience_(patience) {}

  /// Sends a group and waits for nothing; the steps live until what they bring is taken. False
  /// where not all could be sent; no other group is settled then.
  bool send_all(const std::vector<const corpus::Step*>& steps);
  /// What the group has brought that was sent first, in its order. Nothing where one was neither
  /// settled nor waited for in vain, as none is behind it.
  std::optional<std::vector<dialogue::Exchange>> take_all();

 private:
  struct Place {
    std::optional<HttpConnection> connection = {};
    const corpus::Step* step = nullptr;
    bool is_new = false;  ///< nothing had been sent on it before
  };

  struct Group {
    std::vector<std::unique_ptr<Place>> places = {};
    std::size_t sent_bytes = 0;
    bool is_dropped = false;
  };

  std::unique_ptr<Place> free_place();
  bool send(Place& place, Group& group);
  /// What is still to come belongs to nobody any more.
  void drop();

  HttpChannel channel_;
  Patience& patience_;
  std::vector<std::unique_ptr<Place>> free_;
  std::deque<Group> under_way_;
};

}  // namespace jrpcheck::session
