#include "schema/annotations.hpp"

#include <algorithm>
#include <vector>

#include "json/pointer.hpp"
#include "schema/assertion.hpp"

namespace jrpcheck::schema {
namespace {

using json::Kind;

constexpr int kDeepest = 40;
constexpr std::size_t kLongestPath = 10'000;  // each part has its place written out

// Whether the value has the type, or the fixed members, that an "if" asks for: no more is said
// there.
bool is_met(const json::Value& condition, const json::Value& value) {
  const json::Value* types = condition.find("type");
  if (types != nullptr && !has_type(*types, value)) return false;
  const json::Value* properties = condition.find("properties");
  if (properties == nullptr) return types != nullptr;
  if (!value.is(Kind::object)) return false;
  for (std::size_t i = 0; i < properties->size(); ++i) {
    const json::Value* wanted = properties->children()[i].find("const");
    const json::Value* own = value.find(properties->names()[i]);
    if (wanted != nullptr && (own == nullptr || !json::equal(*wanted, *own))) return false;
  }
  return true;
}

// Schemas that are for the same value: what a $ref leads to, all that stand in lists, and the
// branch of a condition.
std::vector<const json::Value*> beside(const json::Value& root, const json::Value& schema,
                                       const json::Value& value) {
  std::vector<const json::Value*> found;
  if (const json::Value* reference = schema.find("$ref"); reference != nullptr) {
    const std::string& text = reference->text();
    const json::Value* to =
        !text.empty() && text.front() == '#' ? json::at(root, text.substr(1)) : nullptr;
    if (to != nullptr) found.push_back(to);
  }
  for (const char* name : {"allOf", "anyOf", "oneOf"}) {
    const json::Value* list = schema.find(name);
    if (list == nullptr || !list->is(Kind::array)) continue;
    for (const auto& each : list->children()) found.push_back(&each);
  }
  if (const json::Value* condition = schema.find("if")) {
    const json::Value* branch = schema.find(is_met(*condition, value) ? "then" : "else");
    if (branch != nullptr) found.push_back(branch);
  }
  return found;
}

const json::Value* schema_of_child(const json::Value& schema, const std::string& name,
                                   bool of_array) {
  if (of_array) return schema.find("items");
  const json::Value* properties = schema.find("properties");
  const json::Value* own = properties != nullptr ? properties->find(name) : nullptr;
  return own != nullptr ? own : schema.find("additionalProperties");
}

// Goes through a schema and a value side by side.
class Walk {
 public:
  using Visit = std::function<void(const std::string& requirement, const std::string& at)>;

  Walk(const json::Value& root, Visit visit) : root_(root), visit_(std::move(visit)) {}

  void go(const json::Value& schema, const json::Value& value, const std::string& at, int depth) {
    if (depth > kDeepest || at.size() > kLongestPath || !schema.is(Kind::object)) return;
    if (const json::Value* named = schema.find(kRequirement)) visit_(named->text(), at);
    for (const json::Value* each : beside(root_, schema, value)) go(*each, value, at, depth + 1);
    if (!value.is(Kind::array) && !value.is(Kind::object)) return;
    const bool is_array = value.is(Kind::array);
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string name = is_array ? std::to_string(i) : value.names()[i];
      const json::Value* child = schema_of_child(schema, name, is_array);
      if (child != nullptr) go(*child, value.children()[i], json::joined(at, name), depth + 1);
    }
  }

 private:
  const json::Value& root_;
  Visit visit_;
};

bool is_within(std::string_view at, const std::string& of) {
  return at.substr(0, of.size()) == of && (at.size() == of.size() || at[of.size()] == '/');
}

}  // namespace

std::string requirement_at(const json::Value& root, const json::Value& schema,
                           const json::Value& value, std::string_view at) {
  std::string found;
  std::size_t depth = 0;
  Walk(root, [&](const std::string& requirement, const std::string& named_at) {
    if (!is_within(at, named_at) || (!found.empty() && named_at.size() < depth)) return;
    found = requirement;
    depth = named_at.size();
  }).go(schema, value, "", 0);
  return found;
}

std::set<std::string> requirements_of(const json::Value& root, const json::Value& schema,
                                      const json::Value& value) {
  std::set<std::string> found;
  Walk(root, [&](const std::string& requirement, const std::string&) {
    found.insert(requirement);
  }).go(schema, value, "", 0);
  return found;
}

}  // namespace jrpcheck::schema
