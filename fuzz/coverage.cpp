#include "fuzz/coverage.hpp"

#include "fuzz/shape.hpp"

namespace jrpcheck::fuzz {

void Coverage::begin_message() {
  if (edges_ != nullptr) edges_->clear();
}

std::vector<Feature> Coverage::features_of(const std::string& kind,
                                           const dialogue::Exchange& exchange) {
  const std::string shape = shape_of_exchange(exchange);
  const std::uint32_t hash = hash_of(shape);
  shapes_.insert(hash);
  return {{hash}, {hash_of(shape, hash_of(kind))}};
}

void Coverage::add_edges(std::vector<Feature>& features) {
  if (edges_ == nullptr) return;
  const auto edges = edges_->take();
  features.insert(features.end(), edges.begin(), edges.end());
}

bool Coverage::add(const std::vector<Feature>& features) {
  const auto known = features_.size();
  for (const auto& feature : features) features_.insert(feature.number);
  return features_.size() > known;
}

void Promising::put(std::string message, std::vector<Feature> features) {
  waiting_.emplace_back(std::move(message), std::move(features));
}

std::optional<std::string> Promising::take() {
  if (waiting_.empty()) return std::nullopt;
  auto [message, features] = std::move(waiting_.front());
  waiting_.pop_front();
  taken_[message] = std::move(features);
  return message;
}

std::optional<std::vector<Feature>> Promising::features_of(const std::string& message) {
  auto node = taken_.extract(message);
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped());
}

}  // namespace jrpcheck::fuzz
