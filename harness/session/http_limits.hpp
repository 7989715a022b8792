// Servers that limit how often they are called: what says so, and how long is waited for the next
// call.
#pragma once

#include <optional>

#include "dialogue/exchange.hpp"
#include "session/patience.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::session {

inline constexpr int kTriesWithinLimits = 5;

/// From here on a status says that the request was refused, or has failed (RFC 9110 §15).
inline constexpr int kFirstRefusal = 400;

/// What asks for a login (RFC 9110 §15.5.2).
inline constexpr int kUnauthorized = 401;

/// 429 says that there were too many calls, whoever sees it (RFC 6585 §4); 503 where no Response
/// comes with it.
bool is_limit(int status, bool has_object);
/// Whether a reply is an Object, of those behind the first so many.
bool holds_object(const dialogue::Exchange& exchange, std::size_t known = 0);
bool is_limit(const dialogue::Exchange& exchange);

/// Whatever is refused so is not refused for what it says (RFC 6585 §4).
bool has_429(const dialogue::Exchange& exchange);

/// Whoever calls is refused, in words of HTTP alone: no login, no payment, no right (RFC 9110
/// §15.5.2 to §15.5.4).
bool keeps_out(const dialogue::Exchange& exchange);

/// What one conversation waits for limits.
class HttpLimits {
 public:
  void note_served() { refused_in_a_row_ = 0; }
  /// How long to wait before the same is asked again; nothing where it has been enough. 503 (RFC
  /// 9110 §15.6.4) says: not yet; so does 429, and both may say when.
  std::optional<microseconds> wait_after(const wire::HttpMessage& refusal);
  /// How long to wait between a call that is served and what is asked again behind it.
  microseconds pause(int round);
  /// A call that asks for nothing has been refused for one.
  bool have_been_met() const { return have_been_met_; }

 private:
  // To wait, in all. Whoever says when, and serves then, would else be asked half of what there is.
  microseconds left_ = milliseconds(40'000);
  microseconds left_of_what_is_told_ = milliseconds(120'000);
  int refused_in_a_row_ = 0;
  bool have_been_met_ = false;
};

}  // namespace jrpcheck::session
