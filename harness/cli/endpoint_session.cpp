#include "cli/endpoint_session.hpp"

#include <utility>

#include "cli/parse_words.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::cli {

ExitCode reach_endpoint(const run::Options& options, EndpointSession& session) {
  transport::ignore_broken_pipes();
  auto guardian = transport::Guardian::start();  // forks, so before any thread
  if (!guardian) return complain(ExitCode::internal, guardian.error().message);
  session.guardian = *std::move(guardian);
  session.patience = std::make_unique<session::Patience>(options.timeout, options.start_bound());
  session.endpoint = run::make_endpoint(options, *session.patience, *session.guardian);
  const auto reached = session.endpoint->reach();
  return reached ? ExitCode::ok : complain(ExitCode::unreachable, reached.error().message);
}

}  // namespace jrpcheck::cli
