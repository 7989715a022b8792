#include "run/catalogue.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "corpus/bindings.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/protocol.hpp"

namespace jrpcheck::run {
namespace {

using json::Kind;

constexpr long long kFirstId = 4'600'001;
// A list that goes on for ever is cut off here: the pages that came tell that it does.
constexpr int kMostPages = 50;
constexpr std::size_t kMostItems = 5000;
constexpr std::size_t kMostMemory = 8U << 20;

// Before the name of a list, where what is stored is a cursor of it that was refused.
constexpr std::string_view kRefusedCursor = "refused cursor of ";

std::string call_text(long long id, const std::string& method, const std::string& params) {
  return session::ControlCall{method, params, corpus::Dialect::json_rpc_2_0}.text(id);
}

// MCP server/utilities/pagination: a cursor that is invalid is refused with -32602. Other errors
// say nothing of it.
bool refuses_params(const json::Value& answer) {
  const json::Value* code = json::at(answer, "/error/code");
  return code != nullptr && json::write(*code) == "-32602";
}

class Asker {
 public:
  Asker(const corpus::Profile& profile, session::Conversation& conversation, SideDialogue& dialogue)
      : profile_(profile), conversation_(conversation), dialogue_(dialogue) {}

  // What answers a call; null where nothing does.
  json::Value ask(const std::string& method, const std::string& params) {
    const std::string call = call_text(
        next_id_++, method, corpus::params_with_members(params, profile_.request_members));
    dialogue::Transcript transcript;
    const auto exchange = conversation_.exchange(corpus::step_sending(call), transcript);
    dialogue_.take(call, exchange, transcript);
    if (exchange.ending != dialogue::Ending::settled) {
      dialogue::Transcript aside;
      conversation_.check_survival(aside);
    }
    const json::Value* answer =
        exchange.replies.empty() ? nullptr : exchange.replies.back().value();
    return answer != nullptr ? answer->clone() : json::Value::null();
  }

  void list(const corpus::ListCall& list, corpus::Catalogue& catalogue) {
    json::Value items = json::Value::array();
    std::size_t memory = 0;
    corpus::Catalogue::RefusedCursor given;
    std::string params;
    for (int page = 0; page < kMostPages && conversation_.usable(); ++page) {
      const json::Value answer = ask(list.method, params);
      if (page > 0 && refuses_params(answer)) catalogue.refused_cursors[list.name] = given;
      const json::Value* found = json::at(answer, "/result" + list.items);
      if (found == nullptr || !found->is(Kind::array)) break;
      for (const auto& item : found->children()) {
        memory += item.memory();
        items.append(item.clone());
      }
      const json::Value* next =
          list.next.empty() ? nullptr : json::at(answer, "/result" + list.next);
      const bool is_enough = items.size() > kMostItems || memory > kMostMemory;
      if (next == nullptr || next->is(Kind::null) || is_enough) break;
      given = {json::write(*next), given.cursor};
      params = "{" + json::write(json::Value::string(list.cursor)) + ":" + given.cursor + "}";
    }
    catalogue.lists[list.name] = std::move(items);
  }

