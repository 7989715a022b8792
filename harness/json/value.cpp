#include "json/value.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/kept.hpp"
#include "base/names.hpp"

namespace jrpcheck::json {

std::string_view name_of(Kind kind) {
  return name_at({"null", "boolean", "number", "string", "array", "object"}, kind);
}

Value& Value::operator=(Value&& other) noexcept {
  // `other` may live inside the tree that is replaced, so it is taken out before that tree goes.
  Value taken(std::move(other));
  std::swap(kind_, taken.kind_);
  std::swap(boolean_, taken.boolean_);
  std::swap(begin_, taken.begin_);
  std::swap(end_, taken.end_);
  text_.swap(taken.text_);
  parts_.swap(taken.parts_);
  return *this;
}

Value::Parts& Value::parts() {
  if (!parts_) parts_ = std::make_unique<Parts>();
  return *parts_;
}

const Value::Parts& Value::none() {
  static const Parts none;
  return none;
}

// Left to itself the destructor would go down one stack frame per level. Grandchildren that have
// children are therefore emptied from a work list first; what is left dies flat.
void Value::take_apart() noexcept try {
  std::vector<std::vector<Value>> pending;
  const auto take_from = [&pending](std::vector<Value>& values) {
    for (Value& value : values) {
      if (!value.parts_) continue;
      auto& children = value.parts_->children;
      const bool is_flat = std::ranges::none_of(
          children, [](const Value& child) { return child.parts_ != nullptr; });
      if (!is_flat) pending.push_back(std::move(children));
    }
  };
  take_from(parts_->children);
  while (!pending.empty()) {
    std::vector<Value> level = std::move(pending.back());
    pending.pop_back();
    take_from(level);
  }
} catch (const std::bad_alloc&) {
  // What is left dies level by level: where there is no memory nothing better can be had.
}

Value Value::number(long long value) { return number(std::to_string(value)); }

const Value* Value::find(std::string_view name) const {
  if (!parts_) return nullptr;
  for (std::size_t i = parts_->names.size(); i > 0; --i) {
    if (parts_->names[i - 1] == name) return &parts_->children[i - 1];
  }
  return nullptr;
}

std::size_t Value::count(std::string_view name) const {
  return static_cast<std::size_t>(std::count(names().begin(), names().end(), name));
}

Value& Value::append(Value element) { return parts().children.emplace_back(std::move(element)); }

Value& Value::append(std::string name, Value value) {
  parts().names.push_back(std::move(name));
  return parts().children.emplace_back(std::move(value));
}

Value Value::clone() const {
  std::vector<std::pair<const Value*, Value*>> pending;
  const auto copy = [&pending](const Value& from, Value& to) {
    to.kind_ = from.kind_;
    to.boolean_ = from.boolean_;
    to.begin_ = from.begin_;
    to.end_ = from.end_;
    to.text_ = from.text_;
    if (from.parts_) pending.emplace_back(&from, &to);
  };
  Value root;
  copy(*this, root);
  while (!pending.empty()) {
    const auto [from, to] = pending.back();
    pending.pop_back();
    const auto& children = from->parts_->children;
    to->parts().names = from->parts_->names;
    to->parts().children.resize(children.size());
    for (std::size_t i = 0; i < children.size(); ++i) copy(children[i], to->children()[i]);
  }
  return root;
}

std::size_t Value::memory() const {
  constexpr std::size_t kOfBlocks = 48;  // what the heap takes for the three of them
  std::size_t memory = 0;
  std::vector<const Value*> pending = {this};
  while (!pending.empty()) {
    const Value& value = *pending.back();
    pending.pop_back();
    memory += kept_by(value.text_);
    if (!value.parts_) continue;
    const auto& [children, names] = *value.parts_;
    memory += sizeof(Parts) + kOfBlocks + children.capacity() * sizeof(Value) +
              names.capacity() * sizeof(std::string);
    for (const auto& name : names) memory += kept_by(name);
    for (const auto& child : children) pending.push_back(&child);
  }
  return memory;
}

}  // namespace jrpcheck::json
