#include "fuzz/mutate.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "fuzz/generate.hpp"
#include "fuzz/mutate_structure.hpp"
#include "json/parse.hpp"

namespace jrpcheck::fuzz {
namespace {

using json::Kind;
using json::Value;

// A tree is changed where it is no larger than this; beyond it costs more than it finds.
constexpr std::size_t kMostNodes = 2'000;

std::vector<Value*> nodes_of(Value& root) {
  std::vector<Value*> nodes{&root};
  for (std::size_t i = 0; i < nodes.size() && nodes.size() < kMostNodes; ++i) {
    for (auto& child : nodes[i]->children()) nodes.push_back(&child);
  }
  return nodes;
}

void insert_child(Value& parent, Value child, Random& random, const Vocabulary& vocabulary) {
  if (parent.is(Kind::object)) {
    parent.append(any_name(random, vocabulary), std::move(child));
  } else {
    parent.append(std::move(child));
  }
}

void remove_child(Value& parent, Random& random) {
  const auto at = static_cast<std::ptrdiff_t>(random.below(parent.size()));
  parent.children().erase(parent.children().begin() + at);
  if (parent.is(Kind::object)) parent.names().erase(parent.names().begin() + at);
}

void repeat_child(Value& parent, Random& random) {
  const std::size_t at = random.below(parent.size());
  Value twin = parent.children()[at].clone();
  if (parent.is(Kind::array)) {
    parent.append(std::move(twin));
    return;
  }
  std::string name = parent.names()[at];
  parent.append(std::move(name), std::move(twin));
}

void swap_children(Value& parent, Random& random) {
  const std::size_t one = random.below(parent.size());
  const std::size_t other = random.below(parent.size());
  std::swap(parent.children()[one], parent.children()[other]);
  if (parent.is(Kind::object)) std::swap(parent.names()[one], parent.names()[other]);
}

void mutate_container(Value& value, Random& random, const Vocabulary& vocabulary) {
  if (value.size() == 0)
    return insert_child(value, any_value(random, 1, vocabulary), random, vocabulary);
  switch (random.below(7)) {
    case 0:
      return insert_child(value, any_value(random, 2, vocabulary), random, vocabulary);
    case 1:
      return remove_child(value, random);
    case 2:
      return repeat_child(value, random);
    case 3:
      return swap_children(value, random);
    case 4:
      if (value.is(Kind::object)) {
        std::string& name = value.names()[random.below(value.size())];
        name = random.one_in(2) ? misspelt(name, random) : any_name(random, vocabulary);
      } else {
        repeat_child(value, random);
      }
      return;
    case 5: {
      Value child = std::move(value.children()[random.below(value.size())]);
      value = std::move(child);
      return;
    }
    default:
      value.children()[random.below(value.size())] = any_value(random, 1, vocabulary);
  }
}

void wrap(Value& value, Random& random, const Vocabulary& vocabulary) {
  Value inner = std::move(value);
  value = random.one_in(4) ? Value::object() : Value::array();
  insert_child(value, std::move(inner), random, vocabulary);
}

std::string edited(std::string text, Random& random) {
  const std::size_t at = random.below(text.size() + 1);
  switch (random.below(3)) {
    case 0:
      return text.substr(0, at);
    case 1:
      return text.insert(at, any_text(random));
    default:
      return text + text;
  }
}

// Cutting may have left half of a character behind, which the tree must not hold.
bool is_whole(const std::string& text) {
  const auto again = json::parse(json::write(Value::string(text)));
  return again && again.value->text() == text;
}

void mutate_scalar(Value& value, Random& random, const Vocabulary& vocabulary) {
  if (random.one_in(4)) {
    value = any_value(random, 1, vocabulary);
  } else if (value.is(Kind::number)) {
    value = Value::number(any_number(random));
  } else if (value.is(Kind::string)) {
    std::string text =
        random.one_in(2) ? any_text(random, vocabulary) : edited(value.text(), random);
    if (is_whole(text)) value = Value::string(std::move(text));
  } else {
    value = any_id(random);
  }
}

}  // namespace

void mutate_tree(Value& root, Random& random, const Vocabulary& vocabulary) {
  const auto nodes = nodes_of(root);
  // The first nodes are the message itself, where most of what matters is.
  const std::size_t among =
      random.one_in(2) ? nodes.size() : std::min<std::size_t>(nodes.size(), 6);
  Value& chosen = *nodes[random.below(among)];
  if (random.one_in(8)) return wrap(chosen, random, vocabulary);
  if (random.one_in(8)) {
    Value copy = nodes[random.below(nodes.size())]->clone();
    chosen = std::move(copy);
    return;
  }
  if (root.is(Kind::array) && random.one_in(4)) {
    root.append(random.one_in(3) ? generate_invalid(random, vocabulary)
                                 : generate_request(random, vocabulary));
    return;
  }
  if (chosen.is(Kind::array) || chosen.is(Kind::object)) {
    mutate_container(chosen, random, vocabulary);
  } else {
    mutate_scalar(chosen, random, vocabulary);
  }
}

std::string mutate_bytes(std::string text, Random& random) {
  for (std::size_t left = 1 + random.below(3); left > 0; --left) {
    const std::size_t at = random.below(text.size() + 1);
    switch (random.below(4)) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.insert(at, 1, static_cast<char>(random.below(256)));
        break;
      case 2:
        if (at < text.size()) text.erase(at, 1 + random.below(8));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random.below(256));
    }
  }
  return text;
}

