// Discovery against small servers: what is bound, what is not, and what is never called.
#include <gtest/gtest.h>

#include <climits>
#include <set>
#include <string>

#include "corpus/corpus_for_testing.hpp"
#include "run/methods_for_testing.hpp"

namespace jrpcheck::run {
namespace role_discovery_test {

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

const Method kAdd = [](const std::string& params) {
  const auto parsed = json::parse(params);
  if (!parsed || !parsed.value->is(json::Kind::array)) return error_member(-32602);
  const auto& values = parsed.value->children();
  return R"("result":)" + std::to_string(number(values[0]) + number(values[1]));
};
const Method kAddByName = [](const std::string& params) {
  const auto parsed = json::parse(params);
  if (!parsed || !parsed.value->is(json::Kind::object)) return error_member(-32602);
  return R"("result":)" +
         std::to_string(number(*parsed.value->find("a")) + number(*parsed.value->find("b")));
};

const Method kMultiply = table({{"[6,7]", "42"}});

TEST(Discovery, BindsWhatAddsTwoNumbersWhereNothingTellsMore) {
  EXPECT_EQ(discovered(server_with({{"add", kAdd}, {"multiply", kMultiply}})),
            (Bound{{"add", "add"}}));
  EXPECT_EQ(discovered(server_with({{"sum", kAdd}})), (Bound{{"add", "sum"}})) << "of two alone";
  EXPECT_EQ(discovered(server_with({{"add", kAddByName}, {"multiply", kMultiply}})),
            (Bound{{"add-named", "add"}}));
  EXPECT_EQ(discovered(server_with({{"sum", kAdd}, {"subtract", kSubtract}})),
            (Bound{{"subtract", "subtract"}}));
  EXPECT_EQ(discovered(server_with({{"sum", kAdd}, {"echo", kEcho}})), (Bound{{"echo", "echo"}}));
  EXPECT_EQ(discovered(server_with({{"add", always(R"("result":65)")}, {"multiply", kMultiply}})),
            Bound{});
}

TEST(Discovery, TellsNothingOfTheFormInWhichAMethodThatAddsIsNotCalled) {
  const auto roles = search(server_with({{"add", kAddByName}, {"multiply", kMultiply}}));
  EXPECT_TRUE(roles.tried.empty());
}

// Elsewhere it may keep what it is called with.
TEST(Discovery, CallsAddOfAServerThatCalculatesOnly) {
  FakeConversation conversation(server_with({{"add", kAdd}}));
  EXPECT_EQ(discover_roles({}, conversation).methods, Bound{});
  for (const auto& message : conversation.sent) {
    EXPECT_EQ(message.find("\"add\""), std::string::npos) << message;
  }
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

// What it has been waited for is not waited for in the cases once more.
TEST(Discovery, AsksNothingMoreOfAServerThatGoesAwayAgainAndAgain) {
  Endings endings;
  FakeConversation conversation(server_with({{"echo", kEcho}}));
  const corpus::Ledger ledger;
  SideDialogue aside("a", "b", ledger, {});
  EXPECT_EQ(discover_roles({}, conversation, &aside, &endings).methods, (Bound{{"echo", "echo"}}));
  endings.note_lost(std::chrono::seconds(60), false);
  EXPECT_EQ(discover_roles({}, conversation, &aside, &endings).methods, (Bound{{"echo", "echo"}}));
  for (int i = 0; i < 3; ++i) {
    endings.note_unexplained({dialogue::Survival::deaf, "no answer", {}}, "here");
  }
  conversation.sent.clear();
  EXPECT_EQ(discover_roles({}, conversation, &aside, &endings).methods, Bound{});
  EXPECT_TRUE(conversation.sent.empty());
}

// Answers a method, and has ended by the time that anything else is sent. `is_unseen`: it is found
// gone before that is sent, and what is sent is answered by the next program.
class EndsBehindAnAnswer : public FakeConversation {
 public:
  EndsBehindAnAnswer(std::string method, bool is_unseen)
      : FakeConversation(server_without_methods()),
        method_(std::move(method)),
        is_unseen_(is_unseen) {}

  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    const bool has_ended = std::exchange(is_ending_, false);
    is_ending_ = step.messages.front().text().find(method_) != std::string::npos;
    if (has_ended && is_unseen_) unseen_ = session::UnseenDeath{"exited with code 1", {}};
    if (!has_ended || is_unseen_) return FakeConversation::exchange(step, transcript);
    met_ = true;
    dialogue::Exchange exchange;
    exchange.ending = dialogue::Ending::exited;
    return exchange;
  }
  dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) override {
    const bool is_dead = std::exchange(is_ending_, false) || std::exchange(met_, false);
    if (is_dead) return {dialogue::Survival::dead, "exited with code 1", {}};
    return FakeConversation::check_survival(transcript);
  }
  std::optional<session::UnseenDeath> take_unseen_death() override {
    return std::exchange(unseen_, std::nullopt);
  }

