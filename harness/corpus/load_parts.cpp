#include "corpus/load_parts.hpp"

#include "base/ascii.hpp"
#include "base/bytes.hpp"
#include "json/parse.hpp"

namespace jrpcheck::corpus {
namespace {

// Far more than any case needs, and little enough to stay harmless when a file is mistyped.
constexpr std::size_t kMaxMessageBytes = 64U << 20;
constexpr std::size_t kMaxNumbers = 100'000;

void refuse(const MemberReader& reader) {
  reader.complain("the file makes more than 128 MiB of messages");
}

// What parts make is added where it stays: they make megabytes, at each start.
void add_repeated(const MemberReader& reader, std::string& bytes) {
  const std::string repeated = reader.required_text("repeat");
  if (repeated.empty()) return;
  const std::size_t times = reader.size("times").value_or(0);
  if (times == 0 || times > kMaxMessageBytes / repeated.size()) {
    reader.complain("\"times\" is missing, 0 or makes more than 64 MiB");
    return;
  }
  if (!reader.has_room_for(repeated.size() * times)) return refuse(reader);
  // Doubled, as they are made of single characters.
  const std::size_t begin = bytes.size();
  const std::size_t end = begin + repeated.size() * times;
  bytes.reserve(end);
  bytes += repeated;
  while (bytes.size() < end) bytes.append(bytes, begin, end - bytes.size());
}

void add_numbered(const MemberReader& reader, std::string& bytes) {
  const std::string each = reader.required_text("each");
  const std::string between = reader.text("join");
  const NumberRange range = read_number_range(reader);
  // A placeholder is longer than most numbers that take its place.
  const std::size_t count = range.to - range.from + 1;
  const std::size_t most = kMaxMessageBytes / count;
  if (each.size() > most || between.size() > most ||
      !reader.has_room_for((each.size() + between.size()) * count)) {
    return refuse(reader);
  }
  for (std::size_t number = range.from; number <= range.to; ++number) {
    if (number != range.from) bytes += between;
    bytes += numbered(each, number);
  }
}

void add_part(const json::Value& part, Complaint& complaint, std::string& bytes) {
  if (part.is(json::Kind::string)) {
    bytes += part.text();
    return;
  }
  const MemberReader reader(part, complaint,
                            {"repeat", "times", "hex", "each", "from", "to", "join"});
  if (reader.find_any("hex") != nullptr) {
    if (part.size() != 1) complaint.raise(part, "a part with \"hex\" has no other member");
    const json::Value* hex = reader.find("hex", json::Kind::string);
    if (hex != nullptr) bytes += read_hex(*hex, complaint);
    return;
  }
  const bool is_numbered = reader.find_any("each") != nullptr;
  const bool is_repeated = reader.find_any("repeat") != nullptr || reader.find_any("times");
  const bool has_range =
      reader.find_any("from") || reader.find_any("to") || reader.find_any("join");
  if (is_numbered == is_repeated || (is_repeated && has_range)) {
    reader.complain(R"(a part has "repeat" and "times", or "each" with "from" and "to")");
    return;
  }
  is_numbered ? add_numbered(reader, bytes) : add_repeated(reader, bytes);
}

}  // namespace

std::string read_parts(const json::Value& parts, Complaint& complaint) {
  std::string bytes;
  for (const auto& part : parts.children()) add_part(part, complaint, bytes);
  return bytes;
}

json::Value read_built_value(const json::Value& parts, Complaint& complaint) {
  auto parsed = json::parse(read_parts(parts, complaint));
  if (parsed) return *std::move(parsed.value);
  complaint.raise(parts, "what these parts make is not JSON: " + parsed.error.message);
  return {};
}

std::string read_hex(const json::Value& value, Complaint& complaint) {
  std::string digits;
  for (const char c : value.text()) {
    if (c != ' ') digits.push_back(c);
  }
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    const int high = hex_digit(digits[i]);
    const int low = hex_digit(digits[i + 1]);
    if (high < 0 || low < 0) complaint.raise(value, "\"hex\" holds pairs of hexadecimal digits");
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  if (digits.size() % 2 != 0) complaint.raise(value, "\"hex\" has an odd number of digits");
  return bytes;
}

NumberRange read_number_range(const MemberReader& reader) {
  const auto from = reader.size("from");
  const auto to = reader.size("to");
  if (from && to && *from <= *to && *to - *from < kMaxNumbers) return {*from, *to};
  reader.complain("\"each\" needs \"from\" and \"to\", ascending, of at most 100,000 numbers");
  return {1, 1};
}

std::string numbered(std::string_view text, std::size_t number) {
  const std::string digits = std::to_string(number);
  std::string out(text);
  replace_all(out, R"("${n}")", digits);
  replace_all(out, "${n}", digits);
  return out;
}

}  // namespace jrpcheck::corpus
