#include "fuzz/properties/request_generators.hpp"

#include <utility>

#include "fuzz/expectation.hpp"
#include "json/value.hpp"

namespace jrpcheck::properties {
namespace {

using rc::Gen;

constexpr int kDepth = 2;

Text quoted(const std::string& text) { return json::write(json::Value::string(text)); }

Gen<Text> unknown_method() {
  std::vector<Text> names;
  for (const char* ending :
       {"", "X", ".x", "/x", " ", "\xC3\xA9", "%s%n", "__proto__", "\xF0\x9F\x98\x80", ":"}) {
    names.push_back(quoted(std::string(fuzz::kUnknownMethod) + ending));
  }
  return pick(std::move(names));
}

Gen<Text> any_params(Content content) {
  const auto value = json_value(content, kDepth);
  return choose<Text>({rc::gen::just(Text()), json_array(value, 4), json_object(value, 4)});
}

Gen<Text> operand() { return pick({"0", "1", "-1", "23", "42", "2147483648", "1.5"}); }

Gen<Text> number_pair() {
  return choose<Text>(
      {rc::gen::apply([](const Text& a, const Text& b) { return "[" + a + "," + b + "]"; },
                      operand(), operand()),
       named_number_pair()});
}

Gen<Text> params_for(const std::string& role, Content content) {
  if (role == "subtract") return number_pair();
  if (role == "sum") return json_array(pick({"1", "0", "-1", "23", "4294967296"}), 5);
  if (role == "echo") {
    const auto value = json_value(content, kDepth + 1);
    return choose<Text>({json_array(value, 4), json_object(value, 4)});
  }
  return rc::gen::just(Text());
}

Gen<Request> request_of(Gen<Text> method, Gen<Text> params) {
  return rc::gen::apply(
      [](Text name, Text values) {
        return Request{name, values, {}};
      },
      std::move(method), std::move(params));
}

Text member(const char* name, const Text& value) {
  return value.empty() ? Text() : Text(",\"") + name + "\":" + value;
}

Text versioned(const Text& version, const Request& request) {
  const Text members = (version.empty() ? Text() : ",\"jsonrpc\":" + version) +
                       member("method", request.method) + member("params", request.params) +
                       member("id", request.id);
  return "{" + members.substr(1) + "}";
}

// With an id most of the time: without one it may stay unanswered.
Gen<Text> maybe_id() {
  return choose<Text>({id_text(Content::plain), id_text(Content::plain), rc::gen::just(Text())});
}

Gen<Text> spoilt(const Words& words, Gen<Text> id) {
  const auto with_id = rc::gen::apply(
      [](Request request, Text text) {
        request.id = std::move(text);
        return request;
      },
      notification(Content::plain, words), std::move(id));
  using Spoil = Text (*)(const Request&, const Text&);
  const auto kind = [&](std::vector<Text> wrong, Spoil spoil) {
    return rc::gen::apply(spoil, with_id, pick(std::move(wrong)));
  };
  return choose<Text>({
      kind({""},
           [](const Request& r, const Text&) {
             return versioned("\"2.0\"", {{}, r.params, r.id});
           }),
      kind({"1", "null", "true", "[]", "{}", R"(["x"])", "1.5"},
           [](const Request& r, const Text& wrong) {
             return versioned("\"2.0\"", {wrong, r.params, r.id});
           }),
      kind({R"("2.1")", "2.0", "null", R"("")", R"("2.0 ")", "2", "true", R"(["2.0"])", R"("3.0")"},
           [](const Request& r, const Text& wrong) { return versioned(wrong, r); }),
      kind({"true", "false", "[]", "{}", "[1]", R"({"a":1})"},
           [](const Request& r, const Text& wrong) {
             return versioned("\"2.0\"", {r.method, r.params, wrong});
           }),
      kind({"1", R"("a")", "true", "false", "0.5", "null"},
           [](const Request& r, const Text& wrong) {
             return versioned("\"2.0\"", {r.method, wrong, r.id});
           }),
  });
}

Gen<Text> primitive() { return pick({"1", "null", "true", R"("a")", "0", R"("")", "-1.5"}); }

Gen<Text> text_of_call(const Words& words) {
  return rc::gen::map(call(Content::any, words), text_of);
}

// A batch within a batch.
Gen<Text> nested(const Words& words) {
  return rc::gen::map(call(Content::plain, words),
                      [](const Request& request) { return "[" + text_of(request) + "]"; });
}

Gen<Text> text_of_notification(const Words& words) {
  return rc::gen::map(notification(Content::any, words), text_of);
}

}  // namespace

Text text_of(const Request& request) { return versioned("\"2.0\"", request); }

Gen<Text> named_number_pair() {
  return rc::gen::apply(
      [](const Text& a, const Text& b, bool turned) {
        return turned ? R"({"subtrahend":)" + b + R"(,"minuend":)" + a + "}"
                      : R"({"minuend":)" + a + R"(,"subtrahend":)" + b + "}";
      },
      operand(), operand(), rc::gen::element(false, true));
}

Gen<Text> id_text(Content content) {
  std::vector<Text> ids = {"1",
                           "0",
                           "2",
                           "-1",
                           R"("a")",
                           R"("1")",
                           R"("")",
                           R"(" a b ")",
                           R"("A")",
                           R"("a\"b\\c\n")",
                           "-7",
                           "\"\xC3\xA9\"",
                           "\"e\xCC\x81\"",
                           "\"\xF0\x9F\x98\x80\"",
                           R"("\u00e9")",
                           "2147483648",
                           "4294967297",
                           "9007199254740991",
                           R"("null")",
                           R"("__proto__")"};
  ids.push_back("\"" + Text(300, 'x') + "\"");
  if (content == Content::any) {
    for (const char* each : {"null", "1.5", "1e2", "-0", "9007199254740993", R"("\u0000")",
                             "123456789012345678901234567890"}) {
      ids.emplace_back(each);
    }
  }
  return pick(std::move(ids));
}