 private:
  std::string method_;
  bool is_unseen_;
  bool is_ending_ = false;
  bool met_ = false;
  std::optional<session::UnseenDeath> unseen_;
};

TEST(Discovery, AnEndBehindAnAnswerIsOfTheCallThatWasAnswered) {
  for (const bool is_unseen : {false, true}) {
    Endings endings;
    EndsBehindAnAnswer conversation("\"get_data\"", is_unseen);
    SideDialogue aside("a", "b", corpus::corpus_for_testing().ledger, {});
    session::Patience patience(std::chrono::seconds(1));
    RoleSearch search{{}, {}, true};
    search.patience = &patience;
    discover_roles(search, conversation, &aside, &endings);
    EXPECT_EQ(endings.unexplained(), 0U);
    const auto result = aside.result({});
    ASSERT_TRUE(result);
    ASSERT_EQ(result->findings.size(), 1U);
    EXPECT_EQ(result->findings.front().symptom, judge::Symptom::died_later);
    EXPECT_NE(aside.first_call().find("get_data"), std::string::npos) << aside.first_call();
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
                                   "system.jrpcheckNobodysMethod"}));
}

TEST(Discovery, CallsNothingThatCouldDoSomethingWhereNothingIsListed) {
  const auto names = called(server_without_methods());
  for (const auto* harmful : {"stop", "shutdown", "exit", "update", "add", "reset", "state-set"}) {
    EXPECT_EQ(names.count(harmful), 0U) << harmful;
  }
  EXPECT_LT(names.size(), 86U) << "discovery is quick";
}

TEST(Discovery, SkipsNamesThatAListDoesNotHave) {
  const auto names = called(
      server_with({{"system.listMethods", always(R"("result":["system.listMethods","x.y"])")}}));
  EXPECT_EQ(names.count("web3_clientVersion"), 0U);
}

// --- what is told ---

TEST(Discovery, SendsEmptyParamsWhereNoneAreNotTaken) {
  FakeConversation conversation(server_without_methods());
  RoleSearch search;
  search.omitted_params = "{}";
  discover_roles(search, conversation);
  for (const auto& message : conversation.sent) {
    EXPECT_NE(message.find(R"("params":)"), std::string::npos) << message;
  }
}

