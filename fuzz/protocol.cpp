#include "fuzz/protocol.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "corpus/bindings.hpp"
#include "dialogue/id_key.hpp"
#include "dialogue/message.hpp"
#include "fuzz/expectation.hpp"
#include "json/contested.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::fuzz {
namespace {

using json::Kind;
using json::Value;

constexpr std::string_view kMethodKey = "method\"";

// Names with a meaning to programming languages, which no server has for a method.
bool is_of_no_server(std::string_view method) {
  constexpr std::array<std::string_view, 6> kNames = {
      "", "rpc.jrpcheck", "__proto__", "constructor", "toString", "hasOwnProperty"};
  return method.starts_with(kUnknownMethod) || contains(kNames, method);
}

bool is_safe(const Protocol& protocol, std::string_view method) {
  return is_of_no_server(method) || protocol.methods.count(std::string(method)) != 0;
}

template <typename Judge>
bool all_values(const Value& root, Judge judge) {
  std::vector<const Value*> todo{&root};
  while (!todo.empty()) {
    const Value& value = *todo.back();
    todo.pop_back();
    if (!judge(value)) return false;
    for (const auto& child : value.children()) todo.push_back(&child);
  }
  return true;
}

bool is_forbidden(const Protocol& protocol, const Value& value) {
  return value.is(Kind::string) && protocol.forbidden.count(value.text()) != 0;
}

// Whatever stands where a method is named, in whatever depth and however often, is a safe method;
// and what stands elsewhere is no name of what is left alone. A tool may have the name of a method.
bool names_what_is_safe(const Protocol& protocol, const Value& value) {
  if (!value.is(Kind::object)) {
    const auto& all = value.children();
    return std::none_of(all.begin(), all.end(),
                        [&](const Value& each) { return is_forbidden(protocol, each); });
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Value& member = value.children()[i];
    const bool is_method = member.is(Kind::string) && in_lower_case(value.names()[i]) == "method";
    if (is_method ? !is_safe(protocol, member.text()) : is_forbidden(protocol, member)) {
      return false;
    }
  }
  return true;
}

// Whether what stands there in the text, in quotes, is the name of a member, or the value of one
// that is called "method".
bool is_name_or_method(std::string_view folded, std::size_t at, std::size_t size) {
  const auto behind = folded.find_first_not_of(" \t\r\n", at + size);
  if (behind != folded.npos && folded[behind] == ':') return true;
  const auto colon = folded.substr(0, at).find_last_not_of(" \t\r\n");
  if (colon == folded.npos || folded[colon] != ':') return false;
  const auto end = folded.substr(0, colon).find_last_not_of(" \t\r\n");
  return end != folded.npos && folded.substr(0, end + 1).ends_with(kMethodKey);
}

// A lenient parser may read what this one does not: so the text is looked at. Escapes could hide a
// name.
bool text_may_be_sent(const Protocol& protocol, std::string_view text) {
  if (text.find('\\') != text.npos) return false;
  const std::string folded = in_lower_case(std::string(text));
  for (const auto& name : protocol.forbidden) {
    const std::string quoted = '"' + name + '"';
    for (auto at = text.find(quoted); at != text.npos; at = text.find(quoted, at + 1)) {
      if (!is_name_or_method(folded, at, quoted.size())) return false;
    }
  }
  for (auto at = folded.find(kMethodKey); at != folded.npos; at = folded.find(kMethodKey, at + 1)) {
    const auto begin = text.find('"', at + kMethodKey.size());
    if (begin == text.npos) continue;
    const auto end = std::min(text.find('"', begin + 1), text.size());
    if (!is_safe(protocol, text.substr(begin + 1, end - begin - 1))) return false;
  }
  return true;
}

// Whether all that is wanted stands there, as deep as it goes.
bool has_all_of(const Value& object, const Value& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Value* own = object.find(wanted.names()[i]);
    const Value& value = wanted.children()[i];
    if (own == nullptr) return false;
    const bool goes_on = own->is(Kind::object) && value.is(Kind::object);
    if (goes_on ? !has_all_of(*own, value) : !json::equal(*own, value)) return false;
  }
  return true;
}

// Whether the params of a Request have all that the profile wants in them.
bool has_members(const Value& value, const std::string& members) {
  const bool is_request =
      value.is(Kind::object) && value.find("method") != nullptr && value.find("id") != nullptr;
  if (!is_request) return true;
  const auto wanted = json::parse(members);
  const Value* params = value.find("params");
  return wanted && params != nullptr && params->is(Kind::object) &&
         has_all_of(*params, *wanted.value);
}

// A Request and a Response at once, which one may take for either.
bool is_of_two_kinds(const Value& value) {
  return value.find("method") != nullptr && dialogue::has_outcome(value);
}

