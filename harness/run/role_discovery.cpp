// Which of a server's methods play roles, found out by calling them. Whatever is called here reads
// at most: a server under test may be a wallet or a download manager. Only state-set writes, under
// a name that nobody has who did not mean this role.
#include <algorithm>
#include <set>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "run/control_call.hpp"
#include "run/proof.hpp"
#include "run/role_caller.hpp"
#include "run/role_parts.hpp"
#include "run/roles.hpp"

namespace jrpcheck::run {
namespace {

using corpus::Dialect;
using json::Kind;
using session::Conversation;

constexpr std::size_t kMostListedNames = 4096;

// Of one role; more would say the same again.
constexpr std::size_t kMostTold = 3;
constexpr std::size_t kShown = 300;

// A method of the specification's examples (JSON-RPC 2.0 §7) whose name means something else
// elsewhere: tried only on a server that has been seen to have another of them.
constexpr std::string_view kExample = "subtract";
constexpr std::string_view kNothingInExamples = "update";

void add_names(const json::Value& list, std::set<std::string>& names) {
  if (!list.is(Kind::array)) return;
  for (const auto& each : list.children()) {
    if (names.size() >= kMostListedNames) return;
    const json::Value* name = each.is(Kind::object) ? each.find("name") : &each;
    if (name != nullptr && name->is(Kind::string)) names.insert(name->text());
  }
}

// A list of names, or an Object with such a list: an OpenRPC document names Objects.
std::set<std::string> names_in(const json::Value& result) {
  std::set<std::string> names;
  const json::Value* methods = result.is(Kind::object) ? result.find("methods") : &result;
  if (methods != nullptr) add_names(*methods, names);
  return names;
}

// Where the last part of a name begins. A server may look for what stands before it first.
std::size_t last_part(std::string_view method) { return method.find_last_of("./") + 1; }

// A method that nobody has, beside this one.
std::string nobody_beside(std::string_view method) {
  return std::string(method.substr(0, last_part(method))) + std::string(kNobodysMethod);
}

bool fails_like_nobody(const json::Value& own, std::string_view method, const json::Value& nobody) {
  return fail_alike(own, method.substr(last_part(method)), nobody);
}

// What became of the params of one form. Refused: by a code that is no way to decline them.
enum class Form { right, declined, refused, wrong, untried };

class Discovery {
 public:
  Discovery(const RoleSearch& search, Conversation& conversation, SideDialogue* dialogue,
            Endings* endings)
      : search_(search), caller_(search, conversation, dialogue, endings) {}

  Roles find() {
    const auto& given = search_.given;
    roles_.methods = given;
    roles_.omitted_params = search_.omitted_params;
    if (search_.try_given) {
      roles_.methods.clear();
      for (const auto& part : role_parts()) try_given(part);
    }
    const bool complete =
        std::all_of(role_parts().begin(), role_parts().end(),
                    [&](const Part& part) { return given.count(std::string(part.role)) != 0; });
    if (complete) return std::move(roles_);
    if (!is_known_by_profile()) list_methods();
    std::size_t done = 0;
    for (const auto& part : role_parts()) {
      if (search_.told) search_.told(done++, role_parts().size());
      if (given.count(std::string(part.role)) == 0) look_for(part);
    }
    return std::move(roles_);
  }

 private:
  void try_given(const Part& part) {
    const auto given = search_.given.find(std::string(part.role));
    if (given == search_.given.end()) return;
    std::optional<Answer> refused;
    if (plays(part, given->second, refused)) return bind(part, given->second);
    roles_.tried.push_back(told(part, given->second, true, refused));
  }

  void look_for(const Part& part) {
    if (!is_wanted(part)) return;
    auto names = candidates(part);
    if (names.empty() || !is_beside_what_it_needs(part)) return;
    if (part.role == "nothing" && serves_the_examples()) names.emplace_back(kNothingInExamples);
    std::vector<result::TriedMethod> tried;
    for (const auto& name : names) {
      std::optional<Answer> refused;
      if (plays(part, name, refused)) {
        if (!is_served_like_any_name(part, name)) {
          forget_other_form(part, name);
          return bind(part, name);
        }
      } else if (refused && exists(part, name, *refused) && tried.size() < kMostTold) {
        tried.push_back(told(part, name, false, refused));
      }
    }
    std::move(tried.begin(), tried.end(), std::back_inserter(roles_.tried));
  }

