#include "cli/endpoint_session.hpp"

#include <algorithm>
#include <utility>

#include "cli/parse_words.hpp"
#include "cli/secrets.hpp"
#include "result/redact.hpp"
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
  if (reached) return ExitCode::ok;
  return complain(ExitCode::unreachable,
                  result::redacted(reached.error().message, secrets_of(options)));
}

}  // namespace jrpcheck::cli
