// Coverage: what the messages of a campaign have brought so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "dialogue/exchange.hpp"
#include "fuzz/edge_map.hpp"
#include "fuzz/feature.hpp"

namespace jrpcheck::fuzz {

/// Shapes of replies, and edges of the program where it tells them.
class Coverage {
 public:
  /// Takes the edges of the program for features as well. `edges` must outlive it.
  void watch(EdgeMap& edges) { edges_ = &edges; }
  bool sees_edges() const { return edges_ != nullptr; }

  /// Forgets the edges of what was sent before.
  void begin_message();
  /// What an exchange has brought, by the kind of message and the shape of the replies.
  std::vector<Feature> features_of(const std::string& kind, const dialogue::Exchange& exchange);
  /// The edges since `begin_message`.
  void add_edges(std::vector<Feature>& features);
  /// Remembers these, and says whether one of them is new.
  bool add(const std::vector<Feature>& features);

  std::size_t shapes() const { return shapes_.size(); }
  std::size_t edges() const { return edges_ == nullptr ? 0 : edges_->seen(); }

 private:
  EdgeMap* edges_ = nullptr;
  // Their hashes: a server can make each as long as it likes.
  std::unordered_set<std::uint32_t> shapes_;
  std::unordered_set<std::uint32_t> features_;
};

/// Messages that brought something new while others were under way with them. The engine is given
/// each once more, so that it sees the features: those are kept here, and nothing is sent.
class Promising {
 public:
  void put(std::string message, std::vector<Feature> features);
  std::optional<std::string> take();
  /// Of a message that `take` has given.
  std::optional<std::vector<Feature>> features_of(const std::string& message);

 private:
  std::deque<std::pair<std::string, std::vector<Feature>>> waiting_;
  std::map<std::string, std::vector<Feature>> taken_;
};

}  // namespace jrpcheck::fuzz
