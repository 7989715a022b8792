#include "fuzz/pairing.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "judge/pattern.hpp"

namespace jrpcheck::fuzz {
namespace {

using Answer = ExpectedResponse::Answer;
using json::Kind;
using json::Value;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Of how many codes an error may be; a result is of none.
std::size_t codes_of(const corpus::ResponsePattern& pattern) {
  if (pattern.result) return 0;
  return pattern.error && !pattern.error->codes.empty() ? pattern.error->codes.size() : kNone;
}

class Pairer {
 public:
  Pairer(const std::vector<ExpectedResponse>& elements, const std::vector<const Value*>& sent,
         const std::vector<const Value*>& responses)
      : elements_(elements),
        sent_(sent),
        responses_(responses),
        is_answered_(elements.size(), false),
        is_taken_(responses.size(), false) {}

  Pairing run() {
    const auto is_equal = [](const Value& id, const Value& came) { return json::equal(id, came); };
    // What several have sent tells them apart only with the rest of the Response.
    pair_shared_ids();
    // Most servers answer in order: where an id has come twice, the one in its place is meant.
    pair_by_id(is_equal, 1);
    pair_by_id(is_equal);
    // An id that was cut or rounded is still a number.
    pair_by_kind_of_id();
    pair_what_is_right();
    pair_what_is_closest(Answer::due);
    pair_what_is_closest(Answer::may_be_left_out);
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      if (!is_answered_[e] && elements_[e].answer == Answer::due) pairing_.unanswered.push_back(e);
    }
    for (std::size_t r = 0; r < responses_.size(); ++r) {
      if (!is_taken_[r]) pairing_.surplus.push_back(r);
    }
    return std::move(pairing_);
  }

 private:
  void pair(std::size_t element, std::size_t response, bool by_id) {
    is_answered_[element] = true;
    is_taken_[response] = true;
    pairing_.pairs.push_back({element, response, by_id});
  }

  bool may_be_answered(std::size_t element) const {
    return !is_answered_[element] && elements_[element].answer != Answer::none;
  }

  bool is_shared(std::size_t element) const {
    const Value* id = sent_[element]->find("id");
    return id != nullptr && !id->is(Kind::null) &&
           std::count_if(sent_.begin(), sent_.end(), [id](const Value* each) {
             const Value* other = each->find("id");
             return other != nullptr && json::equal(*id, *other);
           }) > 1;
  }

  void pair_shared_ids() {
    for (const std::size_t e : most_demanding_first()) {
      if (!is_shared(e)) continue;
      for (std::size_t i = 0; i < responses_.size() && may_be_answered(e); ++i) {
        const std::size_t r = (e + i) % responses_.size();
        const Value* came = responses_[r]->find("id");
        const bool is_its_own = came != nullptr && json::equal(*sent_[e]->find("id"), *came);
        if (!is_taken_[r] && is_its_own && differences(e, r) == 0) pair(e, r, false);
      }
    }
  }

  void pair_by_kind_of_id() {
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      const Value* id = sent_[e]->find("id");
      if (id == nullptr || id->is(Kind::null) || !may_be_answered(e)) continue;
      std::size_t closest = kNone;
      for (std::size_t r = 0; r < responses_.size(); ++r) {
        const Value* came = responses_[r]->find("id");
        if (is_taken_[r] || came == nullptr || came->kind() != id->kind()) continue;
        if (closest == kNone || differences(e, r) < differences(e, closest)) closest = r;
      }
      if (closest != kNone) pair(e, closest, !is_shared(e));
    }
  }

  // Each element looks at so many Responses, from its own place on.
  template <typename IsSame>
  void pair_by_id(IsSame is_same, std::size_t at_most = kNone) {
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      const Value* id = sent_[e]->find("id");
      if (id == nullptr || id->is(Kind::null)) continue;
      const std::size_t tries = std::min(at_most, responses_.size());
      for (std::size_t i = 0; i < tries && may_be_answered(e); ++i) {
        const std::size_t r = (e + i) % responses_.size();
        const Value* came = responses_[r]->find("id");
        if (!is_taken_[r] && came != nullptr && is_same(*id, *came)) pair(e, r, !is_shared(e));
      }
    }
  }

  // Who accepts the fewest ids, and of those the fewest codes, chooses first, so that nobody takes
  // the only Response of another.
  std::vector<std::size_t> most_demanding_first() const {
    std::vector<std::size_t> order(elements_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t one, std::size_t other) {
      const auto rank = [this](std::size_t e) {
        return std::tuple(elements_[e].answer != Answer::due,
                          elements_[e].response.id.any_of.size(), codes_of(elements_[e].response));
      };
      return rank(one) < rank(other);
    });
    return order;
  }

  // Which of several equal Responses is meant, their order tells.
  void pair_what_is_right() {
    for (const std::size_t e : most_demanding_first()) {
      const auto before = elements_.begin() + static_cast<std::ptrdiff_t>(e);
      const auto place = static_cast<std::size_t>(std::count_if(
          elements_.begin(), before, [](const auto& each) { return each.answer != Answer::none; }));
      for (std::size_t i = 0; i < responses_.size() && may_be_answered(e); ++i) {
        const std::size_t r = (place + i) % responses_.size();
        if (!is_taken_[r] && differences(e, r) == 0) pair(e, r, false);
      }
    }
  }

  void pair_what_is_closest(Answer answer) {
    for (;;) {
      std::size_t fewest = kNone;
      Pair closest{};
      for (std::size_t e = 0; e < elements_.size(); ++e) {
        if (!may_be_answered(e) || elements_[e].answer != answer) continue;
        for (std::size_t r = 0; r < responses_.size(); ++r) {
          if (is_taken_[r] || differences(e, r) >= fewest) continue;
          fewest = differences(e, r);
          closest = {e, r, false};
        }
      }
      if (fewest == kNone) return;
      pair(closest.element, closest.response, false);
    }
  }

  std::size_t differences(std::size_t element, std::size_t response) const {
    return judge::compare_response(elements_[element].response, *responses_[response])
        .mismatches.size();
  }

  const std::vector<ExpectedResponse>& elements_;
  const std::vector<const Value*>& sent_;
  const std::vector<const Value*>& responses_;
  std::vector<bool> is_answered_;
  std::vector<bool> is_taken_;
  Pairing pairing_;
};

}  // namespace

Pairing pair_up(const std::vector<ExpectedResponse>& elements,
                const std::vector<const Value*>& sent, const std::vector<const Value*>& responses) {
  return Pairer(elements, sent, responses).run();
}

}  // namespace jrpcheck::fuzz
