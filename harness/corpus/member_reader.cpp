#include "corpus/member_reader.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/contains.hpp"

namespace jrpcheck::corpus {

namespace {

std::string with_article(json::Kind kind) {
  const bool vowel = kind == json::Kind::array || kind == json::Kind::object;
  return (vowel ? "an " : "a ") + std::string(json::name_of(kind));
}

}  // namespace

std::optional<json::Value> Complaint::parse(std::string_view text) {
  auto parsed = json::parse(text);
  if (!parsed) raise_at(parsed.error.offset, "not JSON: " + parsed.error.message);
  return std::move(parsed.value);
}

void Complaint::raise(const json::Value& at, const std::string& what) {
  raise_at(at.begin(), what);
}

void Complaint::raise_at(std::size_t offset, const std::string& what) {
  if (first_) return;
  const auto position = places_.at(offset);
  std::string message =
      file_ + ":" + std::to_string(position.line) + ":" + std::to_string(position.column) + ": ";
  if (!subject_.empty()) message += subject_ + ": ";
  first_ = Error{message + what};
}

MemberReader::MemberReader(const json::Value& object, Complaint& complaint,
                           std::initializer_list<std::string_view> known_members)
    : MemberReader(object, complaint) {
  for (std::size_t i = 0; object.is(json::Kind::object) && i < object.size(); ++i) {
    const auto& name = object.names()[i];
    if (!contains(known_members, name)) {
      complaint.raise(object.children()[i], "unknown member \"" + name + "\"");
    }
  }
}

MemberReader::MemberReader(const json::Value& object, Complaint& complaint)
    : object_(object), complaint_(complaint) {
  if (!object.is(json::Kind::object)) {
    complaint.raise(object, "an object is expected here, not " + with_article(object.kind()));
    return;
  }
  if (const auto twice = first_repeated(object)) {
    complaint.raise(object.children()[*twice],
                    "member \"" + object.names()[*twice] + "\" is there twice");
  }
}

const json::Value* MemberReader::find(std::string_view name, json::Kind kind) const {
  const json::Value* value = object_.find(name);
  if (value == nullptr) return nullptr;
  if (value->is(kind)) return value;
  complaint_.raise(*value, "member \"" + std::string(name) + "\" must be " + with_article(kind) +
                               ", not " + with_article(value->kind()));
  return nullptr;
}

const json::Value* MemberReader::require(std::string_view name, json::Kind kind) const {
  if (object_.find(name) == nullptr) {
    complain("member \"" + std::string(name) + "\" is missing");
  }
  return find(name, kind);
}

std::string MemberReader::text(std::string_view name) const {
  const json::Value* value = find(name, json::Kind::string);
  return value != nullptr ? value->text() : std::string();
}

std::string MemberReader::required_text(std::string_view name) const {
  const json::Value* value = require(name, json::Kind::string);
  if (value != nullptr && value->text().empty()) {
    complaint_.raise(*value, "member \"" + std::string(name) + "\" must not be empty");
  }
  return value != nullptr ? value->text() : std::string();
}

bool MemberReader::flag(std::string_view name) const {
  const json::Value* value = find(name, json::Kind::boolean);
  return value != nullptr && value->as_boolean();
}

std::vector<std::string> MemberReader::texts(std::string_view name) const {
  std::vector<std::string> found;
  const json::Value* list = find(name, json::Kind::array);
  if (list == nullptr) return found;
  for (const auto& each : list->children()) {
    if (!each.is(json::Kind::string)) {
      complaint_.raise(each, "\"" + std::string(name) + "\" holds strings");
    }
    found.push_back(each.text());
  }
  return found;
}

std::optional<std::size_t> MemberReader::size(std::string_view name) const {
  const json::Value* value = find(name, json::Kind::number);
  if (value == nullptr) return std::nullopt;
  const auto number = to_integer(*value);
  if (!number || *number < 0) {
    complaint_.raise(*value, "member \"" + std::string(name) + "\" must be a whole number");
    return std::nullopt;
  }
  return static_cast<std::size_t>(*number);
}

std::optional<std::size_t> first_repeated(const json::Value& object) {
  std::map<std::string_view, std::size_t> first;
  std::optional<std::size_t> repeated;
  for (std::size_t i = 0; i < object.size(); ++i) {
    const auto [known, is_new] = first.emplace(object.names()[i], i);
    if (!is_new) repeated = std::min(repeated.value_or(known->second), known->second);
  }
  return repeated;
}

std::optional<long long> to_integer(const json::Value& number) {
  if (!number.is(json::Kind::number)) return std::nullopt;
  const std::string& token = number.text();
  long long value = 0;
  const auto parsed = std::from_chars(token.data(), token.data() + token.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != token.data() + token.size()) return std::nullopt;
  return value;
}

}  // namespace jrpcheck::corpus
