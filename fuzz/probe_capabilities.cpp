#include "fuzz/probe_capabilities.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/contains.hpp"
#include "corpus/bindings.hpp"
#include "dialogue/id_key.hpp"
#include "fuzz/first_answer.hpp"
#include "fuzz/largest_message.hpp"
#include "fuzz/protocol.hpp"
#include "json/parse.hpp"
#include "json/value.hpp"
#include "judge/protocol.hpp"
#include "judge/rules/law.hpp"
#include "run/case_ids.hpp"
#include "run/catalogue.hpp"
#include "run/first_answers.hpp"
#include "run/joined_calls.hpp"
#include "run/roles.hpp"
#include "run/side_dialogue.hpp"

namespace jrpcheck::fuzz {
namespace {

using dialogue::Exchange;
using json::Kind;
using session::Conversation;

// Longer ones teach an engine little and cost time at every mutation.
constexpr std::size_t kMostSeedBytes = 1024;
constexpr long long kFirstProbingControlId = 1'200'000'000;
constexpr long long kFirstSharingControlId = 1'225'000'000;
constexpr long long kFirstJoiningControlId = 1'250'000'000;
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
    Exchange exchange = conversation_->exchange(step, transcript);
    if (!exchange.held_until_more.empty()) held_.push_back(step.messages.front().text());
    return exchange;
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

  /// The same that keeps nothing.
  Conversation& usual() { return *conversation_; }
  void go_on_with(std::unique_ptr<Conversation> conversation) {
    conversation_ = std::move(conversation);
  }

  std::vector<std::string> take_sent() { return std::move(sent_); }
  /// Those that were answered only when something more had been sent.
  const std::vector<std::string>& held() const { return held_; }

 private:
  std::unique_ptr<Conversation> conversation_;
  std::vector<std::string> sent_;
  std::vector<std::string> held_;
};

Exchange ask(Conversation& conversation, std::string_view message) {
  dialogue::Transcript aside;
  // One reply is waited for.
  return conversation.exchange(corpus::step_sending(std::string(message)), aside);
}

bool is_answer(const Exchange& exchange) {
  return std::ranges::any_of(exchange.replies, [](const auto& reply) {
    return reply.value() != nullptr && dialogue::has_outcome(*reply.value());
  });
}

bool is_array(const Exchange& exchange) {
  return std::ranges::any_of(exchange.replies, [](const auto& reply) {
    return reply.value() != nullptr && reply.value()->is(Kind::array);
  });
}

std::string call(long long id) {
  return R"({"jsonrpc":"2.0","method":"jrpcheckFuzz","id":)" + std::to_string(id) + "}";
}

// Each call has what the profile wants in it.
class Caller {
 public:
  Caller(Conversation& conversation, const corpus::Profile& profile)
      : conversation_(conversation), members_(profile.request_members) {}

  std::string whole(const std::string& message) const {
    if (members_.empty()) return message;
    return corpus::with_request_members(message, members_).text();
  }
  Exchange ask(const std::string& message) const {
    return fuzz::ask(conversation_, whole(message));
  }

