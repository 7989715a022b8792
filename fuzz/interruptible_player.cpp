#include "fuzz/interruptible_player.hpp"

#include <utility>

#include "base/interruption.hpp"
#include "run/runner.hpp"

namespace jrpcheck::fuzz {
namespace {

class InterruptiblePlayer : public Player {
 public:
  explicit InterruptiblePlayer(std::unique_ptr<Player> player) : player_(std::move(player)) {}

  Result<Observed> play(const corpus::Step& step) override {
    if (is_interrupted()) return interruption();
    auto observed = player_->play(step);
    if (is_interrupted()) return interruption();
    return observed;
  }

  std::optional<std::vector<Observed>> play_all(
      const std::vector<const corpus::Step*>& steps) override {
    if (is_interrupted()) return std::nullopt;
    auto all = player_->play_all(steps);
    if (is_interrupted()) return std::nullopt;
    return all;
  }

  bool plays_several() const override { return player_->plays_several(); }

 private:
  static Error interruption() { return Error{run::interruption_text()}; }

  std::unique_ptr<Player> player_;
};

}  // namespace

std::unique_ptr<Player> make_interruptible(std::unique_ptr<Player> player) {
  return std::make_unique<InterruptiblePlayer>(std::move(player));
}

}  // namespace jrpcheck::fuzz
