#include "fuzz/revisits.hpp"

#include <algorithm>
#include <utility>

namespace jrpcheck::fuzz {
namespace {

constexpr std::size_t kMostMessages = 8;
// The history from one visit to the next is short enough to be searched quickly.
constexpr std::size_t kBetweenVisits = 64;
constexpr int kVisits = 300;

}  // namespace

void Revisits::add(const std::string& message) {
  const auto known = std::find_if(visits_.begin(), visits_.end(),
                                  [&](const Visit& visit) { return visit.message == message; });
  if (known != visits_.end()) visits_.erase(known);
  visits_.push_back({message, kVisits});
  if (visits_.size() > kMostMessages) visits_.pop_front();
}

std::optional<std::string> Revisits::next() {
  if (visits_.empty() || ++sent_since_ < kBetweenVisits) return std::nullopt;
  sent_since_ = 0;
  Visit visit = std::move(visits_.front());
  visits_.pop_front();
  std::string message = visit.message;
  if (--visit.left > 0) visits_.push_back(std::move(visit));
  return message;
}

}  // namespace jrpcheck::fuzz
