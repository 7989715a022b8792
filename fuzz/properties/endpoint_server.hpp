// A server behind an endpoint, and what may be called on it.
#pragma once

#include <memory>
#include <string>

#include "corpus/bindings.hpp"
#include "fuzz/properties/trials.hpp"
#include "run/endpoint.hpp"
#include "run/options.hpp"
#include "session/patience.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::properties {

/// Methods in roles that change nothing and take no time.
Words words_from(const corpus::RoleBindings& roles);

/// All of them must outlive it.
std::unique_ptr<Server> make_endpoint_server(run::Endpoint& endpoint, const run::Options& options,
                                             session::Patience& patience,
                                             transport::Guardian& guardian);

}  // namespace jrpcheck::properties
