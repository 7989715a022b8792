#include "cli/endpoint_session.hpp"

#include <unistd.h>

#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/bytes.hpp"
#include "base/interruption.hpp"
#include "cli/parse_words.hpp"
#include "cli/signals.hpp"
#include "result/redact.hpp"
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

std::vector<result::Secret> secrets_of_own_environment() {
  std::vector<std::pair<std::string, std::string>> variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string word(*each);
    const auto equals = word.find('=');
    if (equals != std::string::npos)
      variables.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return result::secrets_of_environment(variables);
}

std::vector<result::Secret> secrets_of(const run::Options& options) {
  std::vector<result::Secret> secrets;
  const auto add = [&secrets](std::vector<result::Secret> more) {
    secrets.insert(secrets.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
  };
  for (const auto& [name, value] : options.headers) add(result::secrets_of_header(name, value));
  if (options.target) {
    add(result::secrets_of_header("Authorization", options.target->authorization));
    add(result::secrets_of_url(options.target_text));
  }
  if (options.command.empty()) return secrets;
  add(result::secrets_of_command(options.command));
  add(secrets_of_own_environment());
  return secrets;
}

ExitCode complain_unreached(const run::Options& options, const Error& error) {
  complain(ExitCode::unreachable, result::redacted(error.message, secrets_of(options)));
  return is_signalled() ? interrupted_code() : ExitCode::unreachable;
}

}  // namespace jrpcheck::cli
