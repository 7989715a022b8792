#include "fuzz/properties/endpoint_server.hpp"

#include <algorithm>

namespace jrpcheck::properties {
namespace {

class EndpointServer : public Server {
 public:
  EndpointServer(run::Endpoint& endpoint, const run::Options& options, session::Patience& patience,
                 transport::Guardian& guardian)
      : endpoint_(endpoint), options_(options), patience_(patience), guardian_(guardian) {}

  std::unique_ptr<fuzz::Player> quick_player() override {
    return fuzz::make_fast_player(endpoint_, options_, patience_, guardian_);
  }
  std::unique_ptr<fuzz::Player> careful_player() override {
    return fuzz::make_careful_player(endpoint_);
  }
  const wire::Binding& binding() const override { return endpoint_.binding(); }

 private:
  run::Endpoint& endpoint_;
  const run::Options& options_;
  session::Patience& patience_;
  transport::Guardian& guardian_;
};

}  // namespace

Words words_from(const corpus::RoleBindings& roles) {
  Words words;
  for (const auto& binding : roles) {
    const auto& [role, method] = binding;
    if (role == "state-set" || role == "state-get" || role == "slow") continue;
    const bool known = std::any_of(words.methods.begin(), words.methods.end(),
                                   [&](const auto& each) { return each.name == binding.second; });
    if (!known) words.methods.push_back({method, role});
  }
  return words;
}

std::unique_ptr<Server> make_endpoint_server(run::Endpoint& endpoint, const run::Options& options,
                                             session::Patience& patience,
                                             transport::Guardian& guardian) {
  return std::make_unique<EndpointServer>(endpoint, options, patience, guardian);
}

}  // namespace jrpcheck::properties