 private:
  Conversation& conversation_;
  const std::string& members_;
};

std::string call_of(const std::string& method, const std::string& params, long long id) {
  return R"({"jsonrpc":"2.0","method":)" + json::write(json::Value::string(method)) +
         R"(,"params":)" + params + R"(,"id":)" + std::to_string(id) + "}";
}

// What a server says of params that it does not want often names those that it does.
Vocabulary ask_for_words(const std::vector<std::string>& methods, const Caller& caller,
                         const Traits& traits) {
  Vocabulary vocabulary{methods};
  long long id = kFirstOfWords;
  for (const auto& method : methods) {
    // The catalogue was asked for them. A name that it does not know of may be anything's.
    if (traits.protocol && is_list(*traits.protocol, method)) continue;
    for (const char* params : {"[]", "{}", R"({"jrpcheck":1})"}) {
      const std::string message = caller.whole(call_of(method, params, id++));
      // What is no message of the protocol may cost a timeout each.
      if (traits.protocol && !has_message(*traits.protocol, message)) continue;
      const auto exchange = caller.ask(message);
      for (const auto& reply : exchange.replies) {
        if (!lists_methods(reply.text(), methods)) learn_from(reply.text(), vocabulary);
      }
    }
  }
  return vocabulary;
}

std::optional<std::string> code_in(const Exchange& exchange) {
  if (exchange.replies.size() != 1) return std::nullopt;
  const json::Value* error = exchange.replies.front().find("error");
  const json::Value* code = error == nullptr ? nullptr : error->find("code");
  return code == nullptr ? std::nullopt : std::optional(json::write(*code));
}

// One that has seen the id may say so in place of what it says otherwise.
bool refuses_used_ids(const Caller& caller) {
  constexpr long long kTwice = 50;
  const auto first = code_in(caller.ask(call(kTwice)));
  return first != code_in(caller.ask(call(kTwice)));
}

// From what length and depth on a refusal says nothing of what a message says. The same call is
// made longer by white space, and deeper by its params. What is neither answered nor refused is
// tried again in earnest. The error says of what a server has ended that nobody here starts again.
Result<bool> learn_limits(const Caller& caller, Conversation& conversation,
                          const run::Options& options, Capabilities& capabilities) {
  long long id = 60;
  capabilities.traits.longest_message = longest_message(call(id).size(), [&](std::size_t bytes) {
    std::string message = call(++id);
    message.insert(message.size() - 1, bytes - std::min(bytes, message.size()), ' ');
    return caller.ask(message);
  });
  std::string fatal;
  capabilities.traits.deepest_message = deepest_message([&](std::size_t levels) {
    const std::string message = call_nesting(levels, ++id);
    Exchange exchange = caller.ask(message);
    if (!exchange.replies.empty()) return exchange;
    dialogue::Transcript aside;
    const auto survival = conversation.check_survival(aside).survival;
    const bool is_silent = exchange.ending == dialogue::Ending::timed_out;
    if (survival != dialogue::Survival::alive) exchange.ending = dialogue::Ending::exited;
    if (is_silent || exchange.ending == dialogue::Ending::exited) {
      capabilities.probes.push_back(caller.whole(message));
    }
    if (survival == dialogue::Survival::dead && options.command.empty()) fatal = message;
    return exchange;
  });
  if (fatal.empty()) return true;
  return Error{"the server is gone since it was sent " + fatal};
}

// Those of which the profile's own cases say so.
std::set<std::string> slow_methods(const corpus::Corpus& corpus) {
  std::set<std::string> methods;
  for (const auto& one : corpus.cases) {
    if (!one.id.starts_with(corpus.profile.family + "/")) continue;
    for (const auto& step : one.steps) {
      for (const auto& message : step.messages) {
        const json::Value* method = step.slow ? message.find("method") : nullptr;
        if (method != nullptr && method->is(Kind::string)) methods.insert(method->text());
      }
    }
  }
  return methods;
}

// By the law of the protocol on top: what the server lists, and what may be called of it.
std::shared_ptr<const Protocol> learn_protocol(const corpus::Corpus& corpus,
                                               const run::Options& options,
                                               std::shared_ptr<const judge::Law> law,
                                               const dialogue::Transcript& opening,
                                               const wire::Binding& binding,
                                               Conversation& conversation) {
  judge::Context context;
  context.dialect = corpus.profile.dialect;
  // What is wrong with its lists shows when they are asked for again.
  run::SideDialogue aside({}, {}, corpus.ledger, context);
  auto own = std::make_shared<judge::Law>(*law);
  own->catalogue =
      run::ask_for_catalogue(corpus.profile, options.allowed, opening.whole(), conversation, aside);
  std::set<std::string> named;  // by --methods
  for (const auto& [role, method] : options.roles) named.insert(method);
  auto protocol = protocol_of(std::move(own), std::move(named));
  protocol->slow = slow_methods(corpus);
  protocol->has_heads = binding.pairs_replies;
  return protocol;
}

// What comes of the first call, once the server has come up; or of one that wants a handshake.
Result<Exchange> ask_first(const Caller& caller, RecordingConversation& conversation,
                           const run::Options& options, run::Endpoint& endpoint,
                           session::Patience& patience, Capabilities* with_handshakes) {
  Exchange first = caller.ask(call(1));
  if (with_handshakes != nullptr && options.opening.messages.empty()) {
    with_handshakes->handshakes = run::wanted_handshakes({first}, endpoint.binding());
    if (!with_handshakes->handshakes.empty()) return first;
  }
  if (auto refused = refusal_without_handshake(first, options)) return *std::move(refused);
  if (auto ended = early_end(first, conversation, options)) return *std::move(ended);
  const auto was_starting = await_start(first, conversation, endpoint, options, patience);
  if (!was_starting) return was_starting.error();
  if (!*was_starting) return first;
  conversation.take_sent();
  return caller.ask(call(1));
}

void learn_round_trip(const Caller& caller, session::Patience& patience) {
  const auto begin = Clock::now();
  caller.ask(call(2));
  patience.learn_round_trip(time_since(begin));
}

corpus::RoleBindings roles_of(const corpus::Corpus& corpus, const run::Options& options) {
  corpus::RoleBindings roles = options.roles;
  for (const auto& [role, methods] : corpus.profile.roles) roles.emplace(role, methods.front());
  return roles;
}

// What is open beside each other waits for each other in vain, or is closed, where a server serves
// one connection at a time.
Result<bool> learn_connections(run::Endpoint& endpoint, RecordingConversation& conversation) {
  if (!endpoint.is_shared()) return true;
  const bool serves_several = endpoint.serves_several();
  const bool turns_others_away =
      endpoint.has_turned_away() && endpoint.turns_others_away(conversation.usual());
  if (serves_several && !turns_others_away) return true;
  endpoint.share_one_connection();
  conversation.go_on_with(endpoint.converse());
  conversation.begin_case(kFirstSharingControlId);
  dialogue::Transcript aside;
  return conversation.open(aside);
}

// Else what it makes of a message and the call behind it would be charged to the message.
void learn_joined_calls(run::Endpoint& endpoint, session::Patience& patience) {
  const auto conversation = endpoint.converse();
  dialogue::Transcript aside;
  if (!endpoint.binding().is_framing() || !conversation->open(aside)) return;
  conversation->begin_case(kFirstJoiningControlId);
  if (run::loses_joined_calls(*conversation, endpoint.control_call())) {
    patience.keep_messages_apart();
  }
  patience.forgive();
}

// What has shown it, or else what brings answers of kinds that have not come yet: those that leave
// by a way of their own where no call is looked up.
std::vector<std::string> to_ask_alone(const Traits& traits, const std::vector<std::string>& held) {
  if (!held.empty()) return {held.front()};
  const bool is_plain = !traits.protocol && !traits.is_dialect && !traits.refuses_used_ids;
  if (!is_plain || !traits.binding->is_stream()) return {};
  return {R"({"jsonrpc":"2.0","method":"jrpcheckFúzz","id":70})",
          R"({"jsonrpc":"2.0","method":1,"id":71})"};
}

void add_methods(const std::vector<std::string>& more, std::vector<std::string>& methods) {
  for (const auto& method : more) {
    if (!contains(methods, method)) {
      methods.push_back(method);
    }
  }
}

}  // namespace

