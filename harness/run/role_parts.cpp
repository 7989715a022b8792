#include "run/role_parts.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <random>
#include <utility>

#include "base/contains.hpp"
#include "base/letter_case.hpp"

namespace jrpcheck::run {
namespace {

// What is called `subtract` elsewhere may well take something away from somewhere.
constexpr std::string_view kHarmlessNamespaces[] = {"math",    "maths",  "arith",    "arithmetic",
                                                    "calc",    "demo",   "test",     "tests",
                                                    "example", "sample", "examples", "calculator"};

Proof difference_by_position(long long minuend, long long subtrahend) {
  return {"[" + std::to_string(minuend) + "," + std::to_string(subtrahend) + "]",
          Proof::Kind::equals, std::to_string(minuend - subtrahend)};
}

Proof difference_by_name(long long minuend, long long subtrahend) {
  return {R"({"minuend":)" + std::to_string(minuend) + R"(,"subtrahend":)" +
              std::to_string(subtrahend) + "}",
          Proof::Kind::equals, std::to_string(minuend - subtrahend)};
}

// Whatever serves them reads: a version, a state, a time.
std::vector<std::string_view> names_that_read() {
  return {"get_data",
          "ping",
          "Ping",
          "system.listMethods",
          "rpc.discover",
          "web3_clientVersion",
          "getblockcount",
          "core.get_version",
          "Server.GetRPCVersion",
          "aria2.getVersion",
          "JSONRPC.Ping",
          "getVersion",
          "get_version",
          "version",
          "rpc_methods",
          "rpc.methodList",
          "net_version",
          "tools/list",
          "eth_chainId",
          "getHealth",
          "system_health",
          "server.version",
          "get_info",
          "getInfo",
          "getinfo",
          "uptime",
          "health",
          "status",
          "hello",
          "rpc.version",
          "system.version",
          "system.ping",
          "getTime",
          "get_time",
          "getServerTime",
          "server.time",
          "time",
          "now",
          "whoami"};
}

Proof unchanged(std::string params) { return {params, Proof::Kind::equals, params}; }

// The same numbers for one seed, on every machine: the distributions of the standard library may
// differ, its engines do not.
class Numbers {
 public:
  explicit Numbers(unsigned long long seed) : engine_(seed) {}
  long long next() { return 1000 + static_cast<long long>(engine_() % 9000); }

