// What a user asks of a run.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "corpus/bindings.hpp"
#include "corpus/corpus.hpp"
#include "result/run.hpp"
#include "run/first_calls.hpp"
#include "session/conversation.hpp"
#include "session/cookies.hpp"
#include "session/patience.hpp"
#include "transport/empty_folder.hpp"
#include "transport/target.hpp"
#include "wire/binding.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::run {

/// What has been waited for in vain already.
struct Silence {
  microseconds waited{0};
  std::string seen;  ///< of the server meanwhile, in words
};

struct FoundFraming {
  const wire::Binding* binding = nullptr;  ///< null: none has been found
  microseconds until_answer{0};  ///< since the connection was made; 0 where nothing was answered
};

/// By the name of a binding, what is said first to see which framing a server speaks: some keep
/// silent, or end, before a handshake of theirs.
using Greetings = std::multimap<std::string, std::string, std::less<>>;

struct Options {
  std::optional<transport::Target> target;  ///< absent: the command is a program on stdio
  std::string target_text;                  ///< as the user wrote it, with what is secret
  std::vector<std::string> command;         ///< empty: the target is run by somebody else
  const wire::Binding* framing = nullptr;   ///< absent: found out
  FoundFraming heard_in;                  ///< by who found out what is spoken; not looked for again
  wire::HttpFields headers;               ///< --header
  std::vector<std::string> subprotocols;  ///< --subprotocol
  session::Opening opening;
  Greetings greetings;                               ///< to a program on stdio, each by itself
  std::optional<corpus::OpeningPlace> folder_place;  ///< of the protocol
  std::optional<corpus::OpeningPlace> own_options;   ///< of the protocol
  /// Further ones were closed or refused at once while others of ours were open.
  bool one_connection_at_a_time = false;
  bool gives_folders = false;  ///< to each program that is started, one of its own
  std::shared_ptr<const transport::EmptyFolder>
      folder;  ///< that a server is given to which all connections lead; null: it needs none
  bool batches_optional = false;   ///< the protocol has none
  corpus::HttpHabits http_habits;  ///< of the protocol
  std::set<std::string>
      allowed;  ///< --allow: names of what may be called although it may have effects
  corpus::RoleBindings roles;  ///< --methods
  bool try_roles = true;       ///< the methods of `roles` are tried before they are believed
  corpus::Selection selection;
  std::optional<result::Shard> shard;  ///< of the selected cases; absent: all
  std::set<std::string> flaky;         ///< ids of cases that are tried again where they fail
  microseconds timeout = milliseconds(5000);
  std::optional<microseconds> start_timeout;  ///< --start-timeout
  int jobs = 0;                               ///< 0: as many as suit the transport
  unsigned long long seed = 0;
  Silence silence;
  FirstCalls first_calls = {};  ///< those that found out which protocol the server speaks
  /// Told in a few words what is met, while nothing is known of it yet; may be empty.
  std::function<void(const std::string&)> tell_seen = nullptr;
  /// Told once what it may be instead, and what to type then, while it is still waited for; may be
  /// empty.
  std::function<void(const std::string&)> tell_guess = nullptr;
  /// Told when a server answers that kept silent while its protocol was looked for: which one it
  /// speaks can be asked now, and the run ends.
  std::function<void()> answers_after_all = nullptr;
  /// Told what the server sets as cookies: it may say that in its answers as well.
  session::TellCookie tell_cookie = nullptr;

  /// How long a program may take to come up. Whoever wants answers in a tenth of a second does not
  /// wait a minute for a program that never says anything, unless that is asked for. What somebody
  /// else runs has come up already.
  microseconds start_bound() const {
    constexpr int kTimeouts = 12;
    if (command.empty()) return start_timeout.value_or(timeout);
    return start_timeout.value_or(
        std::min<microseconds>(session::Patience::kStartUp, kTimeouts * timeout));
  }
};

/// Over what messages travel, for reports: "http", "stdio".
inline std::string_view transport_of(const Options& options) {
  return options.target ? options.target->scheme->name : transport::kOfPrograms;
}

/// What a run begins with, in words: "starting node", "asking http://127.0.0.1:8545/".
std::string beginning_of(const Options& options);

/// What the user has not said, the profile of the protocol says.
inline void adopt(const corpus::Profile& profile, Options& options) {
  if (options.opening.messages.empty()) options.opening.messages = profile.opening;
  options.opening.answers = profile.answers;
  if (profile.empty_folder) options.folder_place = profile.empty_folder;
  if (profile.own_options) options.own_options = profile.own_options;
  // An opening of another protocol that was asked for is sent as that has it.
  if (options.opening.messages == profile.opening || !profile.http.empty()) {
    options.http_habits = profile.http;
  }
  if (options.framing == nullptr) options.framing = wire::binding_named(profile.framing);
  options.batches_optional = options.batches_optional || profile.batches_optional;
}

/// The same with the profile of that name; false where none of that name has an opening.
bool adopt_opening(std::string_view profile, Options& options);

}  // namespace jrpcheck::run
