// Discovery against small servers: what is bound, what is not, and what is never called.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "run/fake_server_for_testing.hpp"
#include "run/roles.hpp"

namespace jrpcheck::run {
namespace {

// What a method answers for these params (JSON text; empty for none), as members of a Response.
using Method = std::function<std::string(const std::string& params)>;
using Methods = std::map<std::string, Method>;

FakeServer server_with(Methods methods) {
  return answering([methods = std::move(methods)](const json::Value& request) {
    const json::Value* method = request.find("method");
    const json::Value* params = request.find("params");
    const auto found = methods.find(method != nullptr ? method->text() : "");
    if (found == methods.end()) return error_member(-32601);
    return found->second(params != nullptr ? json::write(*params) : "");
  });
}

Method always(const std::string& members) {
  return [members](const std::string&) { return members; };
}

// These results for these params, and an error for all others.
Method table(std::map<std::string, std::string> results) {
  return [results = std::move(results)](const std::string& params) {
    const auto found = results.find(params);
    return found == results.end() ? error_member(-32602) : R"("result":)" + found->second;
  };
}

long long number(const json::Value& value) { return std::stoll(value.text()); }

// By position only.
const Method kSubtract = [](const std::string& params) {
  const auto parsed = json::parse(params);
  if (!parsed || !parsed.value->is(json::Kind::array)) return error_member(-32602);
  const auto& values = parsed.value->children();
  return R"("result":)" + std::to_string(number(values[0]) - number(values[1]));
};
const Method kSubtractByName = [](const std::string& params) {
  const auto parsed = json::parse(params);
  if (!parsed || !parsed.value->is(json::Kind::object)) return error_member(-32602);
  return R"("result":)" + std::to_string(number(*parsed.value->find("minuend")) -
                                         number(*parsed.value->find("subtrahend")));
};
const Method kSum = [](const std::string& params) {
  const auto parsed = json::parse(params);
  long long sum = 0;
  for (const auto& each : parsed.value->children()) sum += number(each);
  return R"("result":)" + std::to_string(sum) + ".0";
};
const Method kEcho = [](const std::string& params) { return R"("result":)" + params; };

corpus::RoleBindings discovered(FakeServer server, corpus::RoleBindings bound = {},
                                const corpus::Profile& profile = {}) {
  FakeConversation conversation(std::move(server));
  return discover_roles({profile, std::move(bound), false}, conversation).methods;
}

// What discovery tells about methods that the user has given, or has not.
Roles search(FakeServer server, corpus::RoleBindings given = {}) {
  FakeConversation conversation(std::move(server));
  return discover_roles({{}, std::move(given)}, conversation);
}

using Bound = corpus::RoleBindings;

TEST(Discovery, BindsMethodsThatDoWhatTheirNamesSay) {
  EXPECT_EQ(
      discovered(server_with({{"subtract", kSubtract},
                              {"sum", kSum},
                              {"echo", kEcho},
                              {"noop", always(R"("result":null)")},
                              {"get_data", always(R"("result":["hello",5])")},
                              {"fail", always(R"("error":{"code":-32000,"message":"No"})")}})),
      (Bound{{"subtract", "subtract"},
             {"sum", "sum"},
             {"echo", "echo"},
             {"nothing", "noop"},
             {"no-params", "get_data"},
             {"fails", "fail"}}));
}

TEST(Discovery, DoesNotBindMethodsThatDoSomethingElse) {
  EXPECT_EQ(discovered(server_with({{"subtract", always(R"("result":-19)")},
                                    {"sum", always(R"("result":"7")")},
                                    {"echo", always(R"("result":"jrpcheck")")},
                                    {"nothing", always(R"("result":0)")},
                                    {"fails", always(error_member(-32603))},
                                    {"ping", always(error_member(-32602))}})),
            Bound{});
}

TEST(Discovery, DoesNotBindWhatIsRightByCoincidence) {
  EXPECT_EQ(discovered(server_with(
                {{"subtract", always(R"("result":19)")},  // the difference, whatever the order
                 {"sum", always(R"("result":7)")},
                 {"echo", table({{R"(["jrpcheck",{"a":[1]}])", R"(["jrpcheck",{"a":[1]}])"}})}})),
            Bound{});
}

// `update` may well update something, but for a server of the specification's examples.
TEST(Discovery, CallsUpdateOfAServerThatServesTheExamplesOnly) {
  const auto nothing = always(R"("result":null)");
  EXPECT_EQ(discovered(server_with({{"subtract", kSubtract}, {"update", nothing}})),
            (Bound{{"subtract", "subtract"}, {"nothing", "update"}}));
  EXPECT_EQ(discovered(server_with({{"update", nothing}})), Bound{});
}

TEST(Discovery, LeavesAloneWhatIsBound) {
  const Bound bound = {{"subtract", "my.subtract"}};
  FakeConversation conversation(server_with({{"subtract", kSubtract}}));
  EXPECT_EQ(discover_roles({{}, bound, false}, conversation).methods, bound);
  for (const auto& message : conversation.sent) {
    EXPECT_EQ(message.find("\"subtract\""), std::string::npos) << message;
  }
}

TEST(Discovery, AsksNothingWhereEverythingIsBound) {
  FakeConversation conversation(server_without_methods());
  Bound bound;
  for (const auto& role : corpus::known_roles()) bound[role] = "x";
  EXPECT_EQ(discover_roles({{}, bound, false}, conversation).methods, bound);
  EXPECT_TRUE(conversation.sent.empty());
}

TEST(Discovery, TakesTheFirstNameThatPlays) {
  EXPECT_EQ(discovered(server_with({{"ping", always(R"("result":"pong")")},
                                    {"getblockcount", always(R"("result":1)")}})),
            (Bound{{"no-params", "ping"}}));
}

// --- real kinds of servers ---

TEST(Discovery, FindsAMethodWithoutParametersOnAnEthereumNode) {
  EXPECT_EQ(discovered(server_with({{"web3_clientVersion", always(R"("result":"Geth/v1")")}})),
            (Bound{{"no-params", "web3_clientVersion"}}));
}

TEST(Discovery, FindsWhatABitcoinNodeHas) {
  EXPECT_EQ(
      discovered(server_with(
          {{"getblockcount", always(R"("result":840000)")},
           // An Object becomes an Array.
           {"echo",
            [](const std::string& params) {
              return R"("result":)" + (params.front() == '[' ? params : "[" + params + "]");
            }},
           {"getblockhash", always(R"("error":{"code":-1,"message":"getblockhash height"})")}})),
      (Bound{{"echo", "echo"}, {"no-params", "getblockcount"}, {"fails", "getblockhash"}}));
}

TEST(Discovery, FindsThePingOfAnMcpServer) {
  EXPECT_EQ(discovered(server_with({{"ping", always(R"("result":{})")},
                                    {"tools/list", always(R"("result":{"tools":[]})")}})),
            (Bound{{"no-params", "ping"}}));
}

TEST(Discovery, FindsWhatAria2Has) {
  const std::string names =
      R"("result":["aria2.addUri","aria2.getVersion","aria2.shutdown","aria2.tellStatus",)"
      R"("system.listMethods"])";
  EXPECT_EQ(discovered(server_with(
                {{"system.listMethods", always(names)},
                 {"aria2.getVersion", always(R"("result":{"version":"1.36"})")},
                 {"aria2.tellStatus", always(R"("error":{"code":1,"message":"GID is needed"})")}})),
            (Bound{{"no-params", "system.listMethods"}, {"fails", "aria2.tellStatus"}}));
}

// --- methods that the server lists ---

TEST(Discovery, ReadsTheNamesOfAnOpenRpcDocument) {
  const std::string document =
      R"("result":{"openrpc":"1.2.6","methods":[{"name":"math.subtract"},{"name":"calc/sum"},)"
      R"({"name":"util.Echo"},{"name":"app.getVersion"}]})";
  EXPECT_EQ(discovered(server_with({{"rpc.discover", always(document)},
                                    {"math.subtract", kSubtract},
                                    {"calc/sum", kSum},
                                    {"util.Echo", kEcho},
                                    {"app.getVersion", always(R"("result":"1")")}})),
            (Bound{{"subtract", "math.subtract"},
                   {"sum", "calc/sum"},
                   {"echo", "util.Echo"},
                   {"no-params", "rpc.discover"}}));
}

std::set<std::string> called(FakeServer server) {
  FakeConversation conversation(std::move(server));
  discover_roles({}, conversation);
  std::set<std::string> names;
  for (const auto& message : conversation.sent) {
    names.insert(json::parse(message).value->find("method")->text());
  }
  return names;
}

TEST(Discovery, CallsNothingOfAListThatCouldDoSomething) {
  const std::string names =
      R"("result":["system.listMethods","stop","shutdown","exit","account.subtract","cart.sum",)"
      R"("job.fails","job.fail","store.nothing","set_version","reset","math.subtract","a.echo"])";
  EXPECT_EQ(called(server_with({{"system.listMethods", always(names)}})),
            (std::set<std::string>{"rpc.discover", "system.listMethods", "math.subtract", "a.echo",
                                   "jrpcheckNobodysMethod"}));
}

TEST(Discovery, CallsNothingThatCouldDoSomethingWhereNothingIsListed) {
  const auto names = called(server_without_methods());
  for (const auto* harmful : {"stop", "shutdown", "exit", "update", "add", "reset", "state-set"}) {
    EXPECT_EQ(names.count(harmful), 0U) << harmful;
  }
  EXPECT_LT(names.size(), 80U) << "discovery is quick";
}

TEST(Discovery, SkipsNamesThatAListDoesNotHave) {
  const auto names = called(
      server_with({{"system.listMethods", always(R"("result":["system.listMethods","x.y"])")}}));
  EXPECT_EQ(names.count("web3_clientVersion"), 0U);
}

// --- what is told ---

using corpus::ParamsForms;

TEST(Tried, AMethodThatDoesNotDoWhatItsNameSaysIsTold) {
  const auto roles = search(server_with({{"subtract", always(R"("result":-19)")}}));
  EXPECT_EQ(roles.methods, Bound{});
  ASSERT_EQ(roles.tried.size(), 1U);
  const auto& tried = roles.tried.front();
  EXPECT_EQ(tried.role, "subtract");
  EXPECT_EQ(tried.method, "subtract");
  EXPECT_FALSE(tried.given);
  EXPECT_NE(tried.sent.find(R"("params":[42,23])"), std::string::npos) << tried.sent;
  EXPECT_NE(tried.received.find(R"("result":-19)"), std::string::npos) << tried.received;
}

TEST(Tried, AMethodThatIsNotThereIsNotTold) {
  EXPECT_TRUE(search(server_without_methods()).tried.empty());
  const auto refuses_all = answering([](const json::Value&) { return error_member(-32000); });
  EXPECT_TRUE(search(refuses_all).tried.empty());
  const auto answers_all = answering([](const json::Value&) { return R"("result":1)"; });
  EXPECT_TRUE(search(answers_all).tried.empty());
}

TEST(Tried, AMethodIsNotToldWhereAnotherPlaysTheRole) {
  const auto roles = search(
      server_with({{"get_data", always(error_member(-32602))}, {"ping", always(R"("result":1)")}}));
  EXPECT_EQ(roles.methods, (Bound{{"no-params", "ping"}}));
  EXPECT_TRUE(roles.tried.empty());
}

TEST(Tried, ASubtractThatIsRightForTheUsualNumbersOnlyIsTold) {
  const auto roles =
      search(server_with({{"subtract", [](const std::string& params) {
                             return R"("result":)" + std::string(params == "[42,23]"   ? "19"
                                                                 : params == "[23,42]" ? "-19"
                                                                                       : "4");
                           }}}));
  EXPECT_EQ(roles.methods, Bound{});
  ASSERT_EQ(roles.tried.size(), 1U);
  EXPECT_NE(roles.tried.front().received.find(R"("result":4)"), std::string::npos);
}

TEST(Given, MethodsAreTriedBeforeTheyAreBelieved) {
  const auto roles = search(server_with({{"my.subtract", kSubtract}, {"my.echo", kSum}}),
                            {{"subtract", "my.subtract"}, {"sum", "my.echo"}, {"fails", "gone"}});
  EXPECT_EQ(roles.methods, (Bound{{"subtract", "my.subtract"}, {"sum", "my.echo"}}));
  ASSERT_EQ(roles.tried.size(), 1U);
  EXPECT_EQ(roles.tried.front().method, "gone");
  EXPECT_TRUE(roles.tried.front().given);
  EXPECT_NE(roles.tried.front().received.find("-32601"), std::string::npos);
}

TEST(Given, ARoleOfAWrongMethodIsNotGivenToAnother) {
  const auto roles = search(server_with({{"subtract", kSubtract}}), {{"subtract", "minus"}});
  EXPECT_EQ(roles.methods, Bound{});
}

// --- params by position, by name ---

TEST(Forms, AMethodMayTakeItsParamsInOneOfThem) {
  auto roles = search(server_with({{"subtract", kSubtract}}));
  EXPECT_EQ(roles.takes.at("subtract"), (ParamsForms{true, false}));
  roles = search(server_with({{"subtract", kSubtractByName}}));
  EXPECT_EQ(roles.methods, (Bound{{"subtract", "subtract"}}));
  EXPECT_EQ(roles.takes.at("subtract"), (ParamsForms{false, true}));
}

TEST(Forms, ThatAreTakenWronglyAreTaken) {
  const auto roles =
      search(server_with({{"subtract", [](const std::string& params) {
                             return params.front() == '[' ? kSubtract(params) : R"("result":-19)";
                           }}}));
  EXPECT_EQ(roles.takes.at("subtract"), (ParamsForms{true, true}));
}

// (a, b) => a - b, given an Object with other names than a and b: which it has is its own affair.
TEST(Forms, NamesThatTheMethodDoesNotHaveAreNotTaken) {
  for (const std::string result : {"null", "0", "\"NaN\""}) {
    const auto roles = search(server_with({{"subtract", [&](const std::string& params) {
                                              return params.front() == '['
                                                         ? kSubtract(params)
                                                         : R"("result":)" + result;
                                            }}}));
    EXPECT_EQ(roles.takes.at("subtract"), (ParamsForms{true, false})) << result;
  }
}

TEST(Forms, RefusedAsAnInvalidRequestAreNoMatterOfTheMethod) {
  const auto roles = search(server_with({{"subtract", [](const std::string& params) {
                                            return params.front() == '[' ? kSubtract(params)
                                                                         : error_member(-32600);
                                          }}}));
  EXPECT_EQ(roles.takes.at("subtract"), (ParamsForms{true, true}));
}

TEST(Forms, ThatAnEchoDoesNotGiveBackItDoesNotTake) {
  const auto roles = search(
      server_with({{"echo", [](const std::string& params) {
                      return R"("result":)" + (params.front() == '[' ? params : std::string("[]"));
                    }}}));
  EXPECT_EQ(roles.methods, (Bound{{"echo", "echo"}}));
  EXPECT_EQ(roles.takes.at("echo"), (ParamsForms{true, false}));
}

TEST(Forms, AreAskedForByTheCasesThatSendThem) {
  auto corpus = corpus::assemble(corpus::embedded_files(), {});
  ASSERT_TRUE(corpus);
  const auto why = [&](const char* id, ParamsForms forms) {
    return params_not_taken(*corpus->find(id), {{"subtract", forms}});
  };
  const std::string by_position_only =
      "the method in the role 'subtract' takes its params by position only";
  EXPECT_EQ(why("params/named", {true, false}), by_position_only);
  EXPECT_EQ(why("json/escaped-name-in-named-params", {true, false}), by_position_only);
  EXPECT_EQ(why("params/positional", {true, false}), "");
  EXPECT_EQ(why("params/positional", {false, true}),
            "the method in the role 'subtract' takes its params by name only");
  EXPECT_EQ(why("params/named", {false, true}), "");
  EXPECT_EQ(why("params/string", {false, true}), "");
}

// --- calls without params ---

TEST(Discovery, SendsEmptyParamsWhereNoneAreNotTaken) {
  FakeConversation conversation(server_without_methods());
  RoleSearch search;
  search.omitted_params = "{}";
  discover_roles(search, conversation);
  for (const auto& message : conversation.sent) {
    EXPECT_NE(message.find(R"("params":)"), std::string::npos) << message;
  }
}

TEST(Discovery, ProbesWhatFailsLast) {
  FakeConversation conversation(server_with({{"fails", always(error_member(-32000))}}));
  discover_roles({}, conversation);
  bool failed = false;
  for (const auto& message : conversation.sent) {
    failed = failed || message.find(R"("method":"fails")") != std::string::npos;
    const bool of_another_role = message.find("state-get") != std::string::npos ||
                                 message.find("get_data") != std::string::npos;
    EXPECT_FALSE(failed && of_another_role) << message;
  }
  EXPECT_TRUE(failed);
}

// --- profiles ---

TEST(Discovery, TriesTheNamesOfTheProfileFirst) {
  corpus::Profile profile;
  profile.roles["no-params"] = {"list_dbs"};
  EXPECT_EQ(discovered(server_with({{"list_dbs", always(R"("result":[])")},
                                    {"ping", always(R"("result":1)")}}),
                       {}, profile),
            (Bound{{"no-params", "list_dbs"}}));
}

TEST(Discovery, AsksAServerOf10In10) {
  corpus::Profile profile;
  profile.dialect = corpus::Dialect::json_rpc_1_0;
  FakeConversation conversation([](const std::string& message) -> std::optional<std::string> {
    const auto request = json::parse(message);
    const auto& method = request.value->find("method")->text();
    const std::string params = json::write(*request.value->find("params"));
    const std::string id = ",\"id\":" + id_text(*request.value) + "}";
    if (method == "echo") return R"({"error":null,"result":)" + params + id;
    return R"({"result":null,"error":"unknown method")" + id;
  });
  EXPECT_EQ(discover_roles({profile}, conversation).methods, (Bound{{"echo", "echo"}}));
  for (const auto& message : conversation.sent) {
    EXPECT_EQ(message.find("jsonrpc\""), std::string::npos) << message;
  }
}

TEST(Discovery, TellsAMethodOf10ThatFailsFromOneThatIsNotThere) {
  corpus::Profile profile;
  profile.dialect = corpus::Dialect::json_rpc_1_0;
  const auto failing_with = [](std::string error_of_fails) {
    return [=](const std::string& message) -> std::optional<std::string> {
      const auto request = json::parse(message);
      const auto& method = request.value->find("method")->text();
      const std::string error = method == "fails" ? error_of_fails : "\"no method " + method + "\"";
      return R"({"result":null,"error":)" + error + ",\"id\":" + id_text(*request.value) + "}";
    };
  };
  EXPECT_EQ(discovered(failing_with("\"out of paper\""), {}, profile), (Bound{{"fails", "fails"}}));
  EXPECT_EQ(discovered(failing_with("\"no method fails\""), {}, profile), Bound{});
}

// --- servers that make it hard ---

// Such a server shows nothing about the methods asked for: it does the same with any name.
TEST(Discovery, BindsNothingToAServerThatAnswersEveryNameAlike) {
  EXPECT_EQ(discovered(answering([](const json::Value&) { return error_member(-32000); })),
            Bound{});
  EXPECT_EQ(discovered(answering([](const json::Value&) { return R"("result":null)"; })), Bound{});
}

TEST(Discovery, AsksWithIdsThatNoCaseHas) {
  FakeConversation conversation(server_without_methods());
  discover_roles({}, conversation);
  EXPECT_FALSE(conversation.sent.empty());
  for (const auto& message : conversation.sent) {
    const auto request = json::parse(message);
    ASSERT_TRUE(request);
    const json::Value* id = request.value->find("id");
    ASSERT_NE(id, nullptr);
    EXPECT_GE(std::stoll(id->text()), 4'000'000) << message;
  }
}

TEST(Discovery, StopsWhenTheServerIsGone) {
  FakeConversation conversation(server_without_methods());
  conversation.is_usable = false;
  EXPECT_EQ(discover_roles({}, conversation).methods, Bound{});
  EXPECT_TRUE(conversation.sent.empty());
}

TEST(Discovery, LooksAfterAServerThatDoesNotAnswerAndGivesUpOnIt) {
  FakeConversation conversation(server_without_methods());
  conversation.ending = dialogue::Ending::timed_out;
  EXPECT_EQ(discover_roles({}, conversation).methods, Bound{});
  EXPECT_EQ(static_cast<std::size_t>(conversation.checks), conversation.sent.size());
  EXPECT_LE(conversation.sent.size(), 8U);
}

}  // namespace
}  // namespace jrpcheck::run
