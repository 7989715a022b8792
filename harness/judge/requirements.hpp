// Requirements: which ones something is about.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/contains.hpp"

namespace jrpcheck::judge {

/// The ids of requirements, each once. Whatever is judged has some, and so few that to look through
/// them all is quicker than to keep them in order.
class Requirements {
 public:
  Requirements() = default;
  Requirements(std::initializer_list<std::string_view> ids) { insert(ids.begin(), ids.end()); }

  void insert(std::string_view id) {
    if (contains(id)) return;
    if (ids_.empty()) ids_.reserve(kUsual);
    ids_.emplace_back(id);
  }
  template <typename Iterator>
  void insert(Iterator begin, Iterator end) {
    for (; begin != end; ++begin) insert(*begin);
  }
  void merge(const Requirements& others) { insert(others.ids_.begin(), others.ids_.end()); }
  void erase(std::string_view id) { std::erase(ids_, id); }

  bool contains(std::string_view id) const { return jrpcheck::contains(ids_, id); }
  bool empty() const { return ids_.empty(); }
  std::vector<std::string> in_order() const {
    auto ids = ids_;
    std::ranges::sort(ids);
    return ids;
  }

 private:
  static constexpr std::size_t kUsual = 16;

  std::vector<std::string> ids_;
};

inline bool operator==(const Requirements& one, const Requirements& other) {
  return one.in_order() == other.in_order();
}

}  // namespace jrpcheck::judge
