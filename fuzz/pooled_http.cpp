#include "fuzz/pooled_http.hpp"

#include <optional>
#include <utility>

#include "session/http_pool.hpp"

namespace jrpcheck::fuzz {
namespace {

constexpr std::size_t kGroups = 2;

// What is sent by itself, and what a group has left unclear, is a matter for a conversation.
class PooledExecutor : public Executor {
 public:
  PooledExecutor(run::Endpoint& endpoint, run::HttpAccess access, session::Patience& patience)
      : alone_(make_unpipelined_executor(endpoint)),
        pool_(std::move(access.peer), std::move(access.settings), patience) {}

  // What is answered first makes room for the next, while the server has the others to work on.
  std::size_t most_together() const override { return session::HttpPool::kConnections / kGroups; }
  std::size_t most_groups() const override { return kGroups; }
  std::optional<pid_t> process_group() const override { return alone_->process_group(); }

 private:
  Result<Observed> do_execute(const corpus::Step& step) override { return alone_->execute(step); }

  bool do_send_all(const std::vector<const corpus::Step*>& steps, std::optional<Cut>) override {
    return pool_.send_all(steps);
  }

  std::optional<std::vector<Observed>> do_take_all() override {
    auto exchanges = pool_.take_all();
    if (!exchanges) return std::nullopt;
    std::vector<Observed> all(exchanges->size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].exchange = std::move((*exchanges)[i]);
      const bool is_settled = all[i].exchange.ending == dialogue::Ending::settled;
      if (is_settled) all[i].survival.survival = dialogue::Survival::alive;
    }
    return all;
  }

  std::unique_ptr<Executor> alone_;
  session::HttpPool pool_;
};

}  // namespace

std::unique_ptr<Executor> make_pooled_executor(run::Endpoint& endpoint, run::HttpAccess access,
                                               session::Patience& patience) {
  return std::make_unique<PooledExecutor>(endpoint, std::move(access), patience);
}

}  // namespace jrpcheck::fuzz