const std::string& LastMade::keep(json::Value tree) {
  text_ = json::write(tree);
  tree_.reset();
  // Escapes may put halves of one character together that the tree has as two.
  if (text_.find("\\u") == std::string::npos) tree_ = std::move(tree);
  return text_;
}

std::optional<json::Value> LastMade::take_tree_of(std::string_view text) {
  if (tree_ && text == text_) return std::exchange(tree_, std::nullopt);
  return json::parse(text).value;
}

std::string mutate_message(std::string_view text, Random& random, const Vocabulary& vocabulary,
                           LastMade& last) {
  if (text.empty() || random.one_in(4)) return generate_message(random, vocabulary);
  // What was sent before may show its traces when it is sent again.
  if (random.one_in(16)) return std::string(text);
  if (random.one_in(12)) return mutate_bytes(std::string(text), random);
  auto parsed = last.take_tree_of(text);
  if (!parsed) {
    return random.one_in(3) ? mutate_bytes(std::string(text), random)
                            : generate_message(random, vocabulary);
  }
  Value& message = *parsed;
  // Batches have most to show, so that most of what is kept are batches; Requests alone have to
  // stay among what is sent.
  if (message.is(Kind::array) && message.size() > 0 && random.one_in(3)) {
    Value element = std::move(message.children()[random.below(message.size())]);
    message = std::move(element);
  }
  for (std::size_t left = random.one_in(2) ? 1 : 1 + random.below(4); left > 0; --left) {
    const bool structured = message.is(Kind::array) || message.is(Kind::object);
    if (structured && !random.one_in(5)) {
      mutate_structure(message, random, vocabulary);
    } else {
      mutate_tree(message, random, vocabulary);
    }
  }
  const std::string& changed = last.keep(std::move(message));
  return random.one_in(8) ? respell(changed, random) : changed;
}

std::string cross_over(std::string_view one, std::string_view other, Random& random,
                       LastMade& last) {
  auto first = last.take_tree_of(one);
  auto second = json::parse(other).value;
  if (!first && !second)
    return std::string(one.substr(0, one.size() / 2)) + std::string(other.substr(other.size() / 2));
  if (!first || !second) return std::string(first ? one : other);
  if (!random.one_in(4)) {
    return last.keep(blended(*std::move(first), *std::move(second), random));
  }
  const auto places = nodes_of(*first);
  const auto parts = nodes_of(*second);
  Value& part = *parts[random.below(parts.size())];
  *places[random.below(places.size())] = std::move(part);
  return last.keep(*std::move(first));
}

}  // namespace jrpcheck::fuzz
