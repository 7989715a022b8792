#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "json/number.hpp"
#include "json/value.hpp"

namespace jrpcheck::json {
namespace {

// Numbers the classes of equal values: two values have the same class exactly when they are equal.
// Members of one name can be paired off only this way without trying every pair of them.
class Classes {
 public:
  std::size_t of(const Value& root) {
    std::vector<std::pair<const Value*, std::size_t>> open{{&root, 0}};
    std::vector<std::size_t> finished;  // classes of the children seen so far, level upon level
    while (!open.empty()) {
      const Value& value = *open.back().first;
      if (open.back().second < value.size()) {
        const Value& child = value.children()[open.back().second++];
        open.emplace_back(&child, 0);
        continue;
      }
      const auto own = finished.end() - static_cast<std::ptrdiff_t>(value.size());
      const std::size_t number = class_of(value, {own, finished.end()});
      finished.erase(own, finished.end());
      finished.push_back(number);
      open.pop_back();
    }
    return finished.back();
  }

 private:
  std::size_t class_of(const Value& value, const std::vector<std::size_t>& children) {
    switch (value.kind()) {
      case Kind::null:
        return number_of("z");
      case Kind::boolean:
        return number_of(value.as_boolean() ? "t" : "f");
      case Kind::number:
        return number_of("n" + canonical_number(value.text()));
      case Kind::string:
        return number_of("s" + value.text());
      case Kind::array:
        return number_of("a" + spelled(children));
      case Kind::object:
        return number_of("o" + spelled(sorted_members(value, children)));
    }
    return 0;
  }

  std::vector<std::size_t> sorted_members(const Value& object,
                                          const std::vector<std::size_t>& children) {
    std::vector<std::pair<std::size_t, std::size_t>> members;
    for (std::size_t i = 0; i < children.size(); ++i) {
      members.emplace_back(number_of("s" + object.names()[i]), children[i]);
    }
    std::ranges::sort(members);
    std::vector<std::size_t> flat;
    for (const auto& [name, child] : members) flat.insert(flat.end(), {name, child});
    return flat;
  }

  static std::string spelled(const std::vector<std::size_t>& numbers) {
    return std::string(reinterpret_cast<const char*>(numbers.data()),
                       numbers.size() * sizeof(std::size_t));
  }

  std::size_t number_of(std::string key) {
    return numbers_.try_emplace(std::move(key), numbers_.size()).first->second;
  }

  std::unordered_map<std::string, std::size_t> numbers_;
};

bool has_duplicates(const Value& object, const std::vector<std::size_t>& by_name) {
  const auto same_name = [&object](std::size_t a, std::size_t b) {
    return object.names()[a] == object.names()[b];
  };
  return std::adjacent_find(by_name.begin(), by_name.end(), same_name) != by_name.end();
}

std::vector<std::size_t> sorted_by_name(const Value& object) {
  std::vector<std::size_t> order(object.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&object](std::size_t a, std::size_t b) {
    return object.names()[a] < object.names()[b];
  });
  return order;
}

// Compares two trees level by level; what is still to be compared waits on a list.
class Comparison {
 public:
  bool run(const Value& a, const Value& b) {
    if (!compare(a, b)) return false;
    while (!pending_.empty()) {
      const auto [left, right] = pending_.back();
      pending_.pop_back();
      if (!compare(*left, *right)) return false;
    }
    return true;
  }

 private:
  // Whether a and b are equal but for the children that are left pending.
  bool compare(const Value& a, const Value& b) {
    if (a.kind() != b.kind() || a.size() != b.size()) return false;
    switch (a.kind()) {
      case Kind::null:
        return true;
      case Kind::boolean:
        return a.as_boolean() == b.as_boolean();
      case Kind::number:
        return numbers_equal(a.text(), b.text());
      case Kind::string:
        return a.text() == b.text();
      case Kind::array:
        for (std::size_t i = 0; i < a.size(); ++i) {
          pending_.emplace_back(&a.children()[i], &b.children()[i]);
        }
        return true;
      case Kind::object:
        return compare_objects(a, b);
    }
    return false;
  }

  bool compare_objects(const Value& a, const Value& b) {
    const std::vector<std::size_t> left = sorted_by_name(a);
    const std::vector<std::size_t> right = sorted_by_name(b);
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (a.names()[left[i]] != b.names()[right[i]]) return false;
    }
    if (has_duplicates(a, left)) {
      Classes classes;
      return classes.of(a) == classes.of(b);
    }
    for (std::size_t i = 0; i < left.size(); ++i) {
      pending_.emplace_back(&a.children()[left[i]], &b.children()[right[i]]);
    }
    return true;
  }

  std::vector<std::pair<const Value*, const Value*>> pending_;
};

}  // namespace

bool equal(const Value& a, const Value& b) { return Comparison().run(a, b); }

}  // namespace jrpcheck::json
