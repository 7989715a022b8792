#include "judge/mirrored_arguments.hpp"

#include <algorithm>

#include "base/kept.hpp"
#include "base/letter_case.hpp"
#include "json/pointer.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr std::string_view kAnnotation = "x-mcp-header";
constexpr std::size_t kDeepest = 20;
constexpr std::size_t kLongestPath = 2000;  // of all names in it
constexpr std::size_t kMostAnnotations = 100;

// However deep it is nested.
bool holds_annotation(const Value& schema) {
  std::vector<const Value*> pending = {&schema};
  while (!pending.empty()) {
    const Value& one = *pending.back();
    pending.pop_back();
    if (one.is(Kind::object) && one.find(kAnnotation) != nullptr) return true;
    for (const auto& child : one.children()) pending.push_back(&child);
  }
  return false;
}

// Each annotation keeps its path, and a server makes both as long as it likes.
bool is_long_path(const std::vector<std::string>& path) {
  std::size_t length = 0;
  for (const auto& name : path) length += name.size();
  return path.size() > kDeepest || length > kLongestPath;
}

// Annotations stand where a chain of `properties` leads, and nowhere else.
class AnnotationReader {
 public:
  explicit AnnotationReader(MirroredArguments& into) : into_(into) {}

  void read(const Value& schema, const std::vector<std::string>& path) {
    if (!schema.is(Kind::object) || is_long_path(path)) {
      into_.is_unknown = into_.is_unknown || holds_annotation(schema);
      return;
    }
    for (std::size_t i = 0; i < schema.size(); ++i) {
      const Value& member = schema.children()[i];
      const bool leads_on = schema.names()[i] == "properties" && member.is(Kind::object);
      if (!leads_on) {
        into_.is_unknown = into_.is_unknown || holds_annotation(member);
        continue;
      }
      for (std::size_t k = 0; k < member.size(); ++k) {
        auto further = path;
        further.push_back(member.names()[k]);
        read_annotation(member.children()[k], further);
        read(member.children()[k], further);
      }
    }
  }

 private:
  void read_annotation(const Value& schema, const std::vector<std::string>& path) {
    const Value* annotation = schema.find(kAnnotation);
    if (annotation == nullptr) return;
    if (into_.all.size() >= kMostAnnotations || is_long_path(path)) {
      into_.is_unknown = true;
      return;
    }
    const std::string name = json::text_of(annotation);
    const std::string type = json::text_of(schema.find("type"));
    const bool is_simple = type == "string" || type == "integer" || type == "boolean";
    const std::string field = "Mcp-Param-" + name;
    const bool is_new = std::ranges::none_of(
        into_.all, [&](const auto& each) { return same_ignoring_case(each.field, field); });
    if (!is_simple || !is_new || name.empty() || !wire::is_token(name)) into_.is_unknown = true;
    into_.all.push_back({path, field, type});
  }

  MirroredArguments& into_;
};

}  // namespace

std::size_t MirroredArguments::kept() const {
  return kept_in(all, [](const One& each) {
    return kept_in(each.path) + kept_by(each.field) + kept_by(each.type);
  });
}

MirroredArguments mirrored_by(const Value& tool) {
  MirroredArguments all;
  const Value* schema = tool.find("inputSchema");
  if (schema != nullptr) AnnotationReader(all).read(*schema, {});
  return all;
}

}  // namespace jrpcheck::judge
