#include "schema/published_schema.hpp"

#include <map>
#include <utility>
#include <vector>

#include "json/parse.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::schema {
namespace {

using json::Kind;

/// What is said, and the definition that is about it.
using Definitions = std::map<std::pair<Subject, std::string>, std::string>;

constexpr std::string_view kRequestEnd = "Request";
constexpr std::string_view kNotificationEnd = "Notification";
constexpr const char* kAny = "*";

void note_definition(const json::Value& all, const std::string& name, const json::Value& schema,
                     Definitions& found) {
  const json::Value* method = json::at(schema, "/properties/method/const");
  if (method == nullptr || !method->is(Kind::string)) return;
  if (name.ends_with(kNotificationEnd)) found[{Subject::notification, method->text()}] = name;
  if (!name.ends_with(kRequestEnd)) return;
  found[{Subject::request, method->text()}] = name;
  const std::string result = name.substr(0, name.size() - kRequestEnd.size()) + "Result";
  if (all.find(result) != nullptr) {
    found[{Subject::result, method->text()}] = result;
  } else if (all.find("EmptyResult") != nullptr) {
    found[{Subject::result, method->text()}] = "EmptyResult";
  }
}

}  // namespace

struct PublishedSchema::Content {
  std::map<std::pair<Subject, std::string>, std::pair<std::string, Schema>> schemas = {};
};

Result<PublishedSchema> PublishedSchema::load(std::string_view text) {
  const auto document = json::parse(text);
  if (!document) {
    const auto place = json::locate(text, document.error.offset);
    return Error{"line " + std::to_string(place.line) + ": not JSON: " + document.error.message};
  }
  std::string folder = "/$defs";
  const json::Value* all = json::at(*document.value, folder);
  if (all == nullptr) all = json::at(*document.value, folder = "/definitions");
  if (all == nullptr || !all->is(Kind::object)) {
    return Error{"there are neither $defs nor definitions in it"};
  }
  Definitions definitions;
  for (std::size_t i = 0; i < all->size(); ++i) {
    note_definition(*all, all->names()[i], all->children()[i], definitions);
  }
  if (definitions.empty()) return Error{"no definition in it names the method that it is about"};
  for (const char* error : {"JSONRPCError", "JSONRPCErrorResponse"}) {
    if (all->find(error) != nullptr) definitions[{Subject::error, kAny}] = error;
  }
  std::vector<std::string> pointers;
  for (const auto& [about, name] : definitions) pointers.push_back(json::joined(folder, name));
  auto compiled = Schema::compile(*document.value, pointers);
  if (!compiled) return compiled.error();
  auto content = std::make_shared<Content>();
  std::size_t place = 0;
  for (const auto& [about, name] : definitions) {
    content->schemas.emplace(about, std::pair(name, (*compiled)[place++]));
  }
  PublishedSchema published;
  published.content_ = std::move(content);
  return published;
}

PublishedSchema::Opinion PublishedSchema::judge(Subject subject, std::string_view method,
                                                const json::Value& value) const {
  const std::string name(subject == Subject::error ? std::string_view(kAny) : method);
  const auto found = content_->schemas.find({subject, name});
  if (found == content_->schemas.end()) return {};
  return {true, found->second.first, found->second.second.violation(value)};
}

}  // namespace jrpcheck::schema