Gen<Request> notification(Content content, const Words& words) {
  std::vector<Gen<Request>> choices;
  choices.push_back(request_of(unknown_method(), any_params(content)));
  for (const auto& method : words.methods) {
    const auto name = rc::gen::just(quoted(method.name));
    const auto suitable = params_for(method.role, content);
    choices.push_back(
        request_of(name, choose<Text>({suitable, suitable, suitable, any_params(content)})));
  }
  return choose(std::move(choices));
}

Gen<Request> call(Content content, const Words& words) {
  return rc::gen::apply(
      [](Request request, Text id) {
        request.id = std::move(id);
        return request;
      },
      notification(content, words), id_text(content));
}

Gen<Request> call_of(const KnownMethod& method) {
  return rc::gen::map(id_text(Content::plain), [name = quoted(method.name)](Text id) {
    return Request{name, {}, std::move(id)};
  });
}

Gen<Text> invalid_request(const Words& words) {
  return choose<Text>({spoilt(words, maybe_id()), spoilt(words, maybe_id()),
                       spoilt(words, maybe_id()), primitive()});
}

Gen<Text> invalid_element(const Words& words) {
  const auto nothing = rc::gen::just(Text());
  return choose<Text>(
      {primitive(), pick({"[]", "[1]", "[[]]"}), spoilt(words, nothing), nested(words)});
}

Gen<Text> batch(const Words& words) {
  const auto one = text_of_call(words);
  const auto element =
      choose<Text>({one, one, one, text_of_notification(words), invalid_request(words),
                    pick({"[]", "[1]", "{}"}), nested(words), json_value(Content::any, 1)});
  // The same element twice, id and all, now and then.
  return rc::gen::apply(
      [](std::vector<Text> elements, bool twice) {
        if (twice && !elements.empty()) elements.push_back(elements.front());
        return array_of(elements);
      },
      several(5, element),
      choose<bool>(
          {rc::gen::just(false), rc::gen::just(false), rc::gen::just(false), rc::gen::just(true)}));
}

Gen<Text> broken_text(const Words& words) {
  return rc::gen::apply(
      [](const Text& whole, std::size_t cut) {
        return whole.substr(0, 1 + cut % (whole.size() - 1));
      },
      choose<Text>({rc::gen::map(call(Content::plain, words), text_of), batch(words)}),
      rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, 200)));
}

Gen<Text> any_message(const Words& words) {
  return choose<Text>({text_of_call(words), text_of_notification(words), invalid_request(words),
                       batch(words), json_value(Content::any, 3), broken_text(words)});
}

}  // namespace jrpcheck::properties
