#include "fuzz/reduce.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "json/parse.hpp"
#include "json/value.hpp"

namespace jrpcheck::fuzz {
namespace {

using json::Kind;
using json::Value;

// The way from the root to a node, by positions among children.
using Path = std::vector<std::size_t>;

Value& at(Value& root, const Path& path) {
  Value* node = &root;
  for (const std::size_t step : path) node = &node->children()[step];
  return *node;
}

void erase_children(Value& parent, std::size_t from, std::size_t count) {
  const auto cut = [from, count](auto& list) {
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(from);
    list.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  cut(parent.children());
  if (parent.is(Kind::object)) cut(parent.names());
}

class Reducer {
 public:
  Reducer(std::string message, const StillShows& still_shows, std::size_t budget)
      : best_(std::move(message)), still_shows_(still_shows), budget_(budget) {}

  std::string run() {
    while (reduce_structure() && tries_ < budget_) {
    }
    for (std::size_t size = best_.size() / 2; size > 0; size /= 2) reduce_bytes(size);
    return std::move(best_);
  }

 private:
  bool accept(const std::string& candidate) {
    if (candidate == best_ || tries_ >= budget_) return false;
    ++tries_;
    if (!still_shows_(candidate)) return false;
    best_ = candidate;
    return true;
  }

  // One walk over the tree from the root down; true when something has become smaller.
  bool reduce_structure() {
    auto parsed = json::parse(best_);
    if (!parsed) return false;
    Value root = std::move(*parsed.value);
    bool smaller = false;
    std::vector<Path> todo{{}};
    while (!todo.empty() && tries_ < budget_) {
      const Path path = std::move(todo.back());
      todo.pop_back();
      smaller = reduce_node(root, path) || smaller;
      for (std::size_t i = at(root, path).size(); i > 0; --i) {
        Path deeper = path;
        deeper.push_back(i - 1);
        todo.push_back(std::move(deeper));
      }
    }
    return smaller;
  }

  bool reduce_node(Value& root, const Path& path) {
    bool smaller = remove_children(root, path);
    for (std::size_t i = 0; i < at(root, path).size(); ++i) {
      if (replace(root, path, at(root, path).children()[i].clone())) return true;
    }
    for (Value& simple : simpler(at(root, path))) {
      if (replace(root, path, std::move(simple))) return true;
    }
    return smaller;
  }

  bool remove_children(Value& root, const Path& path) {
    bool smaller = false;
    for (std::size_t count = at(root, path).size(); count > 0; count /= 2) {
      for (std::size_t from = 0; from + count <= at(root, path).size();) {
        Value candidate = root.clone();
        erase_children(at(candidate, path), from, count);
        if (accept(json::write(candidate))) {
          root = std::move(candidate);
          smaller = true;
        } else {
          from += count;
        }
      }
    }
    return smaller;
  }

  bool replace(Value& root, const Path& path, Value by) {
    Value candidate = root.clone();
    at(candidate, path) = std::move(by);
    // One of the same size may be plainer: 1 is an id like any other, and 0 is not.
    if (json::write(candidate).size() > json::write(root).size()) return false;
    if (!accept(json::write(candidate))) return false;
    root = std::move(candidate);
    return true;
  }

  static std::vector<Value> simpler(const Value& value) {
    std::vector<Value> list;
    if (value.is(Kind::string)) {
      list.push_back(Value::string(""));
      list.push_back(Value::string("a"));
    } else if (value.is(Kind::array) || value.is(Kind::object)) {
      list.push_back(Value::number(0));
    }
    list.push_back(Value::number(1));
    return list;
  }

  void reduce_bytes(std::size_t size) {
    for (std::size_t from = 0; from + size <= best_.size() && tries_ < budget_;) {
      std::string candidate = best_;
      candidate.erase(from, size);
      if (!accept(candidate)) from += size;
    }
  }

  std::string best_;
  const StillShows& still_shows_;
  std::size_t budget_;
  std::size_t tries_ = 0;
};

}  // namespace

std::string reduce(std::string message, const StillShows& still_shows, std::size_t budget) {
  return Reducer(std::move(message), still_shows, budget).run();
}

}  // namespace jrpcheck::fuzz
