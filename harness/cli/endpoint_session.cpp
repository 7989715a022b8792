#include "cli/endpoint_session.hpp"

#include <algorithm>
#include <utility>

#include "cli/parse_words.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::cli {

Result<bool> open_session(const run::Options& options, EndpointSession& session) {
  transport::ignore_broken_pipes();
  auto guardian = transport::Guardian::start();  // forks, so before any thread
  if (!guardian) return guardian.error();
  session.guardian = *std::move(guardian);
  session.patience = std::make_unique<session::Patience>(options.timeout, options.start_bound());
  session.endpoint = run::make_endpoint(options, *session.patience, *session.guardian);
  return session.endpoint->reach();
}

ExitCode reach_endpoint(const run::Options& options, EndpointSession& session) {
  const auto reached = open_session(options, session);
  return reached ? ExitCode::ok : complain(ExitCode::unreachable, reached.error().message);
}

}  // namespace jrpcheck::cli
