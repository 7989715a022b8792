#include "cli/endpoint_session.hpp"

#include <algorithm>
#include <utility>

#include "base/interruption.hpp"
#include "cli/parse_words.hpp"
#include "cli/secrets.hpp"
#include "cli/signals.hpp"
#include "result/redact.hpp"
#include "run/runner.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::cli {

Result<bool> open_session(const run::Options& options, EndpointSession& session) {
  transport::ignore_broken_pipes();
  auto guardian = transport::Guardian::start();  // forks, so before any thread
  if (!guardian) return guardian.error();
  heed_interruptions();
  take_file_limits_for_errors();
  session.guardian = *std::move(guardian);
  session.patience = std::make_unique<session::Patience>(options.timeout, options.start_bound());
  if (session.end) session.patience->end_at(*session.end);
  session.endpoint = run::make_endpoint(options, *session.patience, *session.guardian);
  auto reached = session.endpoint->reach();
  if (is_interrupted()) return Error{run::interruption_text() + " before the target was reached"};
  return reached;
}

ExitCode complain_unreached(const run::Options& options, const Error& error) {
  complain(ExitCode::unreachable, result::redacted(error.message, secrets_of(options)));
  return is_interrupted() ? interrupted_code() : ExitCode::unreachable;
}

}  // namespace jrpcheck::cli
