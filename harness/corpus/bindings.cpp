#include "corpus/bindings.hpp"

#include <map>
#include <optional>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "corpus/expand.hpp"
#include "corpus/load_case.hpp"
#include "corpus/profile.hpp"
#include "corpus/stand_in.hpp"
#include "json/parse.hpp"

namespace jrpcheck::corpus {
namespace {

constexpr std::string_view kMethodPrefix = "method:";
constexpr std::string_view kOtherCasePrefix = "method-in-other-case:";

bool is_numbered(std::string_view name, std::string_view stem) {
  return name.substr(0, stem.size()) == stem && name.size() == stem.size() + 1 &&
         name.back() >= '2' && name.back() <= '9';
}

struct Replacement {
  std::string text;
  bool is_number = false;  ///< a string that is nothing but this placeholder becomes a Number
};

std::string as_string_content(const std::string& text) {
  const std::string quoted = json::write(json::Value::string(text));
  return quoted.substr(1, quoted.size() - 2);
}

// A name that differs in nothing but the case of its letters.
std::string in_other_case(std::string name) {
  constexpr int kCaseBit = 0x20;
  for (char& c : name) {
    if (is_letter(c)) c = static_cast<char>(c ^ kCaseBit);
  }
  return name;
}

std::optional<std::string> method_for(std::string_view role, const Bindings& bindings) {
  const auto found = bindings.roles.find(std::string(role));
  if (found == bindings.roles.end()) return std::nullopt;
  return found->second;
}

std::optional<Replacement> replacement_for(std::string_view name, const Bindings& bindings) {
  if (name == "id") return Replacement{std::to_string(bindings.first_id), true};
  if (is_numbered(name, "id")) {
    return Replacement{std::to_string(bindings.first_id + (name.back() - '1')), true};
  }
  if (name == "string-id") return Replacement{bindings.string_id};
  if (name == "version") return Replacement{bindings.version};
  if (name == "unknown") return Replacement{bindings.unknown_method};
  if (is_numbered(name, "unknown")) return Replacement{bindings.unknown_method + name.back()};
  if (name == "n") return Replacement{"${n}"};  // for load_parts.hpp to number
  for (const std::string_view kind :
       {"item", "index", "arguments:", "wrong-arguments:", "answer:"}) {
    // Of a case whose items, or answers, are not known yet.
    if (name.substr(0, kind.size()) == kind) return Replacement{"${" + std::string(name) + "}"};
  }
  if (name.substr(0, kMethodPrefix.size()) == kMethodPrefix) {
    const auto method = method_for(name.substr(kMethodPrefix.size()), bindings);
    if (method) return Replacement{*method};
  }
  if (name.substr(0, kOtherCasePrefix.size()) == kOtherCasePrefix) {
    const auto method = method_for(name.substr(kOtherCasePrefix.size()), bindings);
    if (method) return Replacement{in_other_case(*method)};
  }
  return std::nullopt;
}

// Whether `out` ends in an opening quote (plain, or escaped within a text) whose like follows at
// `rest`: then the placeholder is the whole string. Gives the length of that quote.
std::size_t surrounding_quote(std::string_view out, std::string_view rest) {
  for (const std::string_view quote : {std::string_view("\\\""), std::string_view("\"")}) {
    if (out.size() >= quote.size() && out.substr(out.size() - quote.size()) == quote &&
        rest.substr(0, quote.size()) == quote) {
      return quote.size();
    }
  }
  return 0;
}

// Whether `out` ends within a JSON string that stands in a `text`, and so in another JSON string.
bool is_within_text(std::string_view out) {
  const auto quote = out.rfind('"');
  return quote != std::string_view::npos && quote > 0 && out[quote - 1] == '\\';
}

Error not_replaceable(std::string_view name) {
  if (name.empty()) return Error{"a placeholder must read ${NAME}"};
  if (name.substr(0, kMethodPrefix.size()) == kMethodPrefix) {
    return Error{"no method is bound to the role '" +
                 std::string(name.substr(kMethodPrefix.size())) + "'; \"roles\" must name it"};
  }
  return Error{"unknown placeholder ${" + std::string(name) + "}"};
}

Result<std::string> replace_placeholders(std::string_view text, const Bindings& bindings) {
  std::string out;
  for (;;) {
    const auto begin = text.find("${");
    if (begin == std::string_view::npos) break;
    const auto end = text.find_first_of("}\"", begin);  // no name reaches beyond its string
    const bool closed = end != std::string_view::npos && text[end] == '}';
    const auto name = text.substr(begin + 2, closed ? end - begin - 2 : 0);
    const auto replacement = replacement_for(name, bindings);
    if (!replacement) return not_replaceable(name);
    out += text.substr(0, begin);
    text.remove_prefix(end + 1);
    if (const auto quote = surrounding_quote(out, text); replacement->is_number && quote != 0) {
      out.resize(out.size() - quote);
      text.remove_prefix(quote);
    }
    const std::string content = as_string_content(replacement->text);
    out += is_within_text(out) ? as_string_content(content) : content;
  }
  return out += text;
}

// What the server lists comes last: its texts may hold ${ as well, and are no placeholders.
Result<std::string> bound_source(const Case& unbound, const Bindings& bindings) {
  const auto text = replace_placeholders(unbound.source, bindings);
  if (text) return with_steps_for_items(*text, bindings);
  return Error{unbound.file + ":" + std::to_string(unbound.line) + ": case '" + unbound.id +
               "': " + text.error().message};
}

void drop_outcomes_of_other_transports(Step& step, const std::string& transport) {
  if (transport.empty()) return;
  const auto elsewhere = [&](const Outcome& outcome) {
    return !outcome.transports.empty() && !contains(outcome.transports, transport);
  };
  std::erase_if(step.accept, elsewhere);
}

void allow_other_codes(const std::vector<OtherCodes>& others, Step& step) {
  const auto allow = [&others](std::vector<ResponsePattern>& responses) {
    for (auto& response : responses) {
      if (!response.error) continue;
      auto& codes = response.error->codes;
      codes = with_other_codes(std::move(codes), others);
    }
  };
  for (auto& outcome : step.accept) {
    allow(outcome.responses);
    if (outcome.array) allow(*outcome.array);
  }
}

// To who takes no params by name a call with some may be no call at all (JSON-RPC 2.0 §5.1), and
// its id is not read then.
void allow_refusal_of_names(Step& step) {
  const json::Value* call =
      step.raw || step.messages.size() != 1 ? nullptr : step.messages.front().value();
  if (call == nullptr || !call->is(json::Kind::object)) return;
  const json::Value* params = call->find("params");
  const json::Value* id = call->find("id");
  if (params == nullptr || !params->is(json::Kind::object) || id == nullptr) return;
  ResponsePattern refusal;
  refusal.id.any_of.push_back(json::Value::null());
  refusal.id.any_of.push_back(id->clone());
  refusal.error = ErrorPattern{{-32600, -32602}, {}};
  Outcome refused;
  refused.responses.push_back(std::move(refusal));
  step.accept.push_back(std::move(refused));
}

constexpr std::string_view kOmittedParams = "req-params-omitted";

bool lacks_params(const json::Value& message) {
  return message.is(json::Kind::object) && message.find("method") != nullptr &&
         message.find("params") == nullptr;
}

// Written behind what is there, so that all else stays as the case spells it.
dialogue::Message with_params(const dialogue::Message& message, const std::string& params) {
  if (message.value() == nullptr) return message;
  std::vector<std::size_t> ends;
  const auto& value = *message.value();
  if (lacks_params(value)) ends.push_back(value.end());
  if (value.is(json::Kind::array)) {
    for (const auto& each : value.children()) {
      if (lacks_params(each)) ends.push_back(each.end());
    }
  }
  std::string text = message.text();
  for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
    text.insert(*end - 1, ",\"params\":" + params);
  }
  return text;
}

// The members of `added` that the Object lacks, as they are to stand behind those that it has.
// Where both have an Object it is looked into, and what is missing there goes to `inserts` by
// offset.
void find_missing(const json::Value& object, const json::Value& added,
                  std::map<std::size_t, std::string>& inserts) {
  std::string text;
  for (std::size_t i = 0; i < added.size(); ++i) {
    const std::string& name = added.names()[i];
    const json::Value& value = added.children()[i];
    const json::Value* own = object.find(name);
    if (own != nullptr && own->is(json::Kind::object) && value.is(json::Kind::object)) {
      find_missing(*own, value, inserts);
    }
    if (own != nullptr) continue;
    text += (object.size() == 0 && text.empty() ? "" : ",") +
            json::write(json::Value::string(name)) + ":" + json::write(value);
  }
  if (!text.empty()) inserts[object.end() - 1] = std::move(text);
}

}  // namespace

