#include "fuzz/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "base/contains.hpp"
#include "base/utf8.hpp"
#include "dialogue/message.hpp"
#include "fuzz/expectation.hpp"
#include "json/parse.hpp"

namespace jrpcheck::fuzz {

using json::Kind;
using json::Value;

namespace {

constexpr std::size_t kMostWords = 200;
constexpr std::size_t kLongestWord = 40;
constexpr std::size_t kLongestSample = 200;

void add_word(const std::string& word, std::vector<std::string>& words) {
  if (words.size() >= kMostWords || word.size() > kLongestWord || find_invalid_utf8(word)) return;
  if (!contains(words, word)) words.push_back(word);
}

bool is_of_the_protocol(const std::string& name) {
  static const std::vector<std::string> members = {"jsonrpc", "method", "params", "id",
                                                   "result",  "error",  "code",   "message"};
  return contains(members, name);
}

/// The words of an error's message may be names: "minuend is missing".
void add_words_of(const std::string& sentence, std::vector<std::string>& words) {
  std::string word;
  for (const char c : sentence + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-') {
      word += c;
    } else {
      if (word.size() > 2) add_word(word, words);
      word.clear();
    }
  }
}

void add_sample(const Value& value, Vocabulary& vocabulary) {
  const Value* method = value.is(Kind::object) ? value.find("method") : nullptr;
  const Value* params = method != nullptr ? value.find("params") : nullptr;
  if (params == nullptr || params->size() == 0 || vocabulary.samples.size() >= kMostWords) return;
  const auto& methods = vocabulary.methods;
  if (!method->is(Kind::string) || !contains(methods, method->text())) {
    return;
  }
  const std::string text = json::write(*params);
  const auto same = [&](const Sample& each) {
    return each.method == method->text() && each.params == text;
  };
  const auto& samples = vocabulary.samples;
  if (text.size() > kLongestSample || std::any_of(samples.begin(), samples.end(), same)) return;
  vocabulary.samples.push_back({method->text(), text});
}

}  // namespace

void learn_from(std::string_view message, Vocabulary& vocabulary) {
  const auto parsed = json::parse(message, dialogue::kMessageLimits);
  if (!parsed) return;
  std::vector<const Value*> todo{&*parsed.value};
  while (!todo.empty()) {
    const Value& value = *todo.back();
    todo.pop_back();
    add_sample(value, vocabulary);
    for (const auto& child : value.children()) todo.push_back(&child);
    for (const auto& name : value.names()) {
      if (!is_of_the_protocol(name)) add_word(name, vocabulary.names);
    }
    if (value.is(Kind::string)) add_word(value.text(), vocabulary.texts);
    const Value* said = value.is(Kind::object) ? value.find("message") : nullptr;
    if (said != nullptr && said->is(Kind::string)) add_words_of(said->text(), vocabulary.names);
  }
}

bool lists_methods(std::string_view message, const std::vector<std::string>& methods) {
  const auto parsed = json::parse(message, dialogue::kMessageLimits);
  if (!parsed) return false;
  std::vector<const Value*> todo{&*parsed.value};
  while (!todo.empty()) {
    const Value& value = *todo.back();
    todo.pop_back();
    for (const auto& child : value.children()) todo.push_back(&child);
    const bool is_one = value.is(Kind::string) && contains(methods, value.text());
    if (is_one) return true;
  }
  return false;
}

std::string unknown_method(Random& random) {
  static const std::vector<std::string> endings = {"",
                                                   "X",
                                                   ".x",
                                                   "/x",
                                                   " ",
                                                   "\xC3\xA9",
                                                   "%s%n",
                                                   "{{7*7}}",
                                                   "_1",
                                                   ":",
                                                   "__proto__",
                                                   "\xF0\x9F\x98\x80",
                                                   std::string("\0x", 2)};
  return std::string(kUnknownMethod) + random.pick(endings);
}