  // A method plays its part in one form: what it said to the other is no refusal.
  void forget_other_form(const Part& part, const std::string& method) {
    if (part.role != "add-named") return;
    std::erase_if(roles_.tried, [&](const result::TriedMethod& each) {
      return each.role == "add" && each.method == method;
    });
  }

  void bind(const Part& part, const std::string& method) {
    roles_.methods[std::string(part.role)] = method;
    roles_.takes[std::string(part.role)] = {by_position_ != Form::declined,
                                            by_name_ != Form::declined};
  }

  static result::TriedMethod told(const Part& part, const std::string& method, bool given,
                                  const std::optional<Answer>& refused) {
    return {std::string(part.role), method, given,
            refused ? to_visible(refused->sent, kShown) : std::string(),
            refused ? to_visible(refused->received, kShown) : std::string()};
  }

  bool serves_the_examples() const {
    const auto subtract = roles_.methods.find("subtract");
    return subtract != roles_.methods.end() && subtract->second == kExample;
  }

  // What a protocol on top has is known, and positional params are no message of every one.
  bool is_known_by_profile() const { return !search_.profile.schemas.empty(); }

  void list_methods() {
    for (const auto name : listing_methods()) {
      const auto answer = call(name, "");
      const json::Value* result = answer.response() ? answer.response()->find("result") : nullptr;
      if (result != nullptr) listed_ = names_in(*result);
      if (!listed_.empty()) return;
    }
  }

  // Params have no names in 1.0.
  bool is_wanted(const Part& part) const {
    const bool is_named = part.role == "add-named";
    if (is_named && search_.profile.dialect == Dialect::json_rpc_1_0) return false;
    return std::ranges::none_of(part.in_place_of, [&](std::string_view role) {
      return roles_.methods.count(std::string(role)) != 0;
    });
  }

  // If methods are listed, only those are tried, and the ones that list methods.
  bool is_offered(std::string_view name) const {
    return listed_.empty() || listed_.count(std::string(name)) != 0 ||
           contains(listing_methods(), name);
  }

  // Asked once.
  bool calculates() {
    if (!calculates_) {
      calculates_ = std::ranges::any_of(calculations(), [&](const Calculation& each) {
        if (!is_offered(each.method)) return false;
        const auto answer = call(each.method, each.proof.params);
        return answer.response() &&
               comes_true(each.proof, *answer.response(), search_.profile.dialect);
      });
    }
    return *calculates_;
  }

  bool is_beside_what_it_needs(const Part& part) {
    if (part.only_beside.empty()) return true;
    const auto answer = call(part.only_beside, "");
    return answer.response() && comes_true({""}, *answer.response(), search_.profile.dialect);
  }

  // What the protocol on top opens a session with is called once, and as it says.
  bool begins_a_session(const std::string& name) const {
    const auto& opening = search_.profile.opening;
    return std::any_of(opening.begin(), opening.end(), [&](const dialogue::Message& message) {
      const json::Value* method = message.find("method");
      return method != nullptr && method->is(json::Kind::string) && method->text() == name;
    });
  }

  std::vector<std::string> candidates(const Part& part) {
    std::vector<std::string> names;
    const auto own = search_.profile.roles.find(std::string(part.role));
    if (own != search_.profile.roles.end()) names = own->second;
    if (is_known_by_profile()) return names;
    auto all = part.names;
    if (!part.names_of_calculators.empty() && calculates()) {
      all.insert(all.end(), part.names_of_calculators.begin(), part.names_of_calculators.end());
    }
    for (const auto name : all) {
      if (is_offered(name)) names.emplace_back(name);
    }
    for (const auto& name : listed_) {
      const bool known = contains(names, name);
      if (!known && may_play(part, name)) names.push_back(name);
    }
    std::erase_if(names, [&](const std::string& name) { return begins_a_session(name); });
    return names;
  }

  // Whether it answers as the role asks, in the forms of params that it takes. `refused` is the
  // first answer that was not as due.
  bool plays(const Part& part, const std::string& method, std::optional<Answer>& refused) {
    const Proofs proofs = proofs_of(part.role, search_.seed);
    const bool has_names = search_.profile.dialect != Dialect::json_rpc_1_0;
    by_position_ = try_form(proofs.by_position, method, refused);
    by_name_ = Form::untried;
    if (has_names && by_position_ != Form::wrong && !proofs.by_name.empty()) {
      std::optional<Answer> refused_by_name;
      by_name_ = try_form(proofs.by_name, method, refused_by_name);
    }
    // An echo has no params of its own to misread: what it does not give back it does not take. Nor
    // does a method take names that it does not know: which ones it has is its own affair (§4.2).
    const bool is_given_no_names = by_name_ == Form::wrong || by_name_ == Form::refused;
    if (is_given_no_names && (part.role == "echo" || ignores_params_)) {
      by_name_ = Form::declined;
    }
    // With whatever code: of all the cases that send positions none is about that code, and each
    // would be charged for it.
    if (by_position_ == Form::refused && by_name_ == Form::right) by_position_ = Form::declined;
    return by_position_ == Form::right || by_name_ == Form::right;
  }

