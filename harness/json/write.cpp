#include <utility>

#include "base/ascii.hpp"
#include "base/utf8.hpp"
#include "json/value.hpp"
#include "json/writer.hpp"

namespace jrpcheck::json {
namespace {

void write_code_unit(std::string& out, unsigned unit) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHexDigits[(unit >> shift) & 0xF];
}

// RFC 8259 §7: the quotation mark, the backslash and U+0000 to U+001F must be escaped.
constexpr bool must_be_escaped(char byte) {
  return static_cast<unsigned char>(byte) < 0x20 || byte == '"' || byte == '\\';
}

void write_escape(std::string& out, char byte) {
  constexpr std::string_view kBytes = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  const std::size_t which = kBytes.find(byte);
  if (which == std::string_view::npos) return write_code_unit(out, static_cast<unsigned>(byte));
  out += '\\';
  out += kLetters[which];
}

void write_utf8(std::string& out, std::string_view text) {
  std::size_t written = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!must_be_escaped(text[at])) continue;
    out.append(text, written, at - written);
    write_escape(out, text[at]);
    written = at + 1;
  }
  out.append(text, written);
}

// Writes what stands at the beginning of `text` and is not UTF-8; gives its length.
std::size_t write_ill_formed(std::string& out, std::string_view text) {
  const auto byte = [text](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const bool is_surrogate =
      byte(0) == 0xED && byte(1) >= 0xA0 && byte(1) <= 0xBF && byte(2) >= 0x80 && byte(2) <= 0xBF;
  if (is_surrogate) {
    write_code_unit(out, 0xD000U | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F));
    return 3;
  }
  write_code_unit(out, 0xFFFD);
  return 1;
}

void write_string(std::string& out, std::string_view text) {
  out += '"';
  while (const auto ill_formed = find_invalid_utf8(text)) {
    write_utf8(out, text.substr(0, *ill_formed));
    text.remove_prefix(*ill_formed);
    text.remove_prefix(write_ill_formed(out, text));
  }
  write_utf8(out, text);
  out += '"';
}

}  // namespace

void Writer::new_line(std::size_t depth) {
  if (is_spread()) out_.append(1, '\n').append(depth * *layout_.indent, ' ');
}

// Before a name or an element.
void Writer::begin_part() {
  if (!open_.back().is_empty) out_ += ',';
  open_.back().is_empty = false;
  new_line(open_.size());
}

void Writer::begin_value() {
  if (!open_.empty() && open_.back().kind == Kind::array) begin_part();
}

void Writer::open(Kind container) {
  begin_value();
  out_ += container == Kind::array ? '[' : '{';
  open_.push_back({container});
}

void Writer::close() {
  if (!open_.back().is_empty) new_line(open_.size() - 1);
  out_ += open_.back().kind == Kind::array ? ']' : '}';
  open_.pop_back();
}

void Writer::name(std::string_view name) {
  begin_part();
  write_string(out_, name);
  out_ += is_spread() ? ": " : ":";
}

void Writer::string(std::string_view text) {
  begin_value();
  write_string(out_, text);
}

void Writer::token(std::string_view token) {
  begin_value();
  out_ += token;
}

std::string write(const Value& value, std::optional<std::size_t> indent) {
  constexpr std::size_t kUsualLength = 128;
  std::string out;
  if (value.size() > 0) out.reserve(kUsualLength);
  Writer writer(out, {.indent = indent});
  std::vector<std::pair<const Value*, std::size_t>> open;  // containers and their next child
  const auto begin = [&](const Value& next) {
    switch (next.kind()) {
      case Kind::null:
        return writer.token("null");
      case Kind::boolean:
        return writer.token(next.as_boolean() ? "true" : "false");
      case Kind::number:
        return writer.token(next.text());
      case Kind::string:
        return writer.string(next.text());
      case Kind::array:
      case Kind::object:
        writer.open(next.kind());
        open.emplace_back(&next, 0);
    }
  };
  begin(value);
  while (!open.empty()) {
    const Value& container = *open.back().first;
    const std::size_t index = open.back().second++;
    if (index == container.size()) {
      writer.close();
      open.pop_back();
      continue;
    }
    if (container.is(Kind::object)) writer.name(container.names()[index]);
    begin(container.children()[index]);
  }
  return out;
}

}  // namespace jrpcheck::json
