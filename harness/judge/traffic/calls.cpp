#include "judge/traffic/calls.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace jrpcheck::judge {
namespace {

constexpr std::size_t kMostInFlight = 10'000;
constexpr std::size_t kMostSettled = 4096;

}  // namespace

bool CallsInFlight::add(CallInFlight call) {
  bool is_alone = true;
  for (auto [each, last] = by_key_.equal_range(call.key); each != last;) {
    const Place open = (each++)->second;
    const bool may_be_over = open->is_cancelled || open->serial <= doubted_;
    is_alone = is_alone && may_be_over;
    if (open->batch != call.batch) open->is_repeated = call.is_repeated = true;
    if (may_be_over) perhaps_answered_.push_back(take(open));
  }
  bound_perhaps_answered();
  // The id is used again, which is right once its call has been answered.
  settled_.erase(call.key);
  calls_.push_back(std::move(call));
  by_key_.emplace(calls_.back().key, std::prev(calls_.end()));
  if (calls_.size() > kMostInFlight) {
    take(calls_.begin());
    has_forgotten_ = true;
  }
  return is_alone;
}

void CallsInFlight::add_perhaps_answered(CallInFlight call) {
  perhaps_answered_.push_back(std::move(call));
  bound_perhaps_answered();
}

CallInFlight CallsInFlight::take(Place place) {
  const auto range = by_key_.equal_range(place->key);
  for (auto each = range.first; each != range.second; ++each) {
    if (each->second != place) continue;
    by_key_.erase(each);
    break;
  }
  CallInFlight call = std::move(*place);
  calls_.erase(place);
  return call;
}

void CallsInFlight::note_settled(const std::string& key) {
  settled_[key] = ++settlings_;
  settled_order_.emplace_back(key, settlings_);
  if (settled_order_.size() <= kMostSettled) return;
  const auto& [oldest, place] = settled_order_.front();
  const auto known = settled_.find(oldest);
  if (known != settled_.end() && known->second == place) settled_.erase(known);
  settled_order_.pop_front();
}

std::optional<CallInFlight> CallsInFlight::settle(const std::string& key) {
  auto call = take_one(key);
  if (!call) call = take_perhaps_answered(key);
  if (!call) return call;
  note_settled(key);
  last_settled_ = std::max(last_settled_, call->serial);
  return call;
}

std::optional<CallInFlight> CallsInFlight::take_one(const std::string& key) {
  if (by_key_.find(key) == by_key_.end()) return std::nullopt;
  return take(by_key_.lower_bound(key)->second);
}

std::optional<CallInFlight> CallsInFlight::settle_alike(const json::Value& id) {
  if (!id.is(json::Kind::string) && !id.is(json::Kind::number)) return std::nullopt;
  const bool is_string = id.is(json::Kind::string);
  const auto found = std::ranges::find_if(calls_, [&](const CallInFlight& each) {
    return each.id == (is_string ? id.text() : "\"" + id.text() + "\"");
  });
  if (found == calls_.end()) return std::nullopt;
  CallInFlight call = take(found);
  note_settled(call.key);
  return call;
}

std::list<CallInFlight> CallsInFlight::settle_batch(std::size_t batch) {
  std::list<CallInFlight> left;
  for (auto each = calls_.begin(); each != calls_.end();) {
    const auto here = each++;
    if (here->batch == batch) left.push_back(take(here));
  }
  perhaps_answered_.insert(perhaps_answered_.end(), left.begin(), left.end());
  bound_perhaps_answered();
  return left;
}

std::list<CallInFlight> CallsInFlight::take_all() {
  by_key_.clear();
  return std::exchange(calls_, {});
}

void CallsInFlight::take_all_for_answered() {
  perhaps_answered_.splice(perhaps_answered_.end(), take_all());
  bound_perhaps_answered();
}

void CallsInFlight::bound_perhaps_answered() {
  for (; perhaps_answered_.size() > kMostInFlight; has_forgotten_ = true) {
    perhaps_answered_.pop_front();
  }
}

std::optional<CallInFlight> CallsInFlight::take_perhaps_answered(const std::string& key) {
  const auto found = std::ranges::find(perhaps_answered_, key, &CallInFlight::key);
  if (found == perhaps_answered_.end()) return std::nullopt;
  CallInFlight call = std::move(*found);
  perhaps_answered_.erase(found);
  return call;
}

bool CallsInFlight::put_aside(const std::string& key) {
  auto call = take_one(key);
  if (!call) return false;
  add_perhaps_answered(*std::move(call));
  return true;
}

void CallsInFlight::give_up(const std::string& key) {
  const auto range = by_key_.equal_range(key);
  for (auto each = range.first; each != range.second; ++each) {
    each->second->is_given_up = each->second->is_cancelled = true;
  }
}

void CallsInFlight::end_batch(std::optional<std::size_t> batch) {
  for (auto& each : calls_) {
    each.is_over = each.is_over || (batch ? each.batch == *batch : each.batch != 0);
  }
}

void CallsInFlight::give_up_refusable() {
  for (auto& each : calls_) each.is_given_up = each.is_given_up || each.refusal != 0;
}

void CallsInFlight::doubt() {
  if (!calls_.empty()) doubted_ = calls_.back().serial;
}

void CallsInFlight::note_nameless_answer() {
  if (calls_.empty()) return;
  nameless_.insert(calls_.back().serial);
  if (nameless_.size() > kMostInFlight) nameless_.erase(nameless_.begin());
}

bool CallsInFlight::take_nameless_answer(const CallInFlight& call) {
  const auto found = nameless_.lower_bound(call.serial);
  if (found == nameless_.end()) return false;
  nameless_.erase(found);
  return true;
}

void CallsInFlight::lose() {
  doubt();
  settled_.clear();
  settled_order_.clear();
}

bool CallsInFlight::is_open(std::size_t serial) const {
  return std::ranges::any_of(calls_,
                             [&](const CallInFlight& each) { return each.serial == serial; });
}

std::size_t CallsInFlight::memory() const {
  constexpr std::size_t kNodes = 200;  // that hold one, beside its texts
  std::size_t memory = 0;
  for (const auto* calls : {&calls_, &perhaps_answered_}) {
    for (const auto& each : *calls) {
      memory += kNodes + sizeof each + 2 * each.key.size() + each.id.size() + each.method.size() +
                each.text.size() + (each.whole ? each.whole->memory() : 0);
    }
  }
  for (const auto& [key, place] : settled_order_) memory += kNodes + 2 * key.size();
  return memory + nameless_.size() * kNodes;
}

}  // namespace jrpcheck::judge