// What stands at that place of the items of a list.
std::set<std::string> names_in(const corpus::Catalogue& catalogue, std::string_view list,
                               const std::string& name_at) {
  std::set<std::string> names;
  for (const Value* item : catalogue.items(list)) {
    const Value* own = json::at(*item, name_at);
    if (own != nullptr && own->is(Kind::string)) names.insert(own->text());
  }
  return names;
}

}  // namespace

std::shared_ptr<Protocol> protocol_of(std::shared_ptr<const judge::Law> law,
                                      std::set<std::string> methods) {
  auto protocol = std::make_shared<Protocol>();
  protocol->methods = std::move(methods);
  const auto& safe = law->profile.safe_methods;
  protocol->methods.insert(safe.begin(), safe.end());
  if (law->catalogue) {
    for (const auto& [name, selection] : law->catalogue->selections) {
      if (selection.name_at.empty()) continue;
      const auto allowed = names_in(*law->catalogue, name, selection.name_at);
      for (const auto& each : names_in(*law->catalogue, selection.of, selection.name_at)) {
        if (allowed.count(each) == 0) protocol->forbidden.insert(each);
      }
    }
  }
  protocol->law = std::move(law);
  return protocol;
}

bool may_be_sent(const Protocol& protocol, std::string_view message) {
  const auto parsed = json::parse(message, dialogue::kMessageLimits);
  if (!parsed) return text_may_be_sent(protocol, message);
  return !is_forbidden(protocol, *parsed.value) &&
         all_values(*parsed.value,
                    [&](const Value& value) { return names_what_is_safe(protocol, value); });
}

bool is_list(const Protocol& protocol, std::string_view method) {
  const auto& lists = protocol.law->profile.lists;
  return std::any_of(lists.begin(), lists.end(),
                     [method](const auto& each) { return each.method == method; });
}

bool knows_its_messages(const Protocol& protocol) {
  const auto& schemas = protocol.law->schemas;
  return schemas && schemas->knows_client();
}

namespace {

// MCP says of names that they are decoded where the head has them in Base64 (2026-07-28, Server
// Validation), and of methods nothing: some servers decode them, and to others it is a mismatch.
bool has_method_for_heads(const Protocol& protocol, const Value& value) {
  const Value* method = value.is(Kind::object) ? value.find("method") : nullptr;
  if (!protocol.has_heads || method == nullptr || !method->is(Kind::string)) return true;
  if (wire::field_value_of(method->text()) == method->text()) return true;
  const auto& fields = protocol.law->profile.http.from_message;
  return std::none_of(fields.begin(), fields.end(),
                      [](const auto& field) { return contains(field.second, "/method"); });
}

}  // namespace

bool has_message(const Protocol& protocol, std::string_view message) {
  if (!judge::is_message_of_client(*protocol.law, message)) return false;
  const std::string& members = protocol.law->profile.request_members;
  const auto parsed = json::parse(message, dialogue::kMessageLimits);
  if (!parsed) return members.empty();
  const auto is_one = [&](const Value& value) {
    return !is_of_two_kinds(value) && has_method_for_heads(protocol, value) &&
           (members.empty() || has_members(value, members));
  };
  if (!parsed.value->is(Kind::array)) return is_one(*parsed.value);
  const auto& elements = parsed.value->children();
  return std::all_of(elements.begin(), elements.end(), is_one);
}

bool is_unambiguous(std::string_view message) {
  const auto parsed = json::parse(message, dialogue::kMessageLimits);
  if (!parsed || json::is_contested(*parsed.value)) return false;
  if (!parsed.value->is(Kind::array)) return !is_of_two_kinds(*parsed.value);
  std::set<std::string> ids;
  for (const auto& each : parsed.value->children()) {
    if (is_of_two_kinds(each)) return false;
    const Value* id = each.is(Kind::object) ? each.find("id") : nullptr;
    const auto key = dialogue::id_key(id);
    if (key && !ids.insert(*key).second) return false;
  }
  return true;
}

std::string slow_call_in(const Protocol& protocol, std::string_view message) {
  if (protocol.slow.empty()) return {};
  const auto parsed = json::parse(message, dialogue::kMessageLimits);
  if (!parsed || !parsed.value->is(Kind::object)) return {};
  const Value* method = parsed.value->find("method");
  const bool is_slow =
      method != nullptr && method->is(Kind::string) && protocol.slow.count(method->text()) != 0;
  if (!is_slow) return {};
  std::string call = method->text();
  const Value* params = parsed.value->find("params");
  for (std::size_t i = 0; params != nullptr && i < params->size(); ++i) {
    const Value& each = params->children()[i];
    if (each.is(Kind::string)) return call + " " + each.text();
  }
  return call;
}

std::string with_request_members(const Protocol& protocol, std::string message) {
  const std::string& members = protocol.law->profile.request_members;
  if (members.empty()) return message;
  return corpus::with_request_members(std::move(message), members).text();
}

}  // namespace jrpcheck::fuzz
