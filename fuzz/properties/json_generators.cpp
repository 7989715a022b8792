#include "fuzz/properties/json_generators.hpp"

#include <algorithm>
#include <utility>

namespace jrpcheck::properties {
namespace {

using rc::Gen;

Text joined(const std::vector<Text>& parts) {
  Text text;
  for (const auto& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

Gen<Text> number(Content content) {
  std::vector<Text> numbers = {"0",    "1",      "-1",    "2",          "42",         "1.5",
                               "-2.5", "0.1",    "255",   "65536",      "2147483648", "-0",
                               "1e2",  "1.5E+3", "25e-2", "4294967297", "-2147483649"};
  if (content == Content::any) {
    for (const char* each : {"9007199254740993", "123456789012345678901234567890", "1e400",
                             "-1e400", "5e-324", "0.1000000000000000055511151231257827"}) {
      numbers.emplace_back(each);
    }
  }
  return pick(std::move(numbers));
}

Gen<Text> string(Content content) {
  std::vector<Text> strings = {R"("")",
                               R"("a")",
                               R"("1")",
                               R"("\"")",
                               R"("\\")",
                               R"("/")",
                               R"("\n")",
                               R"("\t")",
                               R"(" a ")",
                               "\"\xC3\xA9\"",
                               R"("\u00e9")",
                               "\"e\xCC\x81\"",
                               "\"\xE2\x80\xA8\"",
                               "\"\xF0\x9F\x98\x80\"",
                               R"("\ud83d\ude00")",
                               R"("{\"id\":1}")",
                               R"("[1,2],")",
                               R"("null")",
                               R"("%s%n")",
                               R"("__proto__")",
                               "\"\x7F\""};
  strings.push_back("\"" + Text(300, 'x') + "\"");
  if (content == Content::any) {
    for (const char* each : {R"("\u0000")", R"("\ud800")", R"("\udc00x")", R"("\ufeff")"}) {
      strings.emplace_back(each);
    }
  }
  return pick(std::move(strings));
}

// Names that mean something to JSON-RPC, to JSON or to a programming language.
Gen<Text> member_name() {
  return pick({R"("a")", R"("b")", R"("")", R"("id")", R"("method")", R"("params")", R"("jsonrpc")",
               R"("result")", R"("error")", R"("code")", R"("minuend")", "\"\xC3\xA9\"",
               R"("__proto__")", R"("constructor")", R"("a\"b")"});
}

Text object_of(const std::vector<std::pair<Text, Text>>& members) {
  std::vector<Text> parts;
  std::vector<Text> names;
  for (const auto& [name, value] : members) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.push_back(name);
    parts.push_back(name);
    parts.back().append(":").append(value);
  }
  return "{" + joined(parts) + "}";
}

}  // namespace

Text array_of(const std::vector<Text>& elements) { return "[" + joined(elements) + "]"; }

Gen<Text> pick(std::vector<Text> list) {
  const auto count = list.size();
  return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, count)),
                      [list = std::move(list)](std::size_t index) { return list[index]; });
}

Gen<Text> json_scalar(Content content) {
  return choose<Text>({number(content), string(content), pick({"null", "true", "false"})});
}

Gen<Text> json_array(Gen<Text> element, int most) {
  return rc::gen::map(several(most, std::move(element)), array_of);
}

Gen<Text> json_object(Gen<Text> value, int most) {
  return rc::gen::map(several(most, rc::gen::pair(member_name(), std::move(value))), object_of);
}

Gen<Text> object_with_several_members() {
  using Member = std::pair<Text, Text>;
  const auto value = json_value(Content::plain, 1);
  return rc::gen::apply(
      [](Member first, Text second, const std::vector<Member>& more) {
        // A name that no other member has.
        std::vector<Member> members = {std::move(first), {R"("other")", std::move(second)}};
        members.insert(members.end(), more.begin(), more.end());
        return object_of(members);
      },
      rc::gen::pair(member_name(), value), value, several(4, rc::gen::pair(member_name(), value)));
}

Gen<Text> json_value(Content content, int depth) {
  if (depth == 0) return json_scalar(content);
  const auto inner = json_value(content, depth - 1);
  return choose<Text>({json_scalar(content), json_array(inner, 3), json_object(inner, 3)});
}

}  // namespace jrpcheck::properties
