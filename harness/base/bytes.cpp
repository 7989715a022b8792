#include "base/bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ascii.hpp"
#include "base/join.hpp"
#include "base/utf8.hpp"

namespace jrpcheck {
namespace {

// From this length on a run is shorter, and easier to read, as a command that makes it.
constexpr std::size_t kLongRun = 128;
constexpr std::size_t kLongestUnit = 32;  // of a repeated text such as {"a":

bool is_printable_ascii(char byte) { return byte >= 0x20 && byte < 0x7F; }

// The well-formed UTF-8 sequence at the beginning of `bytes` (not empty), or its first byte.
std::string_view first_sequence(std::string_view bytes) {
  const auto character = first_character(bytes);
  return bytes.substr(0, character.is_whole ? character.length : 1);
}

// What a sequence that is UTF-8 stands for.
char32_t code_point_of(std::string_view sequence) {
  constexpr unsigned char kOfLead[] = {0x7F, 0x1F, 0x0F, 0x07};  // by the length
  char32_t value = static_cast<unsigned char>(sequence.front()) & kOfLead[sequence.size() - 1];
  for (const char byte : sequence.substr(1)) value = value << 6U | (byte & 0x3FU);
  return value;
}

struct CodePoints {
  char32_t first;
  char32_t last;
};

// C1 controls, and characters that are invisible, break a line or turn the direction of writing:
// on a terminal they would hide the evidence or forge it. They are those that Unicode calls
// ignorable by default, but for the selectors that make a picture of a character; and U+FFFE and
// U+FFFF, which neither YAML 1.2 (5.1) nor XML 1.0 (2.2) allows.
constexpr CodePoints kDeceptive[] = {
    {0x80, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},     {0x61C, 0x61C},   {0x115F, 0x1160},
    {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E}, {0x2060, 0x206F},
    {0x3164, 0x3164},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

// Shown as they are these look like another text, or like none: marks that join the character
// before them (a mark that makes a picture of it is left), the parts of a Korean syllable, blanks
// that are no U+0020, and what Unicode holds twice. Whoever normalizes a text (UAX #15) makes one
// of the other.
constexpr CodePoints kLookAlikes[] = {
    {0xA0, 0xA0},     {0x300, 0x36F},   {0x37E, 0x37E},     {0x483, 0x489},   {0x1160, 0x11FF},
    {0x1680, 0x1680}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},   {0x1FEF, 0x1FEF}, {0x2000, 0x200A},
    {0x202F, 0x202F}, {0x205F, 0x205F}, {0x20D0, 0x20E2},   {0x20E4, 0x20FF}, {0x2126, 0x2126},
    {0x212A, 0x212B}, {0x2800, 0x2800}, {0x3000, 0x3000},   {0x3099, 0x309A}, {0xD7B0, 0xD7FF},
    {0xF900, 0xFAFF}, {0xFE20, 0xFE2F}, {0x2F800, 0x2FA1F},
};

// White space that .NET trims from the beginning of a line, as GitHub's runner does before it looks
// for a command; the rest of it is deceptive.
constexpr CodePoints kBlanks[] = {
    {0x09, 0x0D},     {0x20, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},     {0x1680, 0x1680},
    {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000},
};

bool is_among(char32_t code_point, std::span<const CodePoints> ranges) {
  return std::ranges::any_of(ranges, [code_point](const CodePoints& range) {
    return range.first <= code_point && code_point <= range.last;
  });
}

bool is_ill_formed(std::string_view sequence) {
  return sequence.size() == 1 && static_cast<unsigned char>(sequence.front()) >= 0x80;
}

// Whether the sequence can be shown to a person as it is.
bool is_presentable(std::string_view sequence) {
  if (sequence.size() == 1) return is_printable_ascii(sequence.front());
  const char32_t code_point = code_point_of(sequence);
  return !is_among(code_point, kDeceptive) && !is_among(code_point, kLookAlikes);
}

struct Numeral {
  unsigned base;
  std::size_t digits;
};
constexpr Numeral kHexadecimal = {16, 2};
constexpr Numeral kOctal = {8, 3};

std::string digits_of(char byte, Numeral numeral) {
  std::string text(numeral.digits, '0');
  unsigned rest = static_cast<unsigned char>(byte);
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit) {
    *digit = kHexDigits[rest % numeral.base];
    rest /= numeral.base;
  }
  return text;
}

void append_visible(std::string& out, std::string_view sequence) {
  if (is_presentable(sequence)) {
    out += sequence;
  } else if (sequence == "\n") {
    out += "\\n";
  } else if (sequence == "\r") {
    out += "\\r";
  } else if (sequence == "\t") {
    out += "\\t";
  } else {
    for (const char byte : sequence) out += "\\x" + digits_of(byte, kHexadecimal);
  }
}

// Moves what fits into `room` bytes of visible form from the beginning of `bytes` to `out`.
void take_visible(std::string_view& bytes, std::size_t room, std::string& out) {
  const std::size_t end = out.size() + room;
  while (!bytes.empty()) {
    const std::string_view sequence = first_sequence(bytes);
    const std::size_t before = out.size();
    append_visible(out, sequence);
    if (out.size() > end) {
      out.resize(before);
      return;
    }
    bytes.remove_prefix(sequence.size());
  }
}

// The end of `bytes` whose visible form fits into `room`, beginning where a character does.
std::string_view end_that_fits(std::string_view bytes, std::size_t room) {
  // No byte is shown by less than one, so what fits begins within so many bytes of the end.
  bytes.remove_prefix(bytes.size() - std::min(bytes.size(), room));
  const auto is_inside = [&] { return !bytes.empty() && (bytes.front() & '\xC0') == '\x80'; };
  for (int i = 0; i < 3 && is_inside(); ++i) bytes.remove_prefix(1);
  std::string shown;
  std::string_view rest = bytes;
  take_visible(rest, std::string::npos / 2, shown);
  std::size_t surplus = shown.size() - std::min(shown.size(), room);
  while (surplus > 0) {
    const std::string_view sequence = first_sequence(bytes);
    shown.clear();
    append_visible(shown, sequence);
    surplus -= std::min(surplus, shown.size());
    bytes.remove_prefix(sequence.size());
  }
  return bytes;
}

// RFC 8259 §7: what lies beyond U+FFFF is written as a surrogate pair.
void append_json_escape(std::string& out, char32_t code_point) {
  if (code_point > 0xFFFF) {
    append_json_escape(out, 0xD800 + ((code_point - 0x10000) >> 10U));
    code_point = 0xDC00 + ((code_point - 0x10000) & 0x3FFU);
  }
  out += "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) out += kHexDigits[(code_point >> shift) & 0xFU];
}

std::string left_out(std::size_t count) {
  return " [... " + std::to_string(count) + " bytes left out ...] ";
}

// One sequence in the single-quoted format of a printf; `first` where an option could be read.
void append_printf(std::string& out, std::string_view sequence, bool first) {
  const char byte = sequence.front();
  const bool stands_for_itself =
      is_presentable(sequence) && byte != '\'' && !(first && byte == '-');
  if (sequence == "%") {
    out += "%%";
  } else if (sequence == "\\") {
    out += "\\\\";
  } else if (sequence == "\n") {
    out += "\\n";
  } else if (stands_for_itself) {
    out += sequence;
  } else {
    for (const char each : sequence) out += "\\" + digits_of(each, kOctal);
  }
}

std::string print_text(std::string_view bytes) {
  std::string command = "printf '";
  for (bool first = true; !bytes.empty(); first = false) {
    const std::string_view sequence = first_sequence(bytes);
    append_printf(command, sequence, first);
    bytes.remove_prefix(sequence.size());
  }
  return command + "'";
}

// A text that stands several times in a row.
struct Run {
  std::size_t unit = 1;
  std::size_t times = 0;