const corpus::Catalogue* Capabilities::catalogue() const {
  return traits.protocol ? traits.protocol->law->catalogue.get() : nullptr;
}

Result<Capabilities> probe_capabilities(const corpus::Corpus& corpus, const run::Options& options,
                                        run::Endpoint& endpoint, session::Patience& patience,
                                        bool recognises_handshake) {
  const auto law = judge::law_of(corpus);
  if (!law) return law.error();
  dialogue::Transcript opening;
  RecordingConversation conversation(endpoint.converse());
  if (auto opened = conversation.open(opening); !opened) return opened.error();
  endpoint.note_opening(opening.events());
  conversation.begin_case(kFirstProbingControlId);
  const Caller caller(conversation, corpus.profile);
  Capabilities capabilities;
  Traits& traits = capabilities.traits;
  traits.binding = &endpoint.binding();
  const bool has_protocol = !corpus.profile.schemas.empty();
  // What is no message of a known protocol is known; of another only that more may be refused.
  traits.is_dialect = !has_protocol && !options.opening.messages.empty();
  const auto answer = ask_first(caller, conversation, options, endpoint, patience,
                                recognises_handshake ? &capabilities : nullptr);
  if (!answer) return answer.error();
  if (!capabilities.handshakes.empty()) return capabilities;
  if (!is_answer(*answer)) {
    capabilities.unanswered = answer->held_back
                                  ? "the server keeps each answer back until the next message comes"
                                  : "the server answers no call";
    return capabilities;
  }
  patience.note_first_answer();
  learn_round_trip(caller, patience);
  if (auto ok = learn_connections(endpoint, conversation); !ok) return ok.error();
  learn_joined_calls(endpoint, patience);
  traits.refuses_used_ids = refuses_used_ids(caller);
  // Which asks again under the same id.
  if (!traits.refuses_used_ids) patience.held_answers().watch();
  // One error for the whole, or silence, means that batches are not served, or not of so many.
  std::string batch = "[" + call(3);
  for (std::size_t i = 1; i < kLargeBatch; ++i) batch += "," + call(3 + i);
  batch += "]";
  traits.serves_batches = !traits.is_dialect && judge::is_message_of_client(**law, batch) &&
                          is_array(caller.ask(batch));
  patience.forgive();
  if (has_protocol) {
    traits.protocol = learn_protocol(corpus, options, *law, opening, *traits.binding, conversation);
    capabilities.roles = roles_of(corpus, options);
    traits.methods = corpus.profile.safe_methods;
  } else if (traits.is_dialect) {
    capabilities.roles = options.roles;
  } else {
    const run::RoleSearch search{corpus.profile, options.roles, options.try_roles, options.seed};
    capabilities.roles = run::discover_roles(search, conversation).methods;
  }
  for (const auto& [role, method] : capabilities.roles) add_methods({method}, traits.methods);
  if (const auto found = capabilities.roles.find("subtract"); found != capabilities.roles.end()) {
    traits.subtraction = found->second;
  }
  capabilities.vocabulary = ask_for_words(traits.methods, caller, traits);
  capabilities.probes = conversation.take_sent();
  if (auto ok = learn_limits(caller, conversation, options, capabilities); !ok) return ok.error();
  patience.forgive();
  capabilities.to_ask_alone = to_ask_alone(traits, conversation.held());
  return capabilities;
}

