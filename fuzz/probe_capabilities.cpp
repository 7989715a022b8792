#include "fuzz/probe_capabilities.hpp"

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
constexpr long long kFirstProbingControlId = 1'200'000'000;
constexpr long long kFirstOfWords = 10;

// Keeps what is sent, whoever sends it.
class RecordingConversation : public Conversation {
 public:
  explicit RecordingConversation(std::unique_ptr<Conversation> conversation)
      : conversation_(std::move(conversation)) {}

  Result<bool> open(dialogue::Transcript& transcript) override {
    return conversation_->open(transcript);
  }
  void begin_case(long long first_control_id) override {
    conversation_->begin_case(first_control_id);
  }
  Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    for (const auto& message : step.messages) sent_.push_back(message.text());
    return conversation_->exchange(step, transcript);
  }
  dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) override {
    return conversation_->check_survival(transcript);
  }
  bool usable() const override { return conversation_->usable(); }
  unsigned long long server_generation() const override {
    return conversation_->server_generation();
  }
  void use_control_call(session::ControlCall call) override {
    conversation_->use_control_call(std::move(call));
  }

  std::vector<std::string> take_sent() { return std::move(sent_); }

 private:
  std::unique_ptr<Conversation> conversation_;
  std::vector<std::string> sent_;
};

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

Result<Capabilities> probe_capabilities(const corpus::Corpus& corpus, const run::Options& options,
                                        run::Endpoint& endpoint, session::Patience& patience) {
  dialogue::Transcript aside;
  RecordingConversation conversation(endpoint.converse());
  if (auto opened = conversation.open(aside); !opened) return opened.error();
  conversation.begin_case(kFirstProbingControlId);
  Capabilities capabilities;
  Traits& traits = capabilities.traits;
  traits.binding = &endpoint.binding();
  traits.is_dialect = !options.opening.messages.empty();
  if (!is_answer(ask(conversation, call(1)))) {
    capabilities.unanswered = "the server answers no call";
    return capabilities;
  }
  patience.note_first_answer();
  const auto begin = Clock::now();
  ask(conversation, call(2));
  patience.learn_round_trip(std::chrono::duration_cast<microseconds>(Clock::now() - begin));
  // One error for the whole, or silence, means that batches are not served.
  traits.serves_batches =
      !traits.is_dialect && is_array(ask(conversation, "[" + call(3) + "," + call(4) + "]"));
  patience.forgive();
  capabilities.roles = options.roles;
  if (!traits.is_dialect) {
    const run::RoleSearch search{corpus.profile, options.roles, options.try_roles, options.seed};
    capabilities.roles = run::discover_roles(search, conversation).methods;
  }
  for (const auto& [role, method] : capabilities.roles) {
    auto& methods = traits.methods;
    if (std::find(methods.begin(), methods.end(), method) == methods.end()) {
      methods.push_back(method);
    }
  }
  capabilities.vocabulary = ask_for_words(traits.methods, conversation);
  capabilities.probes = conversation.take_sent();
  patience.forgive();
  return capabilities;
}

std::vector<std::string> seeds_from(const corpus::Corpus& corpus, const Capabilities& capabilities,
                                    const wire::Binding& binding) {
  std::vector<std::string> seeds;
  auto bindings = run::bindings_for(1, 0, capabilities.roles);
  bindings.transport = std::string(binding.name);
  for (const auto& unbound : corpus.cases) {
    if (!corpus.applies(unbound, binding)) continue;
    const auto bound = corpus::bind(unbound, bindings);
    if (!bound) continue;  // for want of a role
    for (const auto& step : bound->steps) {
      if (step.raw) continue;
      for (const auto& message : step.messages) {
        if (message.text().size() <= kMostSeedBytes) seeds.push_back(message.text());
      }
    }
  }
  std::sort(seeds.begin(), seeds.end());
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  return seeds;
}

}  // namespace jrpcheck::fuzz
