// Asks a server whether it speaks a protocol, and in which version, before anything is judged.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "corpus/profile.hpp"
#include "dialogue/exchange.hpp"
#include "run/endpoint.hpp"
#include "run/first_calls.hpp"
#include "session/conversation.hpp"
#include "session/patience.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::run {

/// The versions that the answers to a probe name, where its profile says that they stand.
std::vector<std::string> versions_named(const dialogue::Exchange& exchange,
                                        const corpus::VersionProbe& probe);

/// Of a protocol without versions: whether an answer shows that the server speaks it.
bool shows(const dialogue::Exchange& exchange, const corpus::VersionProbe& probe);

/// Asks a server, and asks the same one once more where each conversation has a program of its own:
/// another one would have to be started.
class Prober {
 public:
  Prober(Endpoint& endpoint, session::Patience& patience, transport::Guardian& guardian)
      : endpoint_(endpoint), patience_(patience), guardian_(guardian) {}

  /// Asks a server that was just started, or on a new connection. One that keeps silent may wait
  /// for the call of the next probe: it is told that as well. The error says why it was not
  /// reached.
  Result<dialogue::Exchange> anew(const std::string& message, const corpus::VersionProbe& probe,
                                  const corpus::VersionProbe* next = nullptr);

  /// The answer of a server that has heard the probe before, or has heard another one, and says
  /// what is asked for.
  std::optional<dialogue::Exchange> again(const corpus::VersionProbe& probe);

  /// As `anew`. Who refuses the call as it is may take it with an empty folder in it.
  Result<dialogue::Exchange> with_folder_where_needed(
      const corpus::VersionProbe& probe, const std::optional<corpus::OpeningPlace>& place,
      const corpus::VersionProbe* next);

  /// What is said once the server no longer says that it still starts, or all that one says which
  /// does so for longer than anybody waits.
  Result<dialogue::Exchange> once_started(const corpus::VersionProbe& probe,
                                          const std::vector<corpus::Condition>& not_yet,
                                          Result<dialogue::Exchange> exchange);

  /// A server that says the same whatever it is asked, or echoes what it is told, says nothing.
  bool is_said_of_anything(const corpus::VersionProbe& probe);

  /// What a server answers that knows the call, for it knows no method that nobody has, and does
  /// not take it as it is.
  std::string refusal_of_what_it_knows(const corpus::VersionProbe& probe,
                                       const dialogue::Exchange& exchange);

  /// Whether it knows no method that nobody has, called with the same params.
  bool tells_methods_apart(const corpus::VersionProbe& probe);

  /// What came of the calls that `anew` has sent: each is owed a Response, whatever it is about.
  const FirstCalls& first_calls() const { return first_calls_; }

  /// Whether the call that `anew` has sent last had no answer, and another one had. It was not
  /// waited for as long as anybody would.
  bool has_left_out(const corpus::VersionProbe& probe) const { return left_out_ == probe.message; }

  /// Not empty: the call that `anew` has sent and that has had no answer, for the server ended.
  const std::string& ended_by() const { return ended_by_; }

 private:
  void keep(const std::string& call, const dialogue::Exchange& exchange,
            const dialogue::Transcript& transcript);

  // With the same params; nothing where the server is not reached.
  dialogue::Exchange ask_of_nobodys_method(const corpus::VersionProbe& probe);

  // Ids are used once.
  dialogue::Exchange ask_again(const std::string& message, const corpus::VersionProbe& probe);

  Endpoint& endpoint_;
  session::Patience& patience_;
  transport::Guardian& guardian_;
  std::unique_ptr<session::Conversation> former_;  // with the one that has answered the last call
  std::string to_next_;                            // what it has answered to the next one
  long long asked_ = 0;
  FirstCalls first_calls_;
  std::string left_out_;
  std::string ended_by_;
  bool has_heard_ = false;  // an answer to any
};

/// The events of one exchange, with its end, where nothing came.
std::vector<dialogue::Event> silence_in(const dialogue::Exchange& exchange,
                                        const dialogue::Transcript& transcript);

/// Whether what came back names a version, or shows that the protocol is spoken.
bool says_something(const dialogue::Exchange& exchange, const corpus::VersionProbe& probe);

}  // namespace jrpcheck::run
