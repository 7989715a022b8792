#include "cli/endpoint_session.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "base/bytes.hpp"
#include "base/interruption.hpp"
#include "cli/parse_words.hpp"
#include "cli/signals.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::cli {

void name_what_is_left(const transport::Guardian& guardian) {
  const std::string left = guardian.left_behind();
  if (!left.empty()) complain(ExitCode::internal, "these could not be ended: " + to_visible(left));
}

std::unique_ptr<transport::Guardian> guard_what_is_started() {
  transport::ignore_broken_pipes();
  auto guardian = transport::Guardian::start();
  if (!guardian) throw std::runtime_error(guardian.error().message);
  heed_interruptions();
  take_file_limits_for_errors();
  return *std::move(guardian);
}

Result<bool> open_session(const run::Options& options, EndpointSession& session) {
  session.guardian = guard_what_is_started();
  return reach(options, session, run::unknown_control_call());
}

std::string interrupted_before(const std::string& what, const std::string& trouble) {
  const std::string text = interruption_text() + " before " + what;
  // Of what a signal has cut off nothing can be told.
  const bool is_known = trouble == interruption_text();
  return trouble.empty() || is_known || is_signalled() ? text : text + ": " + trouble;
}

Result<bool> reach(const run::Options& options, EndpointSession& session,
                   session::ControlCall call) {
  session.patience = std::make_unique<session::Patience>(options.timeout, options.start_bound());
  session.endpoint = run::make_endpoint(options, *session.patience, *session.guardian);
  session.endpoint->use_control_call(std::move(call));
  auto reached = session.endpoint->reach();
  if (!is_interrupted()) return reached;
  return Error{
      interrupted_before("the target was reached", reached ? "" : reached.error().message)};
}

ExitCode complain_unreached(const Error& error) {
  complain(ExitCode::unreachable, error.message);
  return is_signalled() ? interrupted_code() : ExitCode::unreachable;
}

}  // namespace jrpcheck::cli
