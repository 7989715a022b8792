#include "fuzz/pairing.hpp"

#include <algorithm>
#include <limits>

#include "judge/pattern.hpp"

namespace jrpcheck::fuzz {
namespace {

using Answer = ExpectedResponse::Answer;
using json::Kind;
using json::Value;
using Cost = long long;

// What is wrong counts first, so that a fault of one element is not taken for several of others;
// then what tells whose a Response is: the kind of its id, who takes the least, and its place.
constexpr Cost kWrong = 1'000'000;
constexpr Cost kDoubtful = kWrong / 2;  // null for an id of one's own, or a part not to be compared
constexpr Cost kInvented = 5 * kDoubtful;  // an id that nobody has sent is made of one that was
constexpr Cost kLeftOut = kWrong / 20;
constexpr Cost kOtherKindOfId = kWrong / 100;
constexpr Cost kAlternative = kWrong / 5'000;
// Beyond so many Responses they are too many, whatever they say.
constexpr std::size_t kMostLookedAt = 200;

bool is_id(const Value* id) { return id != nullptr && !id->is(Kind::null); }

bool has_id(const Value& request, const Value& id) {
  const Value* own = request.find("id");
  return own != nullptr && json::equal(*own, id);
}

// Rows are given a column each, at the least cost of all (Kuhn and Munkres, with potentials). No
// fewer columns than rows. Rows and columns count from 1; 0 is none.
class Assignment {
 public:
  explicit Assignment(const std::vector<std::vector<Cost>>& costs)
      : costs_(costs),
        columns_(costs.empty() ? 0 : costs.front().size()),
        of_row_(costs.size() + 1, 0),
        of_column_(columns_ + 1, 0),
        row_of_(columns_ + 1, 0),
        way_(columns_ + 1, 0) {}

  // The place of the column of each row.
  std::vector<std::size_t> run() {
    for (std::size_t row = 1; row <= costs_.size(); ++row) add(row);
    std::vector<std::size_t> column_of(costs_.size(), 0);
    for (std::size_t c = 1; c <= columns_; ++c) {
      if (row_of_[c] != 0) column_of[row_of_[c] - 1] = c - 1;
    }
    return column_of;
  }

 private:
  static constexpr Cost kFar = std::numeric_limits<Cost>::max() / 4;

  void add(std::size_t row) {
    least_.assign(columns_ + 1, kFar);
    is_used_.assign(columns_ + 1, false);
    std::size_t column = 0;
    row_of_[0] = row;
    do {
      is_used_[column] = true;
      const std::size_t next = nearest_to(column);
      shift(least_[next]);
      column = next;
    } while (row_of_[column] != 0);
    for (; column != 0; column = way_[column]) row_of_[column] = row_of_[way_[column]];
  }

  std::size_t nearest_to(std::size_t column) {
    const std::size_t at = row_of_[column];
    std::size_t next = 0;
    for (std::size_t c = 1; c <= columns_; ++c) {
      if (is_used_[c]) continue;
      const Cost reduced = costs_[at - 1][c - 1] - of_row_[at] - of_column_[c];
      if (reduced < least_[c]) {
        least_[c] = reduced;
        way_[c] = column;
      }
      if (next == 0 || least_[c] < least_[next]) next = c;
    }
    return next;
  }

  void shift(Cost step) {
    for (std::size_t c = 0; c <= columns_; ++c) {
      if (is_used_[c]) {
        of_row_[row_of_[c]] += step;
        of_column_[c] -= step;
      } else {
        least_[c] -= step;
      }
    }
  }

  const std::vector<std::vector<Cost>>& costs_;
  std::size_t columns_;
  std::vector<Cost> of_row_;
  std::vector<Cost> of_column_;
  std::vector<std::size_t> row_of_;
  std::vector<std::size_t> way_;
  std::vector<Cost> least_ = {};
  std::vector<bool> is_used_ = {};
};

class Pairer {
 public:
  Pairer(const std::vector<ExpectedResponse>& elements, const std::vector<const Value*>& sent,
         const std::vector<const Value*>& responses)
      : elements_(elements), sent_(sent), responses_(responses) {}

