#include "corpus/expand.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "corpus/member_reader.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::corpus {
namespace {

using json::Kind;

constexpr std::size_t kUsualMost = 5;
constexpr std::string_view kForEach = "for-each";

// One item, and which of them it is.
struct Item {
  const json::Value& value;
  std::size_t index;
};

std::optional<json::Value> value_for(std::string_view name, const Item& item) {
  constexpr std::string_view kItem = "item";
  constexpr std::string_view kArguments = "arguments:";
  constexpr std::string_view kWrongArguments = "wrong-arguments:";
  const auto is = [&](std::string_view begin) { return name.substr(0, begin.size()) == begin; };
  if (name == "index") return json::Value::number(static_cast<long long>(item.index));
  if (is(kArguments) || is(kWrongArguments)) {
    const bool wrong = is(kWrongArguments);
    const auto pointer = name.substr(wrong ? kWrongArguments.size() : kArguments.size());
    const json::Value* schema = json::at(item.value, pointer);
    if (schema == nullptr) return std::nullopt;
    return wrong ? wrong_arguments_for(*schema) : arguments_for(*schema);
  }
  if (!is(kItem)) return std::nullopt;
  const auto pointer = name == kItem ? "" : name.substr(kItem.size() + 1);
  const json::Value* found = json::at(item.value, pointer);
  if (found == nullptr) return std::nullopt;
  return found->clone();
}

bool is_of_item(std::string_view name) {
  return name == "item" || name == "index" || name.substr(0, 5) == "item:" ||
         name.substr(0, 10) == "arguments:" || name.substr(0, 16) == "wrong-arguments:";
}

// What takes the place of a String: the value, where it is nothing but the placeholder, and else
// the text with that of the value in it. Nothing where the item has no such value.
std::optional<json::Value> replaced(std::string text, const Item& item) {
  for (std::size_t begin = text.find("${"); begin != text.npos; begin = text.find("${", begin)) {
    const auto end = text.find('}', begin);
    if (end == text.npos) break;
    const std::string name = text.substr(begin + 2, end - begin - 2);
    if (!is_of_item(name)) {
      begin = end;
      continue;
    }
    auto found = value_for(name, item);
    if (!found || (begin == 0 && end + 1 == text.size())) return found;
    const std::string shown = found->is(Kind::string) ? found->text() : json::write(*found);
    text.replace(begin, end + 1 - begin, shown);
    begin += shown.size();
  }
  return json::Value::string(std::move(text));
}

// False where the item has no value for one of the placeholders.
bool replace(json::Value& root, const Item& item) {
  std::vector<json::Value*> pending = {&root};
  while (!pending.empty()) {
    json::Value& value = *pending.back();
    pending.pop_back();
    if (value.is(Kind::string)) {
      auto made = replaced(value.text(), item);
      if (!made) return false;
      value = *std::move(made);
    } else if (value.size() > 0) {
      for (json::Value& child : value.children()) pending.push_back(&child);
    }
  }
  return true;
}

json::Value without(const json::Value& object, std::string_view left_out) {
  json::Value copy = json::Value::object();
  for (std::size_t i = 0; i < object.size(); ++i) {
    if (object.names()[i] != left_out) copy.append(object.names()[i], object.children()[i].clone());
  }
  return copy;
}

std::size_t most_of(const json::Value& for_each) {
  const json::Value* most = for_each.find("most");
  const auto number = most == nullptr ? std::nullopt : to_integer(*most);
  return number ? static_cast<std::size_t>(*number) : kUsualMost;
}

// Adds the step once for each item; the items for which it cannot be made are passed over.
void expand_step(const json::Value& step, const json::Value& for_each, const Catalogue& catalogue,
                 json::Value& steps) {
  const json::Value* of = for_each.find("of");
  std::size_t made = 0;
  std::size_t index = 0;
  for (const json::Value* item : catalogue.items(of != nullptr ? of->text() : "")) {
    if (made == most_of(for_each)) break;
    json::Value one = without(step, kForEach);
    if (!replace(one, {*item, index++})) continue;
    steps.append(std::move(one));
    ++made;
  }
}

}  // namespace

Result<std::string> with_steps_for_items(const std::string& source, const Bindings& bindings) {
  if (bindings.catalogue == nullptr || source.find("\"for-each\"") == source.npos) return source;
  const auto parsed = json::parse(source);
  const json::Value* steps = parsed ? parsed.value->find("steps") : nullptr;
  if (steps == nullptr) return source;
  json::Value expanded = json::Value::array();
  std::string of_what;
  for (const auto& step : steps->children()) {
    const json::Value* for_each = step.find(kForEach);
    if (for_each == nullptr) {
      expanded.append(step.clone());
      continue;
    }
    if (const json::Value* of = for_each->find("of")) of_what = of->text();
    expand_step(step, *for_each, *bindings.catalogue, expanded);
  }
  if (expanded.size() == 0) return Error{"the server lists nothing for it (" + of_what + ")"};
  json::Value whole = without(*parsed.value, "steps");
  whole.append("steps", std::move(expanded));
  return json::write(whole);
}

}  // namespace jrpcheck::corpus