std::string params_with_members(const std::string& params, const std::string& members) {
  if (members.empty() || params.empty()) return params.empty() ? members : params;
  const auto own = json::parse(params);
  const auto added = json::parse(members);
  if (!own || !added || !own.value->is(json::Kind::object)) return params;
  std::map<std::size_t, std::string> inserts;
  find_missing(*own.value, *added.value, inserts);
  std::string text = params;
  for (auto each = inserts.rbegin(); each != inserts.rend(); ++each) {
    text.insert(each->first, each->second);
  }
  return text;
}

void Bindings::adopt(const Profile& profile) {
  request_members = profile.request_members;
  const bool is_any = profile.version.empty() && !profile.versions.empty();
  version = is_any ? profile.versions.back() : profile.version;
}

dialogue::Message with_request_members(const dialogue::Message& message,
                                       const std::string& members) {
  const json::Value* value = message.value();
  const bool is_request = value != nullptr && value->is(json::Kind::object) &&
                          value->find("method") != nullptr && value->find("id") != nullptr;
  if (!is_request || members.empty()) return message;
  const json::Value* params = value->find("params");
  if (params == nullptr) return with_params(message, members);
  std::string text = message.text();
  const std::size_t size = params->end() - params->begin();
  text.replace(params->begin(), size,
               params_with_members(text.substr(params->begin(), size), members));
  return text;
}

