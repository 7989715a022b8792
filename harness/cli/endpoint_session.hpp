// What every command that talks to an endpoint needs beside its options.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "cli/exit_code.hpp"
#include "result/run.hpp"
#include "run/endpoint.hpp"
#include "run/options.hpp"
#include "session/patience.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::cli {

/// Says on standard error what was started and cannot be ended.
void name_what_is_left(const transport::Guardian& guardian);

/// What comes before anything is started: who ends it if this process does not, which forks, and so
/// before any thread; and what signals do from here on. Throws where it cannot be.
std::unique_ptr<transport::Guardian> guard_what_is_started();

/// A reached endpoint and what it needs to live; the members end in the reverse order.
struct EndpointSession {
  EndpointSession() = default;
  EndpointSession(const EndpointSession&) = delete;
  EndpointSession& operator=(const EndpointSession&) = delete;
  ~EndpointSession() {
    endpoint.reset();
    if (guardian) name_what_is_left(*guardian);
  }

  std::unique_ptr<transport::Guardian> guardian;
  std::unique_ptr<session::Patience> patience;
  std::unique_ptr<run::Endpoint> endpoint;
  /// Without an endpoint: as what the target ended that was asked which protocol it speaks.
  result::RunVerdict ending = result::RunVerdict::unreachable;
};

/// Starts or reaches the endpoint; `options` must outlive it. From here on signals are heeded. The
/// error says why it is not there: that an interruption came first, for one. Throws where jrpcheck
/// itself lacks what it takes.
Result<bool> open_session(const run::Options& options, EndpointSession& session);

/// What an interruption came before; of one by --max-time also what was the trouble until then.
std::string interrupted_before(const std::string& what, const std::string& trouble);
/// The second half of open_session, behind guard_what_is_started: this call tells whether the
/// server serves.
Result<bool> reach(const run::Options& options, EndpointSession& session,
                   session::ControlCall call);

/// Tells why the target was not reached, and gives the exit code for that.
ExitCode complain_unreached(const Error& error);

}  // namespace jrpcheck::cli
