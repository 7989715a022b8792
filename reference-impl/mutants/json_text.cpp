#include "reference-impl/mutants/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reference-impl/message.hpp"
#include "reference-impl/response.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Where the string that begins at `begin` ends, behind its closing quotation mark.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  std::size_t at = begin + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

/// Where the value that begins at `begin` ends: at the comma or bracket that follows it.
std::size_t end_of_value(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  std::size_t at = begin;
  while (at < text.size()) {
    const char c = text[at];
    if (depth == 0 && (c == ',' || c == ']' || c == '}')) break;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    at = c == '"' ? end_of_string(text, at) : at + 1;
  }
  return at;
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kWhiteSpace, at), text.size());
}

}  // namespace

const std::string* ObjectText::find(std::string_view name) const {
  const auto found = std::find_if(members.rbegin(), members.rend(),
                                  [name](const auto& member) { return member.first == name; });
  return found == members.rend() ? nullptr : &found->second;
}

bool ObjectText::is(std::string_view name, std::string_view text) const {
  const std::string* value = find(name);
  return value != nullptr && *value == text;
}

void ObjectText::set(std::string_view name, std::string value) {
  if (!has(name)) return add(name, std::move(value));
  for (auto& member : members) {
    if (member.first == name) member.second = value;
  }
}

void ObjectText::add(std::string_view name, std::string value) {
  members.emplace_back(name, std::move(value));
}

void ObjectText::remove(std::string_view name) {
  std::erase_if(members, [name](const auto& member) { return member.first == name; });
}

void ObjectText::rename(std::string_view from, std::string_view to) {
  for (auto& member : members) {
    if (member.first == from) member.first = to;
  }
}

std::string ObjectText::text() const {
  std::string out = "{";
  for (const auto& [name, value] : members) {
    if (out.size() > 1) out += ',';
    out.append(encoded(name)).append(":").append(value);
  }
  return out += '}';
}

std::optional<ObjectText> object_of(std::string_view text) {
  text = stripped(text);
  if (!text.starts_with('{')) return std::nullopt;
  ObjectText object;
  std::size_t at = skip_space(text, 1);
  while (at < text.size() && text[at] == '"') {
    const std::size_t name_end = end_of_string(text, at);
    const std::string name = decoded(text.substr(at, name_end - at));
    const std::size_t begin = skip_space(text, skip_space(text, name_end) + 1);
    const std::size_t end = end_of_value(text, begin);
    object.add(name, std::string(stripped(text.substr(begin, end - begin))));
    at = skip_space(text, end + 1);
  }
  return object;
}

bool is_array(std::string_view text) { return stripped(text).starts_with('['); }

std::vector<std::string> elements_of(std::string_view array) {
  array = stripped(array);
  std::vector<std::string> elements;
  std::size_t at = skip_space(array, 1);
  while (at < array.size() && array[at] != ']') {
    const std::size_t end = end_of_value(array, at);
    elements.emplace_back(stripped(array.substr(at, end - at)));
    at = skip_space(array, end + 1);
  }
  return elements;
}

std::string array_of(const std::vector<std::string>& elements) {
  std::string out;
  for (const std::string& element : elements) out.append(out.empty() ? "[" : ",").append(element);
  return out.empty() ? "[]" : out += ']';
}

bool is_json(std::string_view text) { return bool(read_message(text, Limits{})); }

bool is_string(std::string_view text) { return text.starts_with('"'); }

std::string decoded(std::string_view string_text) {
  const auto string = nlohmann::json::parse(string_text, nullptr, /*allow_exceptions=*/false);
  return string.is_string() ? string.get<std::string>() : std::string(string_text);
}

std::string encoded(std::string_view value) { return json_text(nlohmann::json(value)); }

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string_view stripped(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t begin = std::min(text.find_first_not_of(kWhiteSpace), text.size());
  const std::size_t last = text.find_last_not_of(kWhiteSpace);
  return last == text.npos ? std::string_view() : text.substr(begin, last + 1 - begin);
}

}  // namespace jrpcheck::reference
