#include "judge/clients/mirrored_heads.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/ascii.hpp"
#include "base/base64.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr std::string_view kEncodedBegin = "=?base64?";
constexpr std::string_view kEncodedEnd = "?=";
// Integers that every JSON library keeps (−2^53+1 to 2^53−1).
constexpr double kSafe = 9007199254740991.0;

bool is_encoded_form(std::string_view text) {
  return text.size() >= kEncodedBegin.size() + kEncodedEnd.size() &&
         text.starts_with(kEncodedBegin) && text.ends_with(kEncodedEnd);
}

const Value* argument_at(const Value& message, const std::vector<std::string>& path) {
  const Value* params = message.find("params");
  const Value* value = params == nullptr ? nullptr : params->find("arguments");
  for (const auto& name : path) {
    if (value == nullptr || !value->is(Kind::object)) return nullptr;
    value = value->find(name);
  }
  return value;
}

bool is_integer_text(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return are_digits(text);
}

class MirrorJudge {
 public:
  MirrorJudge(const Value& message, const wire::HttpFields& fields, ClientCharges& charges)
      : message_(message), fields_(fields), charges_(charges) {}

  void judge(const MirroredArguments::One& due) {
    const Value* argument = argument_at(message_, due.path);
    const bool is_there = argument != nullptr && !argument->is(Kind::null);
    const bool is_said = wire::field_of(fields_, due.field).has_value();
    if (argument != nullptr || is_said) charges_.exercise("mcp-c-hdr-param");
    if (is_there && !is_said) {
      return charge("mcp-c-hdr-param", due.field + " is missing, and the argument is there.",
                    "the argument in " + due.field);
    }
    if (!is_there && is_said) {
      return charge("mcp-c-hdr-param", due.field + " is there, and the argument is not.",
                    "no " + due.field);
    }
    if (is_there) judge_value(due, *argument, wire::field_list(fields_, due.field));
  }

 private:
  void judge_value(const MirroredArguments::One& due, const Value& argument,
                   const std::string& value) {
    if (due.type == "string" && argument.is(Kind::string)) {
      return judge_text(due, argument.text(), value);
    }
    if (due.type == "boolean" && argument.is(Kind::boolean)) {
      return judge_type(due, value == (argument.as_boolean() ? "true" : "false"), value);
    }
    if (due.type != "integer" || !argument.is(Kind::number)) return;  // it does not fit the schema
    const double number = std::strtod(argument.text().c_str(), nullptr);
    if (number < -kSafe || number > kSafe) return;
    judge_type(due, is_integer_text(value) && std::strtod(value.c_str(), nullptr) == number, value);
  }

  void judge_type(const MirroredArguments::One& due, bool is_right, const std::string& value) {
    charges_.exercise("mcp-c-hdr-param-types");
    if (is_right) return;
    charge("mcp-c-hdr-param-types", due.field + " is " + value + ", and not the argument.",
           "the argument, an integer in decimal digits, or true or false");
  }

  void judge_text(const MirroredArguments::One& due, const std::string& text,
                  const std::string& value) {
    const bool is_plain = !needs_encoding(text);
    charges_.exercise(is_plain ? "mcp-c-hdr-param-types" : "mcp-c-hdr-encode");
    if (is_said_by(value, text)) return;
    charge(is_plain ? "mcp-c-hdr-param-types" : "mcp-c-hdr-encode",
           due.field + " does not say the argument.",
           is_plain ? "the argument as it is" : "=?base64?...?= of the argument");
  }

  void charge(std::string_view requirement, std::string sentence, std::string expected) {
    charges_.charge(requirement, message_, "/params/arguments", std::move(sentence),
                    std::move(expected));
  }

  const Value& message_;
  const wire::HttpFields& fields_;
  ClientCharges& charges_;
};

}  // namespace

bool is_said_by(const std::string& value, const std::string& text) {
  if (!is_encoded_form(value)) return value == text && !needs_encoding(text);
  std::string_view inner = value;
  inner.remove_prefix(kEncodedBegin.size());
  inner.remove_suffix(kEncodedEnd.size());
  return from_base64(inner) == text;
}

bool needs_encoding(const std::string& text) {
  const auto is_odd = [](char each) {
    const auto byte = static_cast<unsigned char>(each);
    return (byte < 0x20 && byte != '\t') || byte > 0x7e;
  };
  if (std::ranges::any_of(text, is_odd)) return true;
  return wire::trimmed(text) != text || is_encoded_form(text);
}

void judge_mirrored(const Value& message, const MirroredArguments& due,
                    const wire::HttpFields& fields, bool knows_tool, ClientCharges& charges) {
  if (due.is_unknown) return;
  MirrorJudge judge(message, fields, charges);
  for (const auto& each : due.all) {
    if (knows_tool || wire::field_of(fields, each.field)) judge.judge(each);
  }
}

}  // namespace jrpcheck::judge
