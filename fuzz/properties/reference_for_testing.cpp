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

class ReferencePlayer : public fuzz::Player {
 public:
  explicit ReferencePlayer(Behaviour behaviour)
      : behaviour_(std::move(behaviour)),
        dispatcher_(
            reference::make_reference_dispatcher(behaviour_.limits.value_or(reference::Limits{}))),
        hooks_(reference::hooks_of(behaviour_)),
        framing_(hooks_.stream.framing(wire::make_lines)),
        ours_(wire::make_lines({})) {}

  Result<fuzz::Observed> play(const corpus::Step& step) override {
    fuzz::Observed observed;
    std::string bytes;
    for (const auto& message : step.messages) bytes += ours_->encode(message);
    auto cuts = step.write_at;
    cuts.push_back(bytes.size());
    std::sort(cuts.begin(), cuts.end());
    std::size_t begin = 0;
    for (const std::size_t cut : cuts) {
      const std::size_t end = std::min(cut, bytes.size());
      if (end > begin) take(bytes.substr(begin, end - begin), observed.exchange);
      begin = std::max(begin, end);
    }
    if (observed.exchange.replies.empty() && step.demands_reply()) {
      observed.exchange.ending = dialogue::Ending::timed_out;
      observed.exchange.detail = "no answer";
    }
    observed.survival.survival = dialogue::Survival::alive;
    return observed;
  }

 private:
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

class Reference : public Server {
 public:
  explicit Reference(reference::Mutation behaviour) : behaviour_(std::move(behaviour)) {}

  std::unique_ptr<fuzz::Player> quick_player() override { return careful_player(); }
  std::unique_ptr<fuzz::Player> careful_player() override {
    return std::make_unique<ReferencePlayer>(behaviour_());
  }
  const wire::Binding& binding() const override { return wire::known_binding("lines"); }

 private:
  reference::Mutation behaviour_;
};

}  // namespace

std::unique_ptr<Server> make_reference_for_testing(std::string_view mutant) {
  for (const auto& list : {reference::faults(), reference::variants()}) {
    if (const auto* found = reference::find(list, mutant)) {
      return std::make_unique<Reference>(found->behaviour);
    }
  }
  return std::make_unique<Reference>(Behaviour{});
}

}  // namespace jrpcheck::properties
