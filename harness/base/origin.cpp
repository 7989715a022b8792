#include "base/origin.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.hpp"
#include "base/letter_case.hpp"

namespace jrpcheck {
namespace {

// RFC 3986 §3.1. Empty where there is none.
std::string_view scheme_of(std::string_view uri) {
  const auto colon = uri.find(':');
  if (colon == uri.npos || colon == 0 || !is_letter(uri.front())) return {};
  const std::string_view scheme = uri.substr(0, colon);
  const bool is_scheme = std::ranges::all_of(
      scheme, [](char c) { return is_alphanumeric(c) || c == '+' || c == '-' || c == '.'; });
  return is_scheme ? scheme : std::string_view();
}

// RFC 9110 §4.2, RFC 6455 §3. Of schemes that anybody may name, and not of those of TARGET.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kUsualPorts = {
    {{"http", "80"}, {"ws", "80"}, {"https", "443"}, {"wss", "443"}}};

std::string usual_port_of(std::string_view scheme) {
  const auto* found =
      std::ranges::find(kUsualPorts, scheme, &decltype(kUsualPorts)::value_type::first);
  return found == kUsualPorts.end() ? "" : std::string(found->second);
}

// 080 is 80.
std::string_view without_zeros(std::string_view port) {
  const auto first = port.find_first_not_of('0');
  return first == port.npos ? port.substr(0, 1) : port.substr(first);
}

}  // namespace

bool names_a_server(std::string_view reference) {
  return reference.starts_with("//") || !scheme_of(reference).empty();
}

std::optional<Origin> origin_of(std::string_view uri) {
  const std::string scheme = in_lower_case(std::string(scheme_of(uri)));
  if (scheme.empty() || !uri.substr(scheme.size() + 1).starts_with("//")) return std::nullopt;
  std::string_view authority = uri.substr(scheme.size() + 3);
  authority = authority.substr(0, authority.find_first_of("/?#"));
  const auto user = authority.rfind('@');
  if (user != authority.npos) authority.remove_prefix(user + 1);
  // The colons within the brackets of an address are its own.
  const auto colon = authority.find(':', authority.starts_with('[') ? authority.find(']') : 0);
  Origin origin{scheme, in_lower_case(std::string(authority.substr(0, colon))),
                usual_port_of(scheme)};
  if (colon != authority.npos && colon + 1 < authority.size()) {
    origin.port = without_zeros(authority.substr(colon + 1));
  }
  if (origin.host.empty()) return std::nullopt;
  return origin;
}

std::optional<Origin> origin_of(std::string_view reference, const Origin& found_on) {
  if (!names_a_server(reference)) return found_on;
  if (!reference.starts_with("//")) return origin_of(reference);
  return origin_of(found_on.scheme + ":" + std::string(reference));
}

}  // namespace jrpcheck
