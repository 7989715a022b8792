#include "fuzz/finding.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/base64.hpp"
#include "base/bytes.hpp"
#include "base/utf8.hpp"
#include "fuzz/shape.hpp"
#include "json/parse.hpp"

namespace jrpcheck::fuzz {
namespace {

using json::Kind;
using json::Value;

constexpr std::string_view kFormat = "jrpcheck-finding-1";

// {"text": ...}, or {"base64": ...} where the bytes are no text.
Value bytes_value(const std::string& bytes) {
  Value value = Value::object();
  if (find_invalid_utf8(bytes)) {
    value.append("base64", Value::string(to_base64(bytes)));
  } else {
    value.append("text", Value::string(bytes));
  }
  return value;
}

std::optional<std::string> bytes_from(const Value& value) {
  if (const Value* text = value.find("text"); text != nullptr && text->is(Kind::string)) {
    return text->text();
  }
  const Value* encoded = value.find("base64");
  if (encoded == nullptr || !encoded->is(Kind::string)) return std::nullopt;
  return from_base64(encoded->text());
}

// What a server wrote is shown, not kept: whatever its bytes are, the file is JSON.
Value shown(const std::string& text) {
  return Value::string(find_invalid_utf8(text) ? to_visible(text, text.size()) : text);
}

Value place_value(const judge::Place& place) {
  Value value = Value::object();
  if (place.element) {
    value.append("element", Value::number(static_cast<long long>(*place.element)));
  }
  if (!place.pointer.empty()) value.append("pointer", Value::string(place.pointer));
  return value;
}

Value traits_value(const Traits& traits) {
  Value value = Value::object();
  value.append("serves-batches", Value::boolean(traits.serves_batches));
  value.append("dialect", Value::boolean(traits.is_dialect));
  Value methods = Value::array();
  for (const auto& method : traits.methods) methods.append(shown(method));
  value.append("methods", std::move(methods));
  return value;
}

Value value_of(const Finding& finding) {
  Value value = Value::object();
  value.append("format", Value::string(std::string(kFormat)));
  value.append("requirement", Value::string(finding.requirement));
  value.append("shape", shown(finding.shape));
  value.append("severity", Value::string(std::string(corpus::name_of(finding.severity))));
  value.append("symptom", Value::string(std::string(judge::name_of(finding.symptom))));
  value.append("place", place_value(finding.place));
  value.append("message", shown(sentence_of(finding)));
  if (!finding.particulars.empty()) value.append("particulars", shown(finding.particulars));
  value.append("expected", shown(finding.expected));
  value.append("actual", shown(finding.actual));
  value.append("sent", bytes_value(finding.sent));
  Value before = Value::array();
  for (const auto& message : finding.before) before.append(bytes_value(message));
  if (before.size() > 0) value.append("before", std::move(before));
  Value replies = Value::array();
  for (const auto& reply : finding.replies) replies.append(bytes_value(reply));
  value.append("replies", std::move(replies));
  value.append("transport", Value::string(finding.transport));
  value.append("server", traits_value(finding.traits));
  value.append("seed", Value::number(std::to_string(finding.seed)));
  value.append("shown", Value::number(static_cast<long long>(finding.shown)));
  value.append("tries", Value::number(static_cast<long long>(finding.tries)));
  value.append("reduced-in", Value::number(static_cast<long long>(finding.reduced_in)));
  value.append("flaky", Value::boolean(finding.is_flaky()));
  value.append("standard-error", shown(finding.standard_error));
  value.append("reproduce", shown(finding.reproduce));
  return value;
}

// Reads members, and remembers the first that is missing or of a wrong type.
class Reader {
 public:
  explicit Reader(const Value& value) : value_(value) {}

  std::string text(const std::string& name) {
    const Value* member = find(name, Kind::string);
    return member != nullptr ? member->text() : std::string();
  }
  unsigned long long number(const std::string& name) {
    const Value* member = find(name, Kind::number);
    unsigned long long number = 0;
    if (member == nullptr) return 0;
    const std::string& token = member->text();
    const auto read = std::from_chars(token.data(), token.data() + token.size(), number);
    if (read.ec != std::errc() || read.ptr != token.data() + token.size()) miss(name);
    return number;
  }
  bool boolean(const std::string& name) {
    const Value* member = find(name, Kind::boolean);
    return member != nullptr && member->as_boolean();
  }
  std::string bytes(const std::string& name) {
    const Value* member = find(name, Kind::object);
    const auto bytes = member != nullptr ? bytes_from(*member) : std::nullopt;
    if (!bytes) miss(name);
    return bytes.value_or("");
  }
  const Value* find(const std::string& name, Kind kind) {
    const Value* member = value_.find(name);
    if (member != nullptr && member->is(kind)) return member;
    miss(name);
    return nullptr;
  }
  void miss(const std::string& name) {
    if (missed_.empty()) missed_ = name;
  }
  const std::string& missed() const { return missed_; }