std::vector<std::string> seeds_from(const corpus::Corpus& corpus, const Capabilities& capabilities,
                                    const wire::Binding& binding) {
  std::vector<std::string> seeds;
  auto bindings = run::bindings_for(1, 0, capabilities.roles);
  bindings.transport = std::string(binding.name);
  const auto& protocol = capabilities.traits.protocol;
  if (protocol) {
    bindings.adopt(protocol->law->profile);
    bindings.catalogue = protocol->law->catalogue.get();
  }
  for (const auto& unbound : corpus.cases) {
    if (!corpus.applies(unbound, binding)) continue;
    // A session of its own begins or ends with something that is not said amid another.
    if (protocol && unbound.session != corpus::Case::Session::shared) continue;
    const auto bound = corpus::bind(unbound, bindings);
    if (!bound) continue;  // for want of a role, or of something in a list
    for (const auto& step : bound->steps) {
      if (step.raw) continue;
      for (const auto& message : step.messages) {
        const bool is_wanted = message.text().size() <= kMostSeedBytes &&
                               (!protocol || may_be_sent(*protocol, message.text()));
        if (is_wanted) seeds.push_back(message.text());
      }
    }
  }
  std::sort(seeds.begin(), seeds.end());
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  return seeds;
}

}  // namespace jrpcheck::fuzz
