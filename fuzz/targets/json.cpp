// The lossless JSON: against nlohmann/json, against itself, and its numbers against strtod.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/targets/promise.hpp"
#include "json/number.hpp"
#include "json/parse.hpp"
#include "json/value.hpp"

using namespace jrpcheck;
using json::Kind;
using json::Value;

namespace {

enum class Reading { accepted, refused, out_of_range };

Reading nlohmann_reading(std::string_view text) {
  try {
    [[maybe_unused]] const auto read = nlohmann::json::parse(text);
    return Reading::accepted;
  } catch (const nlohmann::json::out_of_range&) {
    return Reading::out_of_range;  // beyond double, which RFC 8259 §6 allows
  } catch (const nlohmann::json::parse_error&) {
    return Reading::refused;
  }
}

/// nlohmann/json skips a byte order mark (RFC 8259 §8.1) and takes a NUL for the end of the text.
bool has_mark_or_nul(std::string_view text) {
  return text.substr(0, 3) == "\xEF\xBB\xBF" || text.find('\0') != std::string_view::npos;
}

/// nlohmann/json refuses escapes of lone surrogates; the grammar allows them (RFC 8259 §8.2).
bool has_lone_surrogate(const std::string& written) {
  for (auto at = written.find("\\ud"); at != std::string::npos; at = written.find("\\ud", at + 1)) {
    if (std::string_view("89abcdef").find(written[at + 3]) != std::string_view::npos) return true;
  }
  return false;
}

void check_against_nlohmann(std::string_view text, const json::ParseResult& ours) {
  if (has_mark_or_nul(text)) {
    fuzz::promise(!ours, "a byte order mark or a NUL is no JSON", text);
    return;
  }
  const std::string written = ours ? json::write(*ours.value) : "";
  if (has_lone_surrogate(written)) return;
  const Reading theirs = nlohmann_reading(text);
  if (theirs == Reading::out_of_range) return;
  fuzz::promise(static_cast<bool>(ours) == (theirs == Reading::accepted),
                "both parsers accept, or both refuse", ours.error.message);
  // Both take the last of duplicate members here: one as it writes, the other as it reads.
  if (ours) {
    fuzz::promise(nlohmann::json::parse(written) == nlohmann::json::parse(text),
                  "what is written means the same to another parser", written);
  }
}

void check_round_trip(const Value& value) {
  const std::string written = json::write(value);
  const auto again = json::parse(written);
  fuzz::promise(static_cast<bool>(again), "what is written can be read", written);
  fuzz::promise(json::write(*again.value) == written, "writing twice changes nothing", written);
  fuzz::promise(json::equal(value, *again.value), "what is read back is equal", written);
  fuzz::promise(json::equal(value.clone(), value), "a clone is equal", written);
}

void check_number(const std::string& token, const std::string& other) {
  const std::string canonical = json::canonical_number(token);
  const bool equal = json::numbers_equal(token, other);
  fuzz::promise(equal == (canonical == json::canonical_number(other)),
                "numbers are equal exactly when their canonical spellings are",
                token + " " + other);
  fuzz::promise(
      !equal || std::strtod(token.c_str(), nullptr) == std::strtod(other.c_str(), nullptr),
      "equal numbers are the same double", token + " " + other);
  fuzz::promise(json::is_integer(token) || !json::is_interoperable_integer(token),
                "an interoperable integer is an integer", token);
}

/// Each number of the text against the one before it.
void check_numbers(const Value& root) {
  std::vector<const Value*> waiting = {&root};
  std::string before = "0";
  while (!waiting.empty()) {
    const Value& value = *waiting.back();
    waiting.pop_back();
    for (const Value& child : value.children()) waiting.push_back(&child);
    if (!value.is(Kind::number)) continue;
    check_number(value.text(), before);
    check_number(value.text(), value.text());
    before = value.text();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = fuzz::text_of(bytes, size);
  const auto ours = json::parse(text);
  check_against_nlohmann(text, ours);
  if (!ours) {
    fuzz::promise(ours.error.offset <= size && !ours.error.message.empty(),
                  "an error says where and what", ours.error.message);
    return 0;
  }
  check_round_trip(*ours.value);
  check_numbers(*ours.value);
  fuzz::promise(text.substr(ours.value->begin(), ours.value->end() - ours.value->begin())
                        .find_first_of(" \t\r\n") != 0,
                "a value's span is the value without the white space around it", text);
  return 0;
}