  Pairing run() const {
    std::vector<std::size_t> answered;  // elements that may be
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      if (elements_[e].answer != Answer::none) answered.push_back(e);
    }
    const std::size_t count = std::min(responses_.size(), kMostLookedAt);
    std::vector<Cost> surplus;
    for (std::size_t r = 0; r < count; ++r) surplus.push_back(cost_of_surplus(*responses_[r]));
    std::vector<std::vector<Cost>> costs;
    for (std::size_t place = 0; place < answered.size(); ++place) {
      const std::size_t e = answered[place];
      const Cost unanswered = elements_[e].answer == Answer::due ? kWrong : kLeftOut;
      // Behind the Responses each finds nothing as well.
      std::vector<Cost> row(count + answered.size(), unanswered);
      for (std::size_t r = 0; r < count; ++r) {
        row[r] = cost_of_pair(e, r) + (place == r ? 0 : 1) - surplus[r];
      }
      costs.push_back(std::move(row));
    }
    return paired(answered, Assignment(costs).run(), count);
  }

 private:
  Pairing paired(const std::vector<std::size_t>& answered, const std::vector<std::size_t>& chosen,
                 std::size_t count) const {
    Pairing pairing;
    std::vector<bool> is_taken(responses_.size(), false);
    for (std::size_t place = 0; place < answered.size(); ++place) {
      const std::size_t e = answered[place];
      const std::size_t r = chosen[place];
      if (r < count) {
        is_taken[r] = true;
        pairing.pairs.push_back({e, r, distance_of_ids(e, r) < 2 && !is_shared(e)});
      } else if (elements_[e].answer == Answer::due) {
        pairing.unanswered.push_back(e);
      }
    }
    for (std::size_t r = 0; r < responses_.size(); ++r) {
      if (!is_taken[r]) pairing.surplus.push_back(r);
    }
    // Whose a Response is with the id that was sent is certain, and told first.
    std::stable_partition(pairing.pairs.begin(), pairing.pairs.end(), [this](const Pair& each) {
      return distance_of_ids(each.element, each.response) == 0;
    });
    return pairing;
  }

  bool is_shared(std::size_t element) const {
    const Value* id = sent_[element]->find("id");
    return is_id(id) &&
           std::ranges::count_if(sent_, [id](const Value* each) { return has_id(*each, *id); }) > 1;
  }

  // An id that was cut or rounded is still a number. 2: it tells nothing.
  Cost distance_of_ids(std::size_t element, std::size_t response) const {
    const Value* id = sent_[element]->find("id");
    const Value* came = responses_[response]->find("id");
    if (is_id(came) && holds_id(*sent_[element], *came)) return 0;
    if (!is_id(id) || !is_id(came) || id->kind() != came->kind()) return 2;
    return json::equal(*id, *came) ? 0 : 1;
  }

  Cost cost_of_pair(std::size_t element, std::size_t response) const {
    const auto& expected = elements_[element];
    const auto& pattern = expected.response;
    const auto comparison = judge::compare_response(pattern, *responses_[response]);
    const Value* came = responses_[response]->find("id");
    const bool has_lost_its_id = expected.is_call() && is_id(sent_[element]->find("id")) &&
                                 came != nullptr && came->is(Kind::null);
    const bool is_doubtful = comparison.unjudged || (has_lost_its_id && comparison.matches());
    const bool takes_any_code = !pattern.error || pattern.error->codes.empty();
    const auto alternatives =
        static_cast<Cost>(pattern.id.any_of.size()) * 2 + (takes_any_code ? 1 : 0);
    // An Array that was served has the code and the id of what stands in it: one fault.
    const bool is_served = expected.is_array() && distance_of_ids(element, response) == 0;
    const std::size_t most = is_served ? 1 : comparison.mismatches.size();
    return static_cast<Cost>(std::min(comparison.mismatches.size(), most)) * kWrong +
           (is_doubtful ? kDoubtful : 0) + distance_of_ids(element, response) * kOtherKindOfId +
           alternatives * kAlternative;
  }

  // What comes once more, or for what stands within an Array, has an id that was sent. As a fault
  // it is no plainer than a Response that is all wrong.
  Cost cost_of_surplus(const Value& response) const {
    const Value* id = response.find("id");
    const bool was_sent = !is_id(id) || std::ranges::any_of(sent_, [id](const Value* each) {
      return has_id(*each, *id) || holds_id(*each, *id);
    });
    return (was_sent ? kWrong : kInvented) + kLeftOut;
  }

  const std::vector<ExpectedResponse>& elements_;
  const std::vector<const Value*>& sent_;
  const std::vector<const Value*>& responses_;
};

}  // namespace

bool holds_id(const Value& array, const Value& id) {
  return array.is(Kind::array) && std::ranges::any_of(array.children(), [&id](const Value& each) {
           return has_id(each, id);
         });
}

Pairing pair_up(const std::vector<ExpectedResponse>& elements,
                const std::vector<const Value*>& sent, const std::vector<const Value*>& responses) {
  return Pairer(elements, sent, responses).run();
}

}  // namespace jrpcheck::fuzz
