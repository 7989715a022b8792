// What a server sets as cookies, for those who keep it out of reports.
#pragma once

#include <functional>
#include <string>

#include "base/letter_case.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::session {

/// Told the value of each Set-Cookie (RFC 6265 §4.1), from any thread; may be empty.
using TellCookie = std::function<void(const std::string&)>;

inline void tell_cookies(const wire::HttpMessage& response, const TellCookie& tell) {
  if (!tell) return;
  for (const auto& [name, value] : response.fields) {
    if (same_ignoring_case(name, "Set-Cookie")) tell(value);
  }
}

}  // namespace jrpcheck::session
