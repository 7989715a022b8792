#include "fuzz/properties/reference_for_testing.hpp"

#include <algorithm>
#include <utility>

#include "json/parse.hpp"
#include "reference-impl/methods.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/mutated_server.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::properties {
namespace {

using reference::Behaviour;

class ReferenceExecutor : public fuzz::Executor {
 public:
  explicit ReferenceExecutor(Behaviour behaviour)
      : behaviour_(std::move(behaviour)),
        dispatcher_(
            reference::make_reference_dispatcher(behaviour_.limits.value_or(reference::Limits{}))),
        hooks_(reference::hooks_of(behaviour_)),
        framing_(hooks_.stream.framing(wire::make_lines)),
        ours_(wire::make_lines({})) {}

 private:
  Result<fuzz::Observed> do_execute(const corpus::Step& step) override {
    fuzz::Observed observed;
    std::string bytes;
    for (const auto& message : step.messages) bytes += ours_->encode(message.text());
    auto cuts = step.write_at;
    cuts.push_back(bytes.size());
    std::sort(cuts.begin(), cuts.end());
    std::size_t begin = 0;
    for (const std::size_t cut : cuts) {
      const std::size_t end = std::min(cut, bytes.size());
      if (end > begin) take(bytes.substr(begin, end - begin), observed.exchange);
      begin = std::max(begin, end);
    }
    if (observed.exchange.replies.empty() && step.demands_reply()) take_behind_call(observed);
    if (observed.exchange.replies.empty() && step.demands_reply()) {
      observed.exchange.ending = dialogue::Ending::timed_out;
      observed.exchange.detail = "no answer";
    }
    observed.survival.survival = dialogue::Survival::alive;
    return observed;
  }

  // What comes with the answer to a call that is sent for want of one.
  void take_behind_call(fuzz::Observed& observed) {
    auto& exchange = observed.exchange;
    take(ours_->encode(R"({"jsonrpc":"2.0","method":"jrpcheckControl","id":1700000000})"),
         exchange);
    std::erase_if(exchange.replies, [](const auto& reply) {
      return reply.text().find("1700000000") != std::string::npos;
    });
    if (!exchange.replies.empty()) exchange.held_until_more = "nothing before the control call";
  }

  void take(std::string piece, dialogue::Exchange& exchange) {
    if (behaviour_.arriving) piece = behaviour_.arriving(piece);
    framing_->feed(piece);
    while (const auto frame = framing_->next()) {
      if (!frame->is_message()) continue;
      for (const auto& reply : hooks_.stream.replies(dispatcher_, frame->payload)) {
        ours_->feed(framing_->encode(reply));
      }
    }
    while (const auto frame = ours_->next()) {
      if (!is_unasked(frame->payload)) exchange.replies.push_back({frame->payload, 0});
    }
  }

  // Servers may speak on their own.
  static bool is_unasked(const std::string& message) {
    const auto parsed = json::parse(message);
    return parsed && parsed.value->is(json::Kind::object) &&
           parsed.value->find("method") != nullptr;
  }

  Behaviour behaviour_;
  reference::Dispatcher dispatcher_;
  reference::TransportHooks hooks_;
  std::unique_ptr<wire::Framing> framing_;
  std::unique_ptr<wire::Framing> ours_;
};

}  // namespace

Server make_reference_for_testing(std::string_view mutant) {
  reference::Mutation behaviour = Behaviour{};
  for (const auto& list : {reference::faults(), reference::variants()}) {
    if (const auto* found = reference::find(list, mutant)) behaviour = found->behaviour;
  }
  const auto make = [behaviour] { return std::make_unique<ReferenceExecutor>(behaviour()); };
  return {make, make, wire::known_binding("lines")};
}

}  // namespace jrpcheck::properties
