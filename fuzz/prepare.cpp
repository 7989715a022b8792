#include "fuzz/prepare.hpp"

#include <algorithm>

#include "json/parse.hpp"
#include "json/value.hpp"
#include "run/case_runner.hpp"
#include "run/roles.hpp"

namespace jrpcheck::fuzz {
namespace {

using dialogue::Exchange;
using json::Kind;
using session::Conversation;

// Longer ones teach an engine little and cost time at every mutation.
constexpr std::size_t kMostSeedBytes = 1024;
constexpr long long kFirstPreparingControlId = 1'200'000'000;
constexpr long long kFirstOfWords = 10;

Exchange ask(Conversation& conversation, std::string_view message) {
  dialogue::Transcript aside;
  corpus::Step step = step_sending(message);
  // One reply is waited for.
  return conversation.exchange(step, aside);
}

bool is_answer(const Exchange& exchange) {
  return std::any_of(exchange.replies.begin(), exchange.replies.end(), [](const auto& reply) {
    return reply.value() != nullptr && reply.value()->is(Kind::object) &&
           (reply.find("result") != nullptr || reply.find("error") != nullptr);
  });
}

bool is_array(const Exchange& exchange) {
  return std::any_of(exchange.replies.begin(), exchange.replies.end(), [](const auto& reply) {
    return reply.value() != nullptr && reply.value()->is(Kind::array);
  });
}

std::string call(long long id) {
  return R"({"jsonrpc":"2.0","method":"jrpcheckFuzz","id":)" + std::to_string(id) + "}";
}

std::string call_of(const std::string& method, const std::string& params, long long id) {
  return R"({"jsonrpc":"2.0","method":)" + json::write(json::Value::string(method)) +
         R"(,"params":)" + params + R"(,"id":)" + std::to_string(id) + "}";
}

// What a server says of params that it does not want often names those that it does.
Vocabulary ask_for_words(const std::vector<std::string>& methods, Conversation& conversation) {
  Vocabulary vocabulary{methods};
  long long id = kFirstOfWords;
  for (const auto& method : methods) {
    for (const char* params : {"[]", "{}", R"({"jrpcheck":1})"}) {
      const auto exchange = ask(conversation, call_of(method, params, id++));
      for (const auto& reply : exchange.replies) {
        if (!lists_methods(reply.text(), methods)) learn_from(reply.text(), vocabulary);
      }
    }
  }
  return vocabulary;
}

}  // namespace

Result<Preparation> prepare(const corpus::Corpus& corpus, const run::Options& options,
                            run::Endpoint& endpoint, session::Patience& patience) {
  dialogue::Transcript aside;
  auto conversation = endpoint.converse();
  if (auto opened = conversation->open(aside); !opened) return opened.error();
  conversation->begin_case(kFirstPreparingControlId);
  Preparation preparation;
  Traits& traits = preparation.traits;
  traits.binding = &endpoint.binding();
  traits.is_dialect = !options.opening.messages.empty();
  if (!is_answer(ask(*conversation, call(1)))) {
    preparation.unanswered = "the server answers no call";
    return preparation;
  }
  patience.note_first_answer();
  const auto begin = Clock::now();
  ask(*conversation, call(2));
  patience.learn_round_trip(std::chrono::duration_cast<microseconds>(Clock::now() - begin));
  // Faster than the dispatch of a batch of known calls is nothing here; one error, or silence, says
  // that batches are not served.
  traits.serves_batches =
      !traits.is_dialect && is_array(ask(*conversation, "[" + call(3) + "," + call(4) + "]"));
  patience.forgive();
  preparation.roles = options.roles;
  if (!traits.is_dialect) {
    preparation.roles = run::discover_roles(options.roles, corpus.profile, *conversation);
  }
  for (const auto& [role, method] : preparation.roles) {
    auto& methods = traits.methods;
    if (std::find(methods.begin(), methods.end(), method) == methods.end()) {
      methods.push_back(method);
    }
  }
  preparation.vocabulary = ask_for_words(traits.methods, *conversation);
  patience.forgive();
  return preparation;
}

std::vector<std::string> seeds_from(const corpus::Corpus& corpus, const Preparation& preparation,
                                    const wire::Binding& binding) {
  std::vector<std::string> seeds;
  auto bindings = run::bindings_for(1, 0, preparation.roles);
  bindings.transport = std::string(binding.name);
  for (const auto& unbound : corpus.cases) {
    if (!unbound.applies_to(binding.name)) continue;
    const auto bound = corpus::bind(unbound, bindings);
    if (!bound) continue;  // for want of a role
    for (const auto& step : bound->steps) {
      if (step.raw) continue;
      for (const auto& message : step.messages) {
        if (message.size() <= kMostSeedBytes) seeds.push_back(message);
      }
    }
  }
  std::sort(seeds.begin(), seeds.end());
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  return seeds;
}

}  // namespace jrpcheck::fuzz