  std::size_t length() const { return unit * times; }
};

std::string print_run(std::string_view unit, std::size_t times) {
  if (unit.size() > 1) {
    return "yes " + shell_quote(unit) + " | head -n " + std::to_string(times) + " | tr -d '\\n'";
  }
  const char byte = unit.front();
  std::string zeros = "head -c " + std::to_string(times) + " /dev/zero";
  if (byte == '\0') return zeros;
  const bool plain =
      is_alphanumeric(byte) || std::string_view("[]{} \"").find(byte) != std::string_view::npos;
  if (plain) return zeros + " | tr '\\0' '" + byte + "'";
  // Where the locale says UTF-8, some tr take an octal escape for a character and not for a byte.
  return zeros + " | LC_ALL=C tr '\\0' '\\" + digits_of(byte, kOctal) + "'";
}

// Some `yes` take a dash for an option, and a line feed would end its line.
bool is_fit_for_yes(std::string_view unit) {
  return unit.front() != '-' && std::ranges::all_of(unit, is_printable_ascii);
}

// The long run at the beginning of `bytes` with the shortest unit, or one of no times.
Run run_at_front(std::string_view bytes) {
  if (bytes.size() < kLongRun) return {};
  for (std::size_t unit = 1; unit <= kLongestUnit; ++unit) {
    // Most places are dismissed by this one comparison; without it the search would be slow.
    if (bytes[kLongRun - 1] != bytes[kLongRun - 1 - unit]) continue;
    if (unit > 1 && !is_fit_for_yes(bytes.substr(0, unit))) continue;
    std::size_t length = unit;
    while (length < bytes.size() && bytes[length] == bytes[length - unit]) ++length;
    const Run run{unit, length / unit};
    if (run.length() >= kLongRun) return run;
  }
  return {};
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < group.size() ? static_cast<std::uint8_t>(group[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= group.size() ? kAlphabet[(bits >> (18 - 6 * i)) & 0x3F] : '=';
    }
  }
  return out;
}

std::string to_visible(std::string_view bytes, std::size_t max_length) {
  std::string all;
  std::string_view rest = bytes;
  take_visible(rest, max_length, all);
  if (rest.empty()) return all;

  const std::size_t room = max_length - std::min(max_length, left_out(bytes.size()).size());
  std::string head;
  rest = bytes;
  take_visible(rest, room - room / 2, head);
  std::string_view end = end_that_fits(rest, room / 2);
  const std::size_t missing = rest.size() - end.size();
  std::string tail;
  take_visible(end, room / 2, tail);
  return head + left_out(missing) + tail;
}

std::string to_visible_lines(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const auto end = std::min(bytes.find('\n'), bytes.size());
    text += to_visible(bytes.substr(0, end), std::string::npos / 2);
    if (end < bytes.size()) text += '\n';
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return text;
}

std::string without_log_commands(std::string_view text) {
  std::string inert;
  inert.reserve(text.size());
  bool is_at_begin = true;  // of a line, but for white space
  while (!text.empty()) {
    if (is_at_begin && text.starts_with("::")) inert += '\\';
    const std::string_view sequence = first_sequence(text);
    inert += sequence;
    const bool is_command =
        text.starts_with("##[") || text.starts_with("##vso[") || text.starts_with("##teamcity[");
    if (is_command) inert += '\\';
    const bool is_blank = !is_ill_formed(sequence) && is_among(code_point_of(sequence), kBlanks);
    is_at_begin = sequence == "\n" || (is_at_begin && is_blank);
    text.remove_prefix(sequence.size());
  }
  return inert;
}

std::string inert_json(std::string_view json) {
  const auto is_plain = [](char byte) {
    return static_cast<unsigned char>(byte) < 0x7F && byte != '#';
  };
  std::string inert;
  inert.reserve(json.size());
  while (!json.empty()) {
    const auto plain = std::ranges::find_if_not(json, is_plain) - json.begin();
    inert += json.substr(0, static_cast<std::size_t>(plain));
    json.remove_prefix(static_cast<std::size_t>(plain));
    if (json.empty()) break;
    const std::string_view sequence = first_sequence(json);
    const bool stays = sequence == "#" ? !json.starts_with("##")
                                       : is_ill_formed(sequence) || is_presentable(sequence);
    if (stays) {
      inert += sequence;
    } else {
      append_json_escape(inert, code_point_of(sequence));
    }
    json.remove_prefix(sequence.size());
  }
  return inert;
}

std::string shell_quote(std::string_view word) {
  const auto is_safe = [](char byte) {
    return is_alphanumeric(byte) ||
           std::string_view("_@+:,./-").find(byte) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_safe)) return std::string(word);
  std::string quoted = "'";
  for (const char byte : word) {
    if (byte == '\'') {
      quoted += "'\\''";
    } else {
      quoted += byte;
    }
  }
  return quoted + "'";
}

std::string shell_line(const std::vector<std::string>& words) {
  return joined(words, " ", shell_quote);
}

std::string shell_printer(std::string_view bytes) {
  std::vector<std::string> commands;
  std::size_t printed = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const Run run = run_at_front(bytes.substr(at));
    if (run.times == 0) {
      ++at;
      continue;
    }
    if (at > printed) commands.push_back(print_text(bytes.substr(printed, at - printed)));
    commands.push_back(print_run(bytes.substr(at, run.unit), run.times));
    at += run.length();
    printed = at;
  }
  if (printed < bytes.size() || commands.empty())
    commands.push_back(print_text(bytes.substr(printed)));
  if (commands.size() == 1) return commands.front();
  std::string all = "{ ";
  for (const auto& command : commands) all += command + "; ";
  return all + "}";
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace jrpcheck
