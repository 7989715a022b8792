// Faults that show in the later calls of a process, if at all: what they are charged with must not
// depend on how many scenarios a process is given.
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "reference-impl/client/client_edits.hpp"
#include "reference-impl/client/client_mutants.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::size_t kPeriod = 10;
constexpr std::size_t kMostCalls = 20;

// A good answer to a call in flight, which none of its own is taken for.
bool is_good_answer(const std::string& text) {
  const auto value = ClientJson::parse(text, nullptr, false);
  return value.is_object() && value.size() == 3 && value.contains("result") &&
         value.contains("id") && value["id"].is_number_integer() &&
         value["result"].is_number_integer() && value["result"] > 100 && value["result"] != 999;
}

std::string failure_for(const Waiting& waiting) {
  if (waiting.empty()) return {};
  const ClientJson error = {{"code", -32000}, {"message", "out of order"}};
  return ClientJson{{"jsonrpc", "2.0"}, {"error", error}, {"id", waiting.front()}}.dump();
}

// From the first odd answer on.
void fail_after_odd(ClientHooks& hooks) {
  on_text([has_met = false](std::string text, const Waiting& waiting) mutable {
    if (has_met) return failure_for(waiting);
    has_met = !is_good_answer(text);
    return text;
  })(hooks);
}

void fail_each_tenth(ClientHooks& hooks) {
  on_text([count = std::size_t{0}](std::string text, const Waiting& waiting) mutable {
    return ++count % kPeriod == 0 ? failure_for(waiting) : text;
  })(hooks);
}

// Each call has the result of the one before, from the first odd answer on.
void shift_after_odd(ClientHooks& hooks) {
  on_text([has_met = false, before = ClientJson(nullptr)](std::string text,
                                                          const Waiting& waiting) mutable {
    if (!is_good_answer(text)) {
      has_met = true;
      return text;
    }
    const auto result = std::exchange(before, ClientJson::parse(text)["result"]);
    return has_met ? success_for(waiting, result) : text;
  })(hooks);
}

void give_up_after_many(ClientHooks& hooks) {
  on_text([count = std::size_t{0}](std::string text, const Waiting&) mutable {
    if (++count > kMostCalls) ::_exit(0);
    return text;
  })(hooks);
}

void die_after_many(ClientHooks& hooks) {
  on_text([odd = std::size_t{0}](std::string text, const Waiting&) mutable {
    odd += is_good_answer(text) ? 0 : 1;
    if (odd > 3) std::abort();
    return text;
  })(hooks);
}

// The first odd answer is taken for success, those behind it are not.
void take_the_first_odd(ClientHooks& hooks) {
  on_text([has_met = false](std::string text, const Waiting& waiting) mutable {
    if (has_met || is_good_answer(text)) return text;
    has_met = true;
    return success_for(waiting, 999);
  })(hooks);
}

const ClientMutant kFaultsOfState[] = {
    {"fails-after-odd", kLegal, kOverAll, "After the first odd answer every call fails.",
     fail_after_odd},
    {"fails-each-tenth", kLegal, kOverAll, "Every tenth call fails.", fail_each_tenth},
    {"shifts-after-odd", kLegal, kOverAll,
     "After the first odd answer calls have the results of those before them.", shift_after_odd},
    {"gives-up-after-20", kLegal, kOverAll, "It ends after 20 answers.", give_up_after_many},
    {"dies-after-three-odd", kLegal, kOverAll, "It survives three odd answers, and not the fourth.",
     die_after_many},
    {"takes-the-first-odd", kLegal, kOverAll,
     "The first odd answer is success, and those behind it are not.", take_the_first_odd},
    // Other odd messages in the same process may excuse it.
    {"answers-notifications", kLegal, kOverStreams,
     "It answers Notifications of the server with an error whose id is null.",
     [](ClientHooks& hooks) { hooks.answers_notifications = true; }},
};

}  // namespace

std::span<const ClientMutant> client_faults_of_state() { return kFaultsOfState; }

}  // namespace jrpcheck::reference
