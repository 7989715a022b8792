// Which of a server's methods play roles, found out by calling them. Whatever is called here reads
// at most: a server under test may be a wallet or a download manager. Only state-set writes, under
// a name that nobody has who did not mean this role.
#include <algorithm>
#include <cctype>
#include <set>

#include "corpus/member_reader.hpp"
#include "json/parse.hpp"
#include "run/roles.hpp"

namespace jrpcheck::run {
namespace {

using corpus::Dialect;
using json::Kind;
using session::Conversation;

// One call of a method, and what it gives if the method plays the role.
struct Proof {
  std::string_view params;    // JSON text; empty for none
  std::string_view expected;  // JSON text of the result; empty: any result; "error": any own error
};

struct Part {
  std::string_view role;
  std::vector<Proof> proofs;            // all of them must come true
  std::vector<std::string_view> names;  // tried as they stand, in this order
  std::vector<std::string_view> words;  // last part of a listed name, in lower case
  bool in_any_namespace;                // else only in those of arithmetic and of examples
  std::string_view only_beside = {};    // tried only where this method succeeds
};

constexpr std::string_view kError = "error";
constexpr std::string_view kNobodysMethod = "jrpcheckNobodysMethod";

// Ids of their own, so that a late answer is no answer to a case.
constexpr long long kFirstDiscoveryId = 4'000'000;

// A server that leaves unknown methods unanswered costs one short wait for each.
constexpr int kMostUnanswered = 8;
constexpr std::size_t kMostListedNames = 4096;

// Methods that say which methods there are.
constexpr std::string_view kListings[] = {"rpc.discover", "system.listMethods", "rpc_methods"};

// What is called `subtract` elsewhere may well take something away from somewhere.
constexpr std::string_view kHarmlessNamespaces[] = {"math",    "maths",  "arith",    "arithmetic",
                                                    "calc",    "demo",   "test",     "tests",
                                                    "example", "sample", "examples", "calculator"};

// A method of the specification's examples (JSON-RPC 2.0 §7) whose name means something else
// elsewhere: tried only on a server that has been seen to have another of them.
constexpr std::string_view kExample = "subtract";
constexpr std::string_view kNothingInExamples = "update";

// Two proofs where one result could be a coincidence or a constant.
const std::vector<Part>& parts() {
  static const std::vector<Part> all = {
      {"subtract",
       {{"[42,23]", "19"}, {"[23,42]", "-19"}},
       {"subtract", "minus"},
       {"subtract", "minus"},
       false},
      {"sum", {{"[1,2,4]", "7"}, {"[10,20,30,40]", "100"}}, {"sum"}, {"sum"}, false},
      {"echo",
       {{R"(["jrpcheck",{"a":[1]}])", R"(["jrpcheck",{"a":[1]}])"},
        {R"({"jrpcheck":[2]})", R"({"jrpcheck":[2]})"}},
       {"echo"},
       {"echo"},
       true},
      {"nothing", {{"", "null"}}, {"nothing", "noop", "nop"}, {"nothing", "noop", "nop"}, false},
      {"no-params",
       {{"", ""}},
       {"get_data", "ping", "system.listMethods", "rpc.discover", "web3_clientVersion",
        "getblockcount", "core.get_version", "Server.GetRPCVersion", "aria2.getVersion",
        "JSONRPC.Ping", "getVersion", "get_version", "version", "rpc_methods", "net_version",
        "tools/list"},
       {"version", "getversion", "get_version", "ping"},
       true},
      {"fails",
       {{"", kError}},
       {"fails", "fail", "raise_error", "getblockhash", "aria2.tellStatus"},
       {"fails", "raise_error"},
       false},
      // Called one after the other: what the first sets the second must show. Nothing is set where
      // nothing can be got.
      {"state-set", {{R"(["jrpcheck"])", ""}}, {"state-set"}, {}, false, "state-get"},
      {"state-get", {{"", R"("jrpcheck")"}}, {"state-get"}, {}, false},
  };
  return all;
}

bool is_own_error(const json::Value& error) {
  const json::Value* code = error.is(Kind::object) ? error.find("code") : nullptr;
  if (code == nullptr) return false;
  const auto value = corpus::to_integer(*code);
  return value && *value != -32700 && (*value < -32603 || *value > -32600);
}

// 1.0 names no codes: whatever is not null is an error of the method's or of the server's.
bool fails_as_due(const json::Value& response, Dialect dialect) {
  const json::Value* error = response.find("error");
  if (error == nullptr || error->is(Kind::null)) return false;
  return dialect == Dialect::json_rpc_1_0 || is_own_error(*error);
}

bool comes_true(const Proof& proof, const json::Value& response, Dialect dialect) {
  if (proof.expected == kError) return fails_as_due(response, dialect);
  const json::Value* result = response.find("result");
  const json::Value* error = response.find("error");
  if (result == nullptr || (error != nullptr && !error->is(Kind::null))) return false;
  if (proof.expected.empty()) return true;
  const auto expected = json::parse(proof.expected);
  return expected && json::equal(*expected.value, *result);
}

// In 1.0 an unknown method fails as any other: the same code, or the same words but for the name.
bool fail_alike(const json::Value& own, std::string_view method, const json::Value& nobody) {
  const json::Value& error = *own.find("error");
  const json::Value& nobodys = *nobody.find("error");
  const json::Value* code = error.is(Kind::object) ? error.find("code") : nullptr;
  const json::Value* nobodys_code = nobodys.is(Kind::object) ? nobodys.find("code") : nullptr;
  if (code != nullptr && nobodys_code != nullptr) return json::equal(*code, *nobodys_code);
  std::string words = json::write(nobodys);
  for (std::size_t at = 0; (at = words.find(kNobodysMethod, at)) != std::string::npos;) {
    words.replace(at, kNobodysMethod.size(), method);
    at += method.size();
  }
  return words == json::write(error);
}

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

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

bool may_play(const Part& part, const std::string& listed) {
  const auto cut = listed.find_last_of("./:");
  if (cut == std::string::npos) return false;  // bare names are tried as they stand
  const std::string word = in_lower_case(std::string_view(listed).substr(cut + 1));
  if (std::find(part.words.begin(), part.words.end(), word) == part.words.end()) return false;
  const std::string space = in_lower_case(std::string_view(listed).substr(0, cut));
  return part.in_any_namespace ||
         std::find(std::begin(kHarmlessNamespaces), std::end(kHarmlessNamespaces), space) !=
             std::end(kHarmlessNamespaces);
}

class Discovery {
 public:
  Discovery(Conversation& conversation, const corpus::Profile& profile)
      : conversation_(conversation), profile_(profile) {}