 private:
  const Value& value_;
  std::string missed_;
};

Traits traits_from(Reader& reader) {
  Traits traits;
  const Value* server = reader.find("server", Kind::object);
  if (server == nullptr) return traits;
  Reader inner(*server);
  traits.serves_batches = inner.boolean("serves-batches");
  traits.is_dialect = inner.boolean("dialect");
  if (const Value* methods = inner.find("methods", Kind::array)) {
    for (const auto& each : methods->children()) {
      if (!each.is(Kind::string)) inner.miss("methods");
      traits.methods.push_back(each.text());
    }
  }
  if (!inner.missed().empty()) reader.miss("server." + inner.missed());
  return traits;
}

// Files of older versions have a message alone.
void read_symptom(const Value& file, Reader& reader, Finding& finding) {
  const Value* name = file.find("symptom");
  const auto symptom =
      name != nullptr && name->is(Kind::string) ? judge::symptom_named(name->text()) : std::nullopt;
  finding.symptom = symptom.value_or(judge::Symptom::untold);
  if (!symptom) {
    finding.particulars = reader.text("message");
    return;
  }
  if (file.find("particulars") != nullptr) finding.particulars = reader.text("particulars");
  const Value* place = reader.find("place", Kind::object);
  if (place == nullptr) return;
  Reader inner(*place);
  if (place->find("element") != nullptr) finding.place.element = inner.number("element");
  if (place->find("pointer") != nullptr) finding.place.pointer = inner.text("pointer");
  if (!inner.missed().empty()) reader.miss("place." + inner.missed());
}

}  // namespace

std::string sentence_of(const Finding& finding) {
  return judge::sentence_of(finding.symptom, finding.particulars);
}

std::string to_text(const Finding& finding) {
  const Value value = value_of(finding);
  std::string text = "{\n";
  for (std::size_t i = 0; i < value.size(); ++i) {
    text += "  " + json::write(Value::string(value.names()[i])) + ": " +
            json::write(value.children()[i]) + (i + 1 < value.size() ? ",\n" : "\n");
  }
  return text + "}\n";
}

Result<Finding> finding_from(std::string_view text) {
  const auto parsed = json::parse(text);
  if (!parsed) return Error{"it is not JSON: " + parsed.error.message};
  const Value* format = parsed.value->find("format");
  if (format == nullptr || format->text() != kFormat) {
    return Error{"it is no finding: \"format\" is not \"" + std::string(kFormat) + "\""};
  }
  Reader reader(*parsed.value);
  Finding finding;
  finding.requirement = reader.text("requirement");
  finding.shape = reader.text("shape");
  finding.severity =
      reader.text("severity") == "warn" ? corpus::Verdict::warn : corpus::Verdict::fail;
  read_symptom(*parsed.value, reader, finding);
  finding.expected = reader.text("expected");
  finding.actual = reader.text("actual");
  finding.sent = reader.bytes("sent");
  if (const Value* replies = reader.find("replies", Kind::array)) {
    for (const auto& each : replies->children()) {
      const auto bytes = bytes_from(each);
      if (!bytes) reader.miss("replies");
      finding.replies.push_back(bytes.value_or(""));
    }
  }
  if (const Value* before = parsed.value->find("before"); before != nullptr) {
    for (const auto& each : before->children()) {
      const auto bytes = bytes_from(each);
      if (!bytes) reader.miss("before");
      finding.before.push_back(bytes.value_or(""));
    }
  }
  finding.transport = reader.text("transport");
  finding.traits = traits_from(reader);
  finding.seed = reader.number("seed");
  finding.shown = reader.number("shown");
  finding.tries = reader.number("tries");
  // Files of older versions do not tell.
  if (parsed.value->find("reduced-in") != nullptr) {
    finding.reduced_in = reader.number("reduced-in");
  }
  finding.standard_error = reader.text("standard-error");
  finding.reproduce = reader.text("reproduce");
  if (!reader.missed().empty()) return Error{"\"" + reader.missed() + "\" is missing or wrong"};
  return finding;
}

std::string file_name_of(const Finding& finding) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string digits;
  for (std::uint32_t hash = hash_of(finding.shape), i = 0; i < 8; ++i, hash >>= 4U) {
    digits += kHex[hash & 0xFU];
  }
  return finding.requirement + "-" + digits + ".json";
}

}  // namespace jrpcheck::fuzz