namespace {

constexpr char kCaseBit = 0x20;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::string in_upper_case(std::string name) {
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - kCaseBit);
  }
  return name;
}

// Cyrillic for Latin.
std::string with_look_alike(std::string name, std::size_t from) {
  static constexpr std::array<std::pair<char, std::string_view>, 6> kPairs = {{{'a', "\xD0\xB0"},
                                                                               {'c', "\xD1\x81"},
                                                                               {'e', "\xD0\xB5"},
                                                                               {'i', "\xD1\x96"},
                                                                               {'o', "\xD0\xBE"},
                                                                               {'p', "\xD1\x80"}}};
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::size_t at = (from + i) % name.size();
    for (const auto& [latin, cyrillic] : kPairs) {
      if (name[at] == latin) return name.replace(at, 1, cyrillic);
    }
  }
  return name;
}

}  // namespace

std::string misspelt(std::string name, Random& random) {
  if (name.empty()) return " ";
  const std::size_t at = random.below(name.size());
  switch (random.below(6)) {
    case 0:
      if (is_letter(name[at])) name[at] = static_cast<char>(name[at] ^ kCaseBit);
      return name;
    case 1:
      if (is_letter(name[0])) name[0] = static_cast<char>(name[0] ^ kCaseBit);
      return name;
    case 2:
      return in_upper_case(std::move(name));
    case 3:
      return " " + name;
    case 4:
      return with_look_alike(std::move(name), at);
    default:
      return name + (random.one_in(4) ? std::string("\0", 1) : " ");
  }
}

std::string any_method(Random& random, const Vocabulary& vocabulary) {
  if (!vocabulary.methods.empty() && !random.one_in(3)) return random.pick(vocabulary.methods);
  if (!vocabulary.methods.empty() && random.one_in(8)) {
    return misspelt(random.pick(vocabulary.methods), random);
  }
  static const std::vector<std::string> meaningful = {
      "", "rpc.jrpcheck", "__proto__", "constructor", "toString", "hasOwnProperty"};
  return random.one_in(8) ? random.pick(meaningful) : unknown_method(random);
}

std::string any_name(Random& random, const Vocabulary& vocabulary) {
  static const std::vector<std::string> names = {
      "jsonrpc", "method", "params",    "id",          "result", "error", "code",     "message",
      "data",    "",       "__proto__", "constructor", "ID",     "a",     "\xC3\xA9", "extra"};
  if (!vocabulary.names.empty() && random.one_in(2)) return random.pick(vocabulary.names);
  return random.pick(names);
}

std::string any_number(Random& random) {
  static const std::vector<std::string> plain = {"0",
                                                 "-0",
                                                 "1",
                                                 "-1",
                                                 "2",
                                                 "7",
                                                 "42",
                                                 "1.0",
                                                 "1.5",
                                                 "-2.5",
                                                 "1e2",
                                                 "1E+2",
                                                 "0.1",
                                                 "100e-1",
                                                 "255",
                                                 "256",
                                                 "32768",
                                                 "65536",
                                                 "2147483647",
                                                 "2147483648",
                                                 "-2147483649",
                                                 "4294967296",
                                                 "1e-7",
                                                 "-17",
                                                 "3.25e2",
                                                 "9007199254740991",
                                                 "-9007199254740991"};
  static const std::vector<std::string> contested = {
      "9007199254740993", "18446744073709551616",          "1e308", "1e400", "-1e400", "5e-324",
      "1e99999999999",    "123456789012345678901234567890"};
  return random.pick(random.one_in(12) ? contested : plain);
}

