#include "schema/message_schemas.hpp"

#include <array>
#include <utility>
#include <vector>

#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "schema/annotations.hpp"

namespace jrpcheck::schema {
namespace {

using json::Kind;

constexpr std::array<std::string_view, 7> kSections = {"results",
                                                       "errors",
                                                       "requests",
                                                       "notifications",
                                                       "client",
                                                       "client-requests",
                                                       "client-notifications"};
constexpr std::string_view kAnyMethod = "*";
constexpr int kLongestChain = 16;

// The members of `base` with those of `over` in their place, one level deep.
json::Value merged(const json::Value& base, const json::Value& over) {
  json::Value whole = json::Value::object();
  for (std::size_t i = 0; i < base.size(); ++i) {
    const std::string& name = base.names()[i];
    const json::Value* other = over.find(name);
    if (other == nullptr) whole.append(name, base.children()[i].clone());
  }
  for (std::size_t i = 0; i < over.size(); ++i) {
    const json::Value& value = over.children()[i];
    if (!value.is(Kind::null)) whole.append(over.names()[i], value.clone());
  }
  return whole;
}

json::Value extended(const json::Value& base, const json::Value& over) {
  json::Value whole = json::Value::object();
  for (std::size_t i = 0; i < base.size(); ++i) {
    const std::string& name = base.names()[i];
    const json::Value* other = over.find(name);
    const json::Value& own = base.children()[i];
    const bool are_maps = other != nullptr && other->is(Kind::object) && own.is(Kind::object);
    whole.append(name, are_maps           ? merged(own, *other)
                       : other != nullptr ? other->clone()
                                          : own.clone());
  }
  for (std::size_t i = 0; i < over.size(); ++i) {
    if (base.find(over.names()[i]) == nullptr) {
      whole.append(over.names()[i], over.children()[i].clone());
    }
  }
  return whole;
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

Result<json::Value> read(const std::string& path, const std::map<std::string, std::string>& files,
                         int chain = 0) {
  const auto file = files.find(path);
  if (file == files.end()) return Error{"there is no file '" + path + "' with schemas"};
  auto parsed = json::parse(file->second);
  if (!parsed || !parsed.value->is(Kind::object)) {
    return Error{path + ": " + (parsed ? "not an Object" : "not JSON: " + parsed.error.message)};
  }
  const json::Value* base = parsed.value->find("extends");
  if (base == nullptr || chain > kLongestChain) return *std::move(parsed.value);
  const auto below = read(folder_of(path) + base->text(), files, chain + 1);
  if (!below) return below.error();
  return extended(*below, *parsed.value);
}

void collect(const json::Value& value, std::set<std::string>& found) {
  if (value.is(Kind::object)) {
    const json::Value* named = value.find(kRequirement);
    if (named != nullptr && named->is(Kind::string)) found.insert(named->text());
  }
  for (const auto& each : value.children()) collect(each, found);
}

}  // namespace

struct MessageSchemas::Content {
  json::Value document;
  std::map<std::pair<Subject, std::string>, std::pair<std::string, Schema>> schemas = {};

  const std::pair<std::string, Schema>* find(Subject subject, std::string_view method) const {
    for (const auto name : {method, kAnyMethod}) {
      const auto found = schemas.find({subject, std::string(name)});
      if (found != schemas.end()) return &found->second;
    }
    return nullptr;
  }
};

Result<MessageSchemas> MessageSchemas::load(const std::string& path,
                                            const std::map<std::string, std::string>& files) {
  auto document = read(path, files);
  if (!document) return document.error();
  std::vector<std::pair<Subject, std::string>> keys;
  std::vector<std::string> pointers;
  for (std::size_t i = 0; i < kSections.size(); ++i) {
    const json::Value* section = document->find(kSections.at(i));
    if (section == nullptr) continue;
    for (const auto& method : section->names()) {
      keys.emplace_back(static_cast<Subject>(i), method);
      pointers.push_back(json::joined("/" + std::string(kSections.at(i)), method));
    }
  }
  auto compiled = Schema::compile(*document, pointers);
  if (!compiled) return Error{path + ": " + compiled.error().message};
  auto content = std::make_shared<Content>(Content{*std::move(document)});
  for (std::size_t i = 0; i < keys.size(); ++i) {
    content->schemas[keys[i]] = {pointers[i], (*compiled)[i]};
  }
  MessageSchemas schemas;
  schemas.content_ = std::move(content);
  return schemas;
}

std::optional<Verdict> MessageSchemas::judge(Subject subject, std::string_view method,
                                             const json::Value& value) const {
  const auto* found = content_->find(subject, method);
  if (found == nullptr) return std::nullopt;
  const json::Value& root = content_->document;
  const json::Value& schema = *json::at(root, found->first);
  Verdict verdict{found->second.violation(value), {}, requirements_of(root, schema, value)};
  const json::Value* usual = root.find(kRequirement);
  if (usual != nullptr) verdict.exercised.insert(usual->text());
  if (verdict.violation) {
    verdict.requirement = requirement_at(root, schema, value, verdict.violation->at);
    if (verdict.requirement.empty() && usual != nullptr) verdict.requirement = usual->text();
  }
  return verdict;
}

bool MessageSchemas::knows_client() const {
  return content_->find(Subject::client, kAnyMethod) != nullptr;
}

std::set<std::string> MessageSchemas::requirements() const {
  std::set<std::string> found;
  collect(content_->document, found);
  return found;
}

}  // namespace jrpcheck::schema