namespace {

void note_form(const json::Value& message, std::map<std::string, ParamsForms>& forms) {
  const json::Value* method = message.is(json::Kind::object) ? message.find("method") : nullptr;
  const json::Value* params = method != nullptr ? message.find("params") : nullptr;
  if (params == nullptr || method->text().substr(0, kMethodPrefix.size()) != kMethodPrefix) return;
  const auto role = method->text().substr(kMethodPrefix.size());
  auto& form = forms.try_emplace(role, ParamsForms{false, false}).first->second;
  form.by_position = form.by_position || params->is(json::Kind::array);
  form.by_name = form.by_name || params->is(json::Kind::object);
}

}  // namespace

const std::vector<std::string>& known_roles() {
  static const std::vector<std::string> roles = {"subtract",  "sum",      "echo",      "nothing",
                                                 "no-params", "fails",    "state-set", "state-get",
                                                 "add",       "add-named"};
  return roles;
}

Result<bool> check_placeholders(const Case& unbound) {
  Bindings trial;
  for (const auto& role : unbound.roles) trial.roles[role] = role;
  const auto text = bound_source(unbound, trial);
  if (!text) return text.error();
  return true;
}

void allow_errors_without_id(Step& step) {
  const auto allow = [](std::vector<ResponsePattern>& responses) {
    for (auto& each : responses) {
      const bool may_be_null = std::ranges::any_of(
          each.id.any_of, [](const json::Value& id) { return id.is(json::Kind::null); });
      if (may_be_null && !each.result) each.id.or_none = true;
    }
  };
  for (auto& outcome : step.accept) {
    if (outcome.verdict == Verdict::fail) continue;
    allow(outcome.responses);
    if (outcome.array) allow(*outcome.array);
  }
}

namespace {

// Before what the run and the protocol make of it.
Result<Case> bind_as_it_stands(const Case& unbound, const Bindings& bindings) {
  const auto text = bound_source(unbound, bindings);
  if (!text) return text.error();
  auto bound = load_case(unbound.file, *text);
  if (bound) bound->line = unbound.line;
  return bound;
}

// With methods that are called as their roles are.
Result<Case> bind_to_roles(const Case& unbound) {
  Bindings trial;
  for (const auto& role : unbound.roles) trial.roles[role] = std::string(kMethodPrefix) + role;
  return bind_as_it_stands(unbound, trial);
}

}  // namespace

std::string player_of(const std::string& role, const Case& unbound, const RoleBindings& roles) {
  if (roles.count(role) != 0) return role;
  if (role != kStoodInFor || unbound.roles.size() != 1) return {};
  for (const auto& other : stand_ins()) {
    if (roles.count(other) == 0) continue;
    const auto bound = bind_to_roles(unbound);
    if (bound && may_stand_in(*bound, std::string(kMethodPrefix) + role, other)) return other;
  }
  return {};
}

namespace {

// By its own method, or by that of a stand-in.
Result<Case> bind_to_methods(const Case& unbound, const Bindings& bindings) {
  const std::string role(kStoodInFor);
  const bool lacks_one = contains(unbound.roles, kStoodInFor) && bindings.roles.count(role) == 0;
  const std::string stand_in = lacks_one ? player_of(role, unbound, bindings.roles) : std::string();
  if (stand_in.empty()) return bind_as_it_stands(unbound, bindings);
  Bindings with_it = bindings;
  const std::string& method = with_it.roles[role] = bindings.roles.at(stand_in);
  auto bound = bind_as_it_stands(unbound, with_it);
  if (bound) call_stand_in(*bound, method, stand_in);
  return bound;
}

}  // namespace

Result<Case> bind(const Case& unbound, const Bindings& bindings) {
  auto bound = bind_to_methods(unbound, bindings);
  if (!bound) return bound;
  const bool adds_params =
      !bindings.omitted_params.empty() && unbound.requirements.front() != kOmittedParams;
  for (auto& step : bound->steps) {
    drop_outcomes_of_other_transports(step, bindings.transport);
    allow_other_codes(unbound.other_codes, step);
    if (unbound.errors_without_id) allow_errors_without_id(step);
    if (unbound.params_by_position) allow_refusal_of_names(step);
    if (!bindings.request_members.empty() && !step.raw && !step.as_it_stands) {
      for (auto& message : step.messages) {
        message = with_request_members(message, bindings.request_members);
      }
    }
    if (!adds_params) continue;
    for (auto& message : step.messages) {
      message = with_params(message, bindings.omitted_params);
    }
  }
  return bound;
}

std::map<std::string, ParamsForms> forms_sent(const Case& unbound) {
  std::map<std::string, ParamsForms> forms;
  const auto bound = bind_to_roles(unbound);
  if (!bound) return forms;
  for (const auto& step : bound->steps) {
    for (const auto& message : step.messages) {
      const json::Value* value = message.value();
      if (value == nullptr) continue;
      note_form(*value, forms);
      if (!value->is(json::Kind::array)) continue;
      for (const auto& each : value->children()) note_form(each, forms);
    }
  }
  return forms;
}

}  // namespace jrpcheck::corpus
