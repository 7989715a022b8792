#include "corpus/record.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/base64.hpp"
#include "base/bytes.hpp"
#include "base/utf8.hpp"

namespace jrpcheck::corpus {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kShown = 60;

// Bytes that are not UTF-8 become U+FFFD rather than that the whole file is lost.
std::string valid_text(std::string_view text) {
  std::string valid;
  while (const auto at = find_invalid_utf8(text)) {
    valid.append(text, 0, *at).append("\xEF\xBF\xBD");
    text.remove_prefix(*at + 1);
  }
  return valid.append(text);
}

}  // namespace

void RecordWriter::text(std::string_view name, std::string_view value) {
  out_.name(name);
  out_.string(valid_text(value));
}

void RecordWriter::optional_text(std::string_view name, const std::string& value) {
  if (!value.empty()) text(name, value);
}

void RecordWriter::bytes(const std::string& value) {
  if (is_valid_utf8(value)) return text("text", value);
  text("base64", to_base64(value));
}

void RecordWriter::texts(std::string_view name, const std::vector<std::string>& values) {
  out_.name(name);
  out_.open(Kind::array);
  for (const auto& each : values) out_.string(valid_text(each));
  out_.close();
}

void RecordWriter::number(std::string_view name, unsigned long long value) {
  out_.name(name);
  out_.token(std::to_string(value));
}

void RecordWriter::optional_number(std::string_view name, const std::optional<std::size_t>& value) {
  if (value) number(name, *value);
}

void RecordWriter::flag(std::string_view name, bool value) {
  out_.name(name);
  out_.token(value ? "true" : "false");
}

void RecordWriter::duration(std::string_view name, microseconds value) {
  const auto count = value.count();
  std::string token =
      std::to_string(count / 1000) + "." + std::to_string(1000 + count % 1000).substr(1);
  token.erase(std::max(token.find_last_not_of('0'), token.size() - 3) + 1);
  out_.name(name);
  out_.token(token);
}

void RecordReader::text(std::string_view name, std::string& value) {
  if (const Value* member = members_.require(name, Kind::string)) value = member->text();
}

void RecordReader::line(std::string_view name, std::string& value) {
  text(name, value);
  value = to_visible(value, std::string::npos / 2);
}

void RecordReader::optional_text(std::string_view name, std::string& value) {
  if (has(name)) text(name, value);
}

void RecordReader::bytes(std::string& value) {
  if (!has("base64")) return text("text", value);
  std::string encoded;
  text("base64", encoded);
  auto decoded = from_base64(encoded);
  if (!decoded) complain("base64", "is not base64");
  value = std::move(decoded).value_or("");
}

void RecordReader::texts(std::string_view name, std::vector<std::string>& values) {
  if (members_.require(name, Kind::array) != nullptr) values = members_.texts(name);
}

void RecordReader::number(std::string_view name, unsigned long long& value) {
  const Value* member = members_.require(name, Kind::number);
  if (member == nullptr) return;
  const std::string& token = member->text();
  unsigned long long number = 0;
  const auto parsed = std::from_chars(token.data(), token.data() + token.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != token.data() + token.size()) {
    return complain(name, "must be a whole number");
  }
  value = number;
}

void RecordReader::number(std::string_view name, std::size_t& value) {
  unsigned long long wide = value;
  number(name, wide);
  value = wide;
}

void RecordReader::optional_number(std::string_view name, std::optional<std::size_t>& value) {
  if (has(name)) number(name, value.emplace());
}

void RecordReader::flag(std::string_view name, bool& value) {
  if (const Value* member = members_.require(name, Kind::boolean)) value = member->as_boolean();
}

void RecordReader::duration(std::string_view name, microseconds& value) {
  constexpr double kLongest = 1e12;  // what no run takes, and a count of microseconds holds
  const Value* member = members_.require(name, Kind::number);
  const double milliseconds = member == nullptr ? 0 : std::strtod(member->text().c_str(), nullptr);
  if (!(milliseconds >= 0 && milliseconds < kLongest)) return complain(name, "is no duration");
  value = microseconds(std::llround(milliseconds * 1000));
}

void RecordReader::complain(std::string_view name, const std::string& what) {
  const Value* member = members_.find_any(name);
  complaint_.raise(member != nullptr ? *member : members_.object(),
                   "member \"" + std::string(name) + "\" " + what);
}

void RecordReader::complain_unknown(const Value& member, std::string_view name) {
  complain(name, "has the unknown value \"" + to_visible(member.text(), kShown) + "\"");
}

}  // namespace jrpcheck::corpus