  void list_methods() {
    for (const auto name : kListings) {
      const auto response = call(name, "");
      const json::Value* result = response ? response->find("result") : nullptr;
      if (result != nullptr) listed_ = names_in(*result);
      if (!listed_.empty()) return;
    }
  }

  std::optional<std::string> find(const Part& part, bool serves_the_examples) {
    auto names = candidates(part);
    if (names.empty() || !is_beside_what_it_needs(part)) return std::nullopt;
    if (part.role == "nothing" && serves_the_examples) names.emplace_back(kNothingInExamples);
    for (const auto& name : names) {
      if (plays(part, name)) return name;
    }
    return std::nullopt;
  }

 private:
  bool is_beside_what_it_needs(const Part& part) {
    if (part.only_beside.empty()) return true;
    const auto response = call(part.only_beside, "");
    return response && run::comes_true({"", ""}, *response->value(), profile_.dialect);
  }

  std::vector<std::string> candidates(const Part& part) const {
    std::vector<std::string> names;
    const auto own = profile_.roles.find(std::string(part.role));
    if (own != profile_.roles.end()) names = own->second;
    for (const auto name : part.names) {
      // Who lists its methods has no other, but for those that speak of the methods themselves.
      const bool offered =
          listed_.empty() || listed_.count(std::string(name)) != 0 ||
          std::find(std::begin(kListings), std::end(kListings), name) != std::end(kListings);
      if (offered) names.emplace_back(name);
    }
    for (const auto& name : listed_) {
      if (may_play(part, name)) names.push_back(name);
    }
    return names;
  }

  bool plays(const Part& part, std::string_view method) {
    const bool dialect_has_names = profile_.dialect != Dialect::json_rpc_1_0;
    for (const auto& proof : part.proofs) {
      if (!dialect_has_names && !proof.params.empty() && proof.params.front() == '{') continue;
      if (!comes_true(proof, method)) return false;
    }
    // What a server does with a name that nobody has shows nothing about the name asked for.
    const Proof& first = part.proofs.front();
    const auto nobody = call(kNobodysMethod, first.params);
    if (!nobody || !run::comes_true(first, *nobody->value(), profile_.dialect)) return true;
    const auto own = first.expected == kError ? call(method, first.params) : std::nullopt;
    return own && !dialect_has_names && !fail_alike(*own->value(), method, *nobody->value());
  }

  bool comes_true(const Proof& proof, std::string_view method) {
    const auto response = call(method, proof.params);
    return response && run::comes_true(proof, *response->value(), profile_.dialect);
  }

  // The Response, where there is one.
  std::optional<dialogue::Message> call(std::string_view method, std::string_view params) {
    if (!conversation_.usable() || unanswered_ >= kMostUnanswered) return std::nullopt;
    corpus::Step step;
    const session::ControlCall call{std::string(method), std::string(params), profile_.dialect};
    step.messages.push_back(call.text(id_++));
    const auto exchange = conversation_.exchange(step, aside_);
    if (exchange.ending != dialogue::Ending::settled) {
      ++unanswered_;
      conversation_.check_survival(aside_);
      return std::nullopt;
    }
    if (exchange.replies.empty()) return std::nullopt;
    const auto& reply = exchange.replies.front();
    if (reply.value() == nullptr || !reply.value()->is(Kind::object)) return std::nullopt;
    return reply;
  }

  Conversation& conversation_;
  const corpus::Profile& profile_;
  dialogue::Transcript aside_;
  std::set<std::string> listed_;
  long long id_ = kFirstDiscoveryId;
  int unanswered_ = 0;
};

}  // namespace

corpus::RoleBindings discover_roles(corpus::RoleBindings bound, const corpus::Profile& profile,
                                    Conversation& conversation) {
  Discovery discovery(conversation, profile);
  const auto is_bound = [&](const Part& part) { return bound.count(std::string(part.role)) != 0; };
  if (std::all_of(parts().begin(), parts().end(), is_bound)) return bound;
  discovery.list_methods();
  for (const auto& part : parts()) {
    if (is_bound(part)) continue;
    const auto subtract = bound.find("subtract");
    const bool serves_the_examples = subtract != bound.end() && subtract->second == kExample;
    if (auto method = discovery.find(part, serves_the_examples))
      bound[std::string(part.role)] = *std::move(method);
  }
  return bound;
}

}  // namespace jrpcheck::run