 private:
  std::mt19937_64 engine_;
};

Proofs proofs_of_subtract(Numbers numbers) {
  const long long first = numbers.next();
  const long long second = numbers.next();
  return {{difference_by_position(42, 23), difference_by_position(23, 42),
           difference_by_position(first, second)},
          {difference_by_name(42, 23), difference_by_name(second, first)}};
}

Proofs proofs_of_sum(Numbers numbers) {
  const long long first = numbers.next();
  const long long second = numbers.next();
  const long long third = numbers.next();
  return {{{"[1,2,4]", Proof::Kind::equals, "7"},
           {"[10,20,30,40]", Proof::Kind::equals, "100"},
           {"[" + std::to_string(first) + "," + std::to_string(second) + "," +
                std::to_string(third) + "]",
            Proof::Kind::equals, std::to_string(first + second + third)}},
          {}};
}

Proof sum_of_two(long long first, long long second, bool are_named) {
  const std::string a = std::to_string(first);
  const std::string b = std::to_string(second);
  std::string params = "[" + a + "," + b + "]";
  if (are_named) params = R"({"a":)" + a + R"(,"b":)" + b + "}";
  return {std::move(params), Proof::Kind::equals, std::to_string(first + second)};
}

// Each in its own form alone: a method that takes both plays the first.
Proofs proofs_of_add(Numbers numbers, bool are_named) {
  const long long first = numbers.next();
  const long long second = numbers.next();
  return {{sum_of_two(42, 23, are_named), sum_of_two(first, second, are_named)}, {}};
}

}  // namespace

const std::vector<Part>& role_parts() {
  static const std::vector<Part> all = {
      // Needs no params, which some servers drop without a word: of that the search is soon tired.
      {"no-params", names_that_read(), {"version", "getversion", "get_version", "ping"}, true},
      // Called one after the other: what the first sets the second must show. Nothing is set where
      // nothing can be got.
      {"subtract",
       {"subtract", "minus", "subtraction", "difference", "math.subtract", "math/subtract",
        "calculator.subtract", "Arith.Subtract", "demo.subtract"},
       {"subtract", "minus"}},
      {"sum", {"sum", "math.sum", "math/sum", "demo.sum"}, {"sum"}},
      {"echo",
       {"echo", "Echo", "test.echo", "demo.echo", "system.echo", "rpc.echo"},
       {"echo"},
       true},
      {"nothing",
       {"nothing", "noop", "nop", "do_nothing", "return_null", "server.ping"},
       {"nothing", "noop", "nop"}},
      {"add",
       {"sum", "math.add"},
       {"add", "plus"},
       false,
       {},
       {"subtract", "echo", "sum"},
       {"add", "Add"}},
      {"add-named",
       {"sum", "math.add"},
       {"add", "plus"},
       false,
       {},
       {"subtract", "echo", "sum", "add"},
       {"add", "Add"}},
      {"state-set", {"state-set"}, {}, false, "state-get"},
      {"state-get", {"state-get"}, {}},
      {"fails",
       {"fails", "fail", "raise_error", "raise", "throw", "throws", "throw_error", "error",
        "failure", "boom", "getblockhash", "getblockheader", "aria2.tellStatus", "aria2.getFiles"},
       {"fails", "raise_error", "throw_error"}},
  };
  return all;
}

const std::vector<Calculation>& calculations() {
  static const std::vector<Calculation> all = {
      {"multiply", {"[6,7]", Proof::Kind::equals, "42"}},
      {"multiply", {R"({"a":6,"b":7})", Proof::Kind::equals, "42"}},
      {"mul", {"[6,7]", Proof::Kind::equals, "42"}},
      {"divide", {"[6,3]", Proof::Kind::equals, "2"}},
      {"pow", {"[2,3]", Proof::Kind::equals, "8"}}};
  return all;
}

Proofs proofs_of(std::string_view role, unsigned long long seed) {
  const Numbers numbers(seed);
  if (role == "subtract") return proofs_of_subtract(numbers);
  if (role == "sum") return proofs_of_sum(numbers);
  if (role == "add" || role == "add-named") return proofs_of_add(numbers, role == "add-named");
  if (role == "echo") {
    // What is alone in an Array some give back without it.
    return {{unchanged(R"(["jrpcheck",{"a":[1]}])"), unchanged(R"([2,"b"])"),
             unchanged(R"(["alone"])")},
            {unchanged(R"({"jrpcheck":[2]})"), unchanged(R"({"a":"b"})")}};
  }
  if (role == "nothing") return {{{"", Proof::Kind::equals, "null"}}, {}};
  if (role == "fails") return {{{"", Proof::Kind::own_error}}, {}};
  if (role == "state-set") return {{{R"(["jrpcheck"])"}}, {}};
  if (role == "state-get") return {{{"", Proof::Kind::equals, R"("jrpcheck")"}}, {}};
  return {{{""}}, {}};
}

std::string_view duty_of(std::string_view role) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kDuties = {
      {{"subtract", "gives the difference: 19 for [42, 23] or {minuend: 42, subtrahend: 23}"},
       {"sum", "gives the sum of an Array of Numbers: 7 for [1, 2, 4]"},
       {"echo", "gives back its params, any Array or Object"},
       {"nothing", "takes no params and gives null"},
       {"no-params", "takes no params and gives any result"},
       {"fails",
        "takes no params and fails with an error of the application: any code but those "
        "that JSON-RPC predefines"},
       {"state-set", "keeps the value in [value] and gives any result"},
       {"state-get", "takes no params and gives the value that state-set kept last"},
       {"add", "gives the sum of two Numbers: 65 for [42, 23]; not needed beside subtract"},
       {"add-named",
        "gives the sum of two Numbers: 65 for {a: 42, b: 23}; not needed beside add"}}};
  const auto* const found = std::find_if(kDuties.begin(), kDuties.end(),
                                         [&](const auto& each) { return each.first == role; });
  return found == kDuties.end() ? std::string_view() : found->second;
}

bool may_play(const Part& part, const std::string& listed) {
  const auto cut = listed.find_last_of("./:");
  if (cut == std::string::npos) return false;  // bare names are tried as they stand
  const std::string word = in_lower_case(std::string_view(listed).substr(cut + 1));
  if (!contains(part.words, word)) return false;
  const std::string space = in_lower_case(std::string_view(listed).substr(0, cut));
  return part.in_any_namespace ||
         std::find(std::begin(kHarmlessNamespaces), std::end(kHarmlessNamespaces), space) !=
             std::end(kHarmlessNamespaces);
}

const std::vector<std::string_view>& listing_methods() {
  static const std::vector<std::string_view> all = {"rpc.discover", "system.listMethods",
                                                    "rpc_methods", "rpc.methodList"};
  return all;
}

}  // namespace jrpcheck::run
