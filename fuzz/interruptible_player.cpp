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

  bool send_all(const std::vector<const corpus::Step*>& steps) override {
    return !is_interrupted() && player_->send_all(steps);
  }

  std::optional<std::vector<Observed>> take_all() override {
    auto all = player_->take_all();
    if (is_interrupted()) return std::nullopt;
    return all;
  }

  bool plays_several() const override { return player_->plays_several(); }
  void start_anew() override { player_->start_anew(); }
  std::optional<pid_t> process_group() const override { return player_->process_group(); }

 private:
  static Error interruption() { return Error{run::interruption_text()}; }

  std::unique_ptr<Player> player_;
};

}  // namespace

std::unique_ptr<Player> make_interruptible(std::unique_ptr<Player> player) {
  return std::make_unique<InterruptiblePlayer>(std::move(player));
}

}  // namespace jrpcheck::fuzz