std::string any_text(Random& random, const Vocabulary& vocabulary) {
  static const std::vector<std::string> texts = {"",
                                                 "a",
                                                 "1",
                                                 "7",
                                                 "2.0",
                                                 "1.0",
                                                 "null",
                                                 "true",
                                                 " a ",
                                                 "\"",
                                                 "\\",
                                                 "\\u0041",
                                                 "/",
                                                 "\n",
                                                 "\t",
                                                 std::string("\0", 1),
                                                 std::string("a\0b", 3),
                                                 "\x7F",
                                                 "\xC3\xA9",
                                                 "e\xCC\x81",
                                                 "\xE2\x80\xA8",
                                                 "\xF0\x9F\x98\x80",
                                                 "\xEF\xBB\xBF",
                                                 "\xEF\xBF\xBF",
                                                 "%s",
                                                 "${x}",
                                                 "../../etc/passwd",
                                                 "&",
                                                 "a=1&b=+%26",
                                                 "<a href='#'>",
                                                 "Abc",
                                                 std::string(70, 'y'),
                                                 std::string(300, 'x')};
  static const std::vector<std::string> surrogates = {"\xED\xA0\xBD", "\xED\xB8\x80x"};
  if (random.one_in(24)) return random.pick(surrogates);
  if (!vocabulary.texts.empty() && random.one_in(6)) return random.pick(vocabulary.texts);
  return random.pick(texts);
}

namespace {

// Less than parsers take that are strict about it (64 in .NET), with what stands around it.
constexpr std::size_t kMostDeep = 40;

/// One child in another in another, and now and then in many more.
Value deep_value(Random& random, const Vocabulary& vocabulary) {
  Value value = any_value(random, 0, vocabulary);
  const bool arrays = !random.one_in(3);
  constexpr std::size_t kFewest = 4;
  constexpr std::size_t kWays = 9;
  const std::size_t more = random.below(kWays);
  for (std::size_t left = kFewest + more; left > 0; --left) {
    const bool in_array = arrays && random.one_in(2);
    Value outer = in_array ? Value::array() : Value::object();
    if (in_array) {
      outer.append(std::move(value));
    } else {
      outer.append(any_name(random, vocabulary), std::move(value));
    }
    value = std::move(outer);
  }
  for (std::size_t left = more + 1 == kWays ? random.below(kMostDeep) : 0; left > 0; --left) {
    Value outer = arrays ? Value::array() : Value::object();
    if (arrays) {
      outer.append(std::move(value));
    } else {
      outer.append("a", std::move(value));
    }
    value = std::move(outer);
  }
  return value;
}

void append_named(Value& object, Value child, Random& random, const Vocabulary& vocabulary) {
  std::string name = any_name(random, vocabulary);
  // A name that stands twice is a matter of its own: it leaves open what the whole means.
  if (object.find(name) != nullptr && !random.one_in(6)) return;
  object.append(std::move(name), std::move(child));
}

}  // namespace

Value any_value(Random& random, std::size_t depth, const Vocabulary& vocabulary) {
  if (depth > 1 && random.one_in(40)) return deep_value(random, vocabulary);
  const std::size_t kind = random.below(depth == 0 ? 6 : 9);
  if (kind == 0) return Value::null();
  if (kind == 1) return Value::boolean(random.one_in(2));
  if (kind <= 3) return Value::number(any_number(random));
  if (kind <= 5) return Value::string(any_text(random, vocabulary));
  Value structure = kind == 6 ? Value::object() : Value::array();
  if (kind == 8) structure = random.one_in(2) ? Value::object() : Value::array();
  for (std::size_t left = random.below(4); left > 0; --left) {
    Value child = any_value(random, depth - 1, vocabulary);
    if (structure.is(json::Kind::object)) {
      append_named(structure, std::move(child), random, vocabulary);
    } else {
      structure.append(std::move(child));
    }
  }
  return structure;
}

Value any_id(Random& random) {
  switch (random.below(8)) {
    case 0:
      return Value::null();
    case 1:
    case 2:
      return Value::number(any_number(random));
    case 3:
    case 4:
      return Value::string(any_text(random));
    case 5:
      return Value::string(std::to_string(random.below(10)));
    default:
      return Value::number(static_cast<long long>(random.below(random.one_in(2) ? 10 : 1000)));
  }
}

}  // namespace jrpcheck::fuzz
