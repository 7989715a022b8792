#include "fuzz/vocabulary.hpp"

#include <utility>

#include "fuzz/expectation.hpp"

namespace jrpcheck::fuzz {

using json::Value;

std::string unknown_method(Random& random) {
  static const std::vector<std::string> kEndings = {"",
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
  return std::string(kUnknownMethod) + random.pick(kEndings);
}

std::string any_method(Random& random, const Vocabulary& vocabulary) {
  if (!vocabulary.methods.empty() && !random.one_in(3)) return random.pick(vocabulary.methods);
  static const std::vector<std::string> kMeaningful = {
      "", "rpc.jrpcheck", "__proto__", "constructor", "toString", "hasOwnProperty"};
  return random.one_in(8) ? random.pick(kMeaningful) : unknown_method(random);
}

std::string any_name(Random& random) {
  static const std::vector<std::string> kNames = {
      "jsonrpc", "method",  "params",     "id", "result",    "error",
      "code",    "message", "data",       "",   "__proto__", "constructor",
      "ID",      "minuend", "subtrahend", "a",  "\xC3\xA9",  "extra"};
  return random.pick(kNames);
}

std::string any_number(Random& random) {
  static const std::vector<std::string> kNumbers = {"0",
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
                                                    "9007199254740991",
                                                    "-9007199254740991",
                                                    "9007199254740993",
                                                    "18446744073709551616",
                                                    "1e308",
                                                    "1e400",
                                                    "-1e400",
                                                    "5e-324",
                                                    "1e99999999999",
                                                    "123456789012345678901234567890"};
  return random.pick(kNumbers);
}

std::string any_text(Random& random) {
  static const std::vector<std::string> kTexts = {"",
                                                  "a",
                                                  "1",
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
                                                  "\xED\xA0\xBD",
                                                  "\xED\xB8\x80x",
                                                  "\xEF\xBB\xBF",
                                                  "\xEF\xBF\xBF",
                                                  "%s",
                                                  "${x}",
                                                  "../../etc/passwd",
                                                  "Abc",
                                                  std::string(300, 'x')};
  return random.pick(kTexts);
}

Value any_value(Random& random, std::size_t depth) {
  const std::size_t kind = random.below(depth == 0 ? 5 : 8);
  if (kind == 0) return Value::null();
  if (kind == 1) return Value::boolean(random.one_in(2));
  if (kind <= 2) return Value::number(any_number(random));
  if (kind <= 4) return Value::string(any_text(random));
  Value structure = kind == 5 ? Value::object() : Value::array();
  for (std::size_t left = random.below(4); left > 0; --left) {
    Value child = any_value(random, depth - 1);
    if (kind == 5) {
      structure.append(any_name(random), std::move(child));
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
    default:
      return Value::number(static_cast<long long>(random.below(1000)));
  }
}

}  // namespace jrpcheck::fuzz
