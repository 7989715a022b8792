#include "json/pointer.hpp"

#include <algorithm>
#include <charconv>

namespace jrpcheck::json {
namespace {

std::string unescaped(std::string_view token) {
  std::string name;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool is_escape = token[i] == '~' && i + 1 < token.size();
    if (is_escape && (token[i + 1] == '0' || token[i + 1] == '1')) {
      name += token[++i] == '0' ? '~' : '/';
    } else {
      name += token[i];
    }
  }
  return name;
}

const Value* child(const Value& value, const std::string& name) {
  if (value.is(Kind::object)) return value.find(name);
  if (!value.is(Kind::array) || name.empty()) return nullptr;
  std::size_t index = 0;
  const auto* end = name.data() + name.size();
  const auto read = std::from_chars(name.data(), end, index);
  if (read.ec != std::errc() || read.ptr != end || index >= value.size()) return nullptr;
  return &value.children()[index];
}

}  // namespace

const Value* at(const Value& value, std::string_view pointer) {
  const Value* found = &value;
  while (!pointer.empty() && found != nullptr) {
    if (pointer.front() != '/') return nullptr;
    pointer.remove_prefix(1);
    const auto end = std::min(pointer.find('/'), pointer.size());
    found = child(*found, unescaped(pointer.substr(0, end)));
    pointer.remove_prefix(end);
  }
  return found;
}

const std::string& text_of(const Value* value) {
  static const std::string none;
  return value != nullptr && value->is(Kind::string) ? value->text() : none;
}

const std::string& text_at(const Value& value, std::string_view pointer) {
  return text_of(at(value, pointer));
}

std::string joined(std::string_view pointer, std::string_view name) {
  std::string text(pointer);
  text += '/';
  for (const char c : name) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace jrpcheck::json
