// What every command that talks to an endpoint needs beside its options.
#pragma once

#include <memory>

#include "base/result.hpp"
#include "cli/exit_code.hpp"
#include "run/endpoint.hpp"
#include "run/options.hpp"
#include "session/patience.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::cli {

/// A reached endpoint and what it needs to live; the members end in the reverse order.
struct EndpointSession {
  std::unique_ptr<transport::Guardian> guardian;
  std::unique_ptr<session::Patience> patience;
  std::unique_ptr<run::Endpoint> endpoint;
};

/// Starts or reaches the endpoint; `options` must outlive it. The error says why it is not there.
Result<bool> open_session(const run::Options& options, EndpointSession& session);

/// The same; the error has been told, and is the exit code.
ExitCode reach_endpoint(const run::Options& options, EndpointSession& session);

}  // namespace jrpcheck::cli