 private:
  const corpus::Profile& profile_;
  session::Conversation& conversation_;
  SideDialogue& dialogue_;
  long long next_id_ = kFirstId;
};

json::Value declared_in(const std::vector<dialogue::Event>& opening, const std::string& method) {
  const judge::Heard heard(opening);
  for (const auto& each : heard.all()) {
    const json::Value* result =
        each.by_server && each.called() == method ? each.at("/result") : nullptr;
    if (result != nullptr) return result->clone();
  }
  return json::Value::null();
}

}  // namespace

std::shared_ptr<const corpus::Catalogue> ask_for_catalogue(
    const corpus::Profile& profile, const std::set<std::string>& allowed,
    const std::vector<dialogue::Event>& opening, session::Conversation& conversation,
    SideDialogue& dialogue) {
  if (profile.lists.empty() && profile.declared_by.empty()) return nullptr;
  auto catalogue = std::make_shared<corpus::Catalogue>();
  catalogue->selections = profile.selections;
  catalogue->allowed = allowed;
  Asker asker(profile, conversation, dialogue);
  if (!profile.declared_by.empty()) {
    catalogue->declared = declared_in(opening, profile.declared_by);
    if (catalogue->declared.is(Kind::null) && profile.opening.empty()) {
      const json::Value answer = asker.ask(profile.declared_by, {});
      const json::Value* result = answer.find("result");
      if (result != nullptr) catalogue->declared = result->clone();
    }
  }
  for (const auto& list : profile.lists) {
    const bool is_declared =
        list.when.empty() || json::at(catalogue->declared, list.when) != nullptr;
    if (is_declared && conversation.usable()) asker.list(list, *catalogue);
  }
  return catalogue;
}

std::map<std::string, std::string> stored_catalogue(const corpus::Catalogue& catalogue) {
  std::map<std::string, std::string> stored;
  stored[""] = json::write(catalogue.declared);
  for (const auto& [name, items] : catalogue.lists) stored[name] = json::write(items);
  for (const auto& [name, refused] : catalogue.refused_cursors) {
    stored[std::string(kRefusedCursor) + name] =
        "[" + refused.cursor + (refused.behind.empty() ? "" : "," + refused.behind) + "]";
  }
  return stored;
}

std::shared_ptr<const corpus::Catalogue> catalogue_from(
    const corpus::Profile& profile, const std::map<std::string, std::string>& stored,
    const std::set<std::string>& allowed) {
  if (stored.empty()) return nullptr;
  auto catalogue = std::make_shared<corpus::Catalogue>();
  catalogue->selections = profile.selections;
  catalogue->allowed = allowed;
  for (const auto& [name, text] : stored) {
    auto parsed = json::parse(text);
    if (!parsed) continue;
    if (name.starts_with(kRefusedCursor)) {
      auto& refused = catalogue->refused_cursors[name.substr(kRefusedCursor.size())];
      const auto& texts = parsed.value->children();
      if (!texts.empty()) refused.cursor = json::write(texts.front());
      if (texts.size() > 1) refused.behind = json::write(texts.back());
      continue;
    }
    (name.empty() ? catalogue->declared : catalogue->lists[name]) = *std::move(parsed.value);
  }
  return catalogue;
}

namespace {

// What is declared as false or null is not declared.
bool declares(const corpus::Catalogue& catalogue, const std::string& pointer) {
  const json::Value* found = json::at(catalogue.declared, pointer);
  const bool is_denied =
      found != nullptr && (found->is(Kind::null) || json::write(*found) == "false");
  return found != nullptr && !is_denied;
}

// "/capabilities/tasks/list" as people write it: tasks.list.
std::string name_of(const std::string& pointer) {
  constexpr std::string_view kAll = "/capabilities/";
  std::string name = pointer.substr(pointer.starts_with(kAll) ? kAll.size() : 1);
  std::ranges::replace(name, '/', '.');
  replace_all(name, "~1", "/");  // RFC 6901 §3
  return name;
}

std::string not_declared(const std::vector<std::string>& when, const corpus::Catalogue& catalogue) {
  for (const auto& pointer : when) {
    if (!declares(catalogue, pointer)) return "the server does not declare " + name_of(pointer);
  }
  return {};
}

}  // namespace

std::string lacks_what_it_is_about(const corpus::Case& one, const corpus::Catalogue& catalogue) {
  const bool depends = !one.when.empty() || !one.unless.empty();
  if (depends && catalogue.declared.is(Kind::null)) {
    return "what the server declares is not known";
  }
  for (const auto& pointer : one.unless) {
    if (declares(catalogue, pointer)) return "the server declares " + name_of(pointer);
  }
  return not_declared(one.when, catalogue);
}

std::string why_inapplicable(const corpus::Requirement& one, const corpus::Catalogue& catalogue) {
  return catalogue.declared.is(Kind::null) ? "" : not_declared(one.when, catalogue);
}

}  // namespace jrpcheck::run