// As some do with every method that they have: one that they have not tells nothing of it.
TEST(Discovery, SendsEmptyParamsFromTheFirstCallOnThatWantsThem) {
  const auto server = server_with(
      {{"get_data", always(R"("result":["hello",5])")}, {"nothing", always(R"("result":null)")}});
  const auto refusing = [&](int code) -> FakeServer {
    return [server, code](const std::string& message) -> std::optional<std::string> {
      const auto reply = server(message);
      const bool is_known = reply && reply->find("-32601") == std::string::npos;
      if (!is_known || message.find(R"("params":[])") != std::string::npos) return reply;
      const auto id = json::write(*json::parse(message).value->find("id"));
      return R"({"jsonrpc":"2.0",)" + error_member(code) + R"(,"id":)" + id + "}";
    };
  };
  for (const int code : {-32600, -32602}) {
    FakeConversation conversation(refusing(code));
    const auto roles = discover_roles({}, conversation);
    EXPECT_EQ(roles.methods, (Bound{{"no-params", "get_data"}, {"nothing", "nothing"}}));
    EXPECT_EQ(roles.omitted_params, "[]");
  }
  FakeConversation conversation(refusing(-32000));
  EXPECT_EQ(discover_roles({}, conversation).omitted_params, "") << "no matter of params";
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

TEST(Discovery, CallsNothingThatOpensASession) {
  corpus::Profile profile;
  profile.opening = {R"({"jsonrpc":"2.0","method":"ping","params":{"client":"x"},"id":1})"};
  FakeConversation conversation(server_with({{"ping", always(R"("result":["hello",5])")}}));
  EXPECT_EQ(discover_roles({profile}, conversation).methods, Bound{});
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

// net/rpc of Go: what stands before the dot is a service, and a name without a dot none at all.
TEST(Discovery, TellsWhichMethodsAreThereByANameOfTheSameForm) {
  corpus::Profile profile;
  profile.dialect = corpus::Dialect::json_rpc_1_0;
  FakeConversation conversation([](const std::string& message) -> std::optional<std::string> {
    const auto request = json::parse(message);
    const auto& method = request.value->find("method")->text();
    const bool has_dot = method.find('.') != std::string::npos;
    const std::string error = (has_dot ? "can't find service " : "ill-formed: ") + method;
    return R"({"result":null,"error":")" + error + "\",\"id\":" + id_text(*request.value) + "}";
  });
  const auto roles = discover_roles({profile}, conversation);
  EXPECT_EQ(roles.methods, Bound{});
  EXPECT_TRUE(roles.tried.empty());
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

// What is found where `nothing` is not answered so many times, and all else is.
std::set<std::string> found_without_answer(microseconds timeout, bool unknown_hangs,
                                           int times = INT_MAX, bool over_http = false) {
  const auto usual = server_without_methods();
  FakeConversation conversation([&, times](const std::string& message) mutable {
    const bool is_left_out = message.find(R"("method":"nothing")") != message.npos && times-- > 0;
    return is_left_out ? std::nullopt : usual(message);
  });
  conversation.answers_next_only = true;
  conversation.knows_of_next = !over_http;
  const auto& ledger = corpus::corpus_for_testing().ledger;
  SideDialogue dialogue("dialogue/discovery", "t", ledger, {});
  RoleSearch search;
  session::Patience patience(timeout);
  if (timeout.count() > 0) search.patience = &patience;
  search.unknown_hangs = unknown_hangs;
  search.are_requests_alone = over_http;
  discover_roles(search, conversation, &dialogue);
  std::set<std::string> requirements;
  const auto result = dialogue.result({});
  if (!result) return requirements;
  for (const auto& each : result->findings) requirements.insert(each.requirement);
  return requirements;
}

TEST(Discovery, TellsOfACallThatIsLeftOutWhileTheNextIsAnswered) {
  using Found = std::set<std::string>;
  EXPECT_EQ(found_without_answer(microseconds(1), false), Found{"res-always"});
  EXPECT_EQ(found_without_answer(microseconds(1), false, 1), Found{}) << "slow for once";
  EXPECT_EQ(found_without_answer(milliseconds(100'000), false), Found{}) << "a shorter wait";
  EXPECT_EQ(found_without_answer(microseconds(1), true), Found{}) << "the name may be unknown";
}

// No later call on its connection shows it there: the server is asked whether it serves.
TEST(Discovery, TellsOfACallOverHttpThatIsLeftOutWhileTheServerServes) {
  using Found = std::set<std::string>;
  EXPECT_EQ(found_without_answer(microseconds(1), false, INT_MAX, true), Found{"res-always"});
  EXPECT_EQ(found_without_answer(microseconds(1), false, 1, true), Found{}) << "slow for once";
  EXPECT_EQ(found_without_answer(milliseconds(100'000), false, INT_MAX, true), Found{});
  EXPECT_EQ(found_without_answer(microseconds(1), true, INT_MAX, true), Found{});
}

TEST(Discovery, LooksAfterAServerThatDoesNotAnswerAndGivesUpOnIt) {
  FakeConversation conversation(server_without_methods());
  conversation.ending = dialogue::Ending::timed_out;
  EXPECT_EQ(discover_roles({}, conversation).methods, Bound{});
  EXPECT_EQ(static_cast<std::size_t>(conversation.checks), conversation.sent.size());
  EXPECT_LE(conversation.sent.size(), 8U);
}

}  // namespace role_discovery_test
}  // namespace jrpcheck::run