  Form try_form(const std::vector<Proof>& proofs, const std::string& method,
                std::optional<Answer>& refused) {
    ignores_params_ = false;
    for (const auto& proof : proofs) {
      auto answer = call(method, proof.params);
      if (answer.response() && comes_true(proof, *answer.response(), search_.profile.dialect))
        continue;
      const bool may_be_for_the_form = &proof == &proofs.front() &&
                                       proof.kind != Proof::Kind::own_error &&
                                       !proof.params.empty() && answer.response();
      const Form form = may_be_for_the_form ? form_shown_by(*answer.response()) : Form::wrong;
      ignores_params_ = answer.response() && ignores_the_numbers(proof, *answer.response());
      refused = std::move(answer);
      return form;
    }
    return Form::right;
  }

  static Form form_shown_by(const json::Value& response) {
    if (declines_params(response)) return Form::declined;
    const bool is_refused = is_error(response) && code_in(response) != -32601;
    return is_refused ? Form::refused : Form::wrong;
  }

  // What a server does with a name that nobody has shows nothing about the name asked for.
  bool is_served_like_any_name(const Part& part, const std::string& method) {
    const auto dialect = search_.profile.dialect;
    const auto proofs = proofs_of(part.role, search_.seed);
    const bool as_named = by_position_ != Form::right;
    const Proof& first = as_named ? proofs.by_name.front() : proofs.by_position.front();
    const auto nobody = call(nobody_beside(method), first.params);
    if (!nobody.response() || !comes_true(first, *nobody.response(), dialect)) return false;
    if (first.kind != Proof::Kind::own_error || dialect != Dialect::json_rpc_1_0) return true;
    const auto own = call(method, first.params);
    return !own.response() || fails_like_nobody(*own.response(), method, *nobody.response());
  }

  // Whether the answer shows that the server has the method, though it plays another part.
  bool exists(const Part& part, const std::string& method, const Answer& refused) {
    if (!refused.response()) return false;
    if (code_in(*refused.response()) == -32601) return false;
    const auto nobody =
        call(nobody_beside(method), proofs_of(part.role, search_.seed).by_position.front().params);
    if (!nobody.response()) return true;
    if (is_error(*nobody.response()) != is_error(*refused.response())) return true;
    if (is_error(*refused.response()))
      return !fails_like_nobody(*refused.response(), method, *nobody.response());
    const json::Value* own = refused.response()->find("result");
    const json::Value* nobodys = nobody.response()->find("result");
    return own != nullptr && nobodys != nullptr && !json::equal(*own, *nobodys);
  }

  // A server may serve a method that takes no params when they are empty, and refuse the same call
  // without: it is called with empty ones from then on.
  Answer call(std::string_view method, std::string_view params) {
    auto answer = caller_.call(method, params.empty() ? roles_.omitted_params : params);
    const bool may_miss_params = params.empty() && roles_.omitted_params.empty() &&
                                 !method.ends_with(kNobodysMethod) && answer.response() &&
                                 is_called_wrong(*answer.response());
    if (!may_miss_params) return answer;
    for (const std::string_view empty : {"[]", "{}"}) {
      auto with = caller_.call(method, empty);
      if (!with.response() || is_error(*with.response())) continue;
      roles_.omitted_params = empty;
      return with;
    }
    return answer;
  }

  // As no Request, or for its params.
  static bool is_called_wrong(const json::Value& response) {
    const auto code = is_error(response) ? code_in(response) : std::nullopt;
    return code == -32600 || code == -32602;
  }

  const RoleSearch& search_;
  RoleCaller caller_;
  Roles roles_;
  Form by_position_ = Form::untried;  // of the method tried last
  Form by_name_ = Form::untried;
  bool ignores_params_ = false;  // of the form tried last
  std::set<std::string> listed_;
  std::optional<bool> calculates_;
};

}  // namespace

Roles discover_roles(const RoleSearch& search, Conversation& conversation, SideDialogue* dialogue,
                     Endings* endings) {
  return Discovery(search, conversation, dialogue, endings).find();
}

}  // namespace jrpcheck::run
