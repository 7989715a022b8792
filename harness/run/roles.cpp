#include "run/roles.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "corpus/member_reader.hpp"
#include "json/parse.hpp"

namespace jrpcheck::run {
namespace {

using json::Kind;

// A method that may play a role: called with these params it gives that result.
struct Candidate {
  std::string_view role;
  std::string_view method;
  std::string_view params;    // JSON text; empty for none
  std::string_view expected;  // JSON text of the result; empty: any result; "error": any own error
};

// Names that are harmless to call and tell something. What is unknown costs one round trip.
constexpr Candidate kCandidates[] = {
    {"subtract", "subtract", "[42,23]", "19"},
    {"sum", "sum", "[1,2,4]", "7"},
    {"echo", "echo", R"(["jrpcheck",{"a":[1]}])", R"(["jrpcheck",{"a":[1]}])"},
    {"nothing", "nothing", "", "null"},
    {"nothing", "update", "", "null"},
    {"nothing", "noop", "", "null"},
    {"no-params", "get_data", "", ""},
    {"no-params", "ping", "", ""},
    {"no-params", "system.listMethods", "", ""},
    {"no-params", "rpc.discover", "", ""},
    {"no-params", "web3_clientVersion", "", ""},
    {"no-params", "getblockcount", "", ""},
    {"no-params", "core.get_version", "", ""},
    {"no-params", "Server.GetRPCVersion", "", ""},
    {"no-params", "aria2.getVersion", "", ""},
    {"fails", "fails", "", "error"},
    {"fails", "fail", "", "error"},
};

constexpr std::string_view kNobodysMethod = "jrpcheckNobodysMethod";

// Ids of their own, so that a late answer is no answer to a case.
constexpr long long kFirstDiscoveryId = 4'000'000;

bool is_known(const std::string& role) {
  const auto& roles = corpus::known_roles();
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

bool is_own_error(const json::Value& response) {
  const json::Value* error = response.find("error");
  const json::Value* code =
      error != nullptr && error->is(Kind::object) ? error->find("code") : nullptr;
  if (code == nullptr) return false;
  const auto value = corpus::to_integer(*code);
  return value && *value != -32700 && (*value < -32603 || *value > -32600);
}

bool plays(const Candidate& candidate, const std::string& reply) {
  const auto response = json::parse(reply);
  if (!response || !response.value->is(Kind::object)) return false;
  if (candidate.expected == "error") return is_own_error(*response.value);
  const json::Value* result = response.value->find("result");
  const json::Value* error = response.value->find("error");
  if (result == nullptr || (error != nullptr && !error->is(Kind::null))) return false;
  if (candidate.expected.empty()) return true;
  const auto expected = json::parse(candidate.expected);
  return expected && json::equal(*expected.value, *result);
}

corpus::Step call_step(const Candidate& candidate, long long id) {
  corpus::Step step;
  session::ControlCall call{std::string(candidate.method), std::string(candidate.params)};
  step.messages.push_back(call.text(id));
  return step;
}

}  // namespace

Result<corpus::RoleBindings> load_methods_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  if (!in || !(out << in.rdbuf())) return Error{"the methods file '" + file + "' cannot be read"};
  const std::string text = out.str();
  corpus::Complaint complaint(file, text);
  const auto parsed = json::parse(text);
  corpus::RoleBindings roles;
  if (!parsed) {
    complaint.raise_at(parsed.error.offset, "not JSON: " + parsed.error.message);
  } else if (!parsed.value->is(Kind::object)) {
    complaint.raise(*parsed.value, "an object is expected: {\"ROLE\": {\"method\": \"NAME\"}}");
  } else {
    const auto& object = *parsed.value;
    for (std::size_t i = 0; i < object.size(); ++i) {
      const auto& role = object.names()[i];
      if (!is_known(role)) {
        complaint.raise(object.children()[i], "unknown role \"" + role +
                                                  "\"; there are subtract, sum, echo, nothing, "
                                                  "no-params and fails");
      }
      if (object.count(role) > 1) {
        complaint.raise(object.children()[i], "role \"" + role + "\" is there twice");
      }
      const corpus::MemberReader members(object.children()[i], complaint, {"method"});
      roles[role] = members.required_text("method");
    }
  }
  if (complaint.raised()) return complaint.error();
  return roles;
}

corpus::RoleBindings discover_roles(corpus::RoleBindings bound,
                                    session::Conversation& conversation) {
  session::Transcript aside;
  long long id = kFirstDiscoveryId;
  const auto plays_when_called = [&](const Candidate& candidate) {
    const auto exchange = conversation.exchange(call_step(candidate, id++), aside);
    if (exchange.ending != session::Ending::settled) {
      conversation.check_survival(aside);
      return false;
    }
    return !exchange.replies.empty() && plays(candidate, exchange.replies.front().text);
  };
  for (const auto& candidate : kCandidates) {
    const std::string role(candidate.role);
    if (bound.count(role) != 0 || !conversation.usable()) continue;
    // What a server does with a name that nobody has shows nothing about the name asked for.
    Candidate nobody = candidate;
    nobody.method = kNobodysMethod;
    if (plays_when_called(candidate) && !plays_when_called(nobody)) bound[role] = candidate.method;
  }
  return bound;
}

}  // namespace jrpcheck::run
