#include <algorithm>
#include <charconv>

#include "base/contains.hpp"
#include "wire/deflate.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::wire {
namespace {

constexpr std::string_view kServerKeepsNothing = "server_no_context_takeover";
constexpr std::string_view kClientKeepsNothing = "client_no_context_takeover";
constexpr std::string_view kServerWindow = "server_max_window_bits";
constexpr std::string_view kClientWindow = "client_max_window_bits";

std::string unquoted(std::string_view value) {
  if (value.size() < 2 || value.front() != '"' || value.back() != '"') return std::string(value);
  std::string text;
  for (std::size_t i = 1; i + 1 < value.size(); ++i) {
    if (value[i] == '\\' && i + 2 < value.size()) ++i;
    text.push_back(value[i]);
  }
  return text;
}

Extension extension_of(std::string_view element) {
  Extension extension;
  extension.name = cut_off(element, ';');
  while (!element.empty()) {
    std::string_view parameter = cut_off(element, ';');
    const bool has_value = parameter.find('=') != std::string_view::npos;
    std::string name(cut_off(parameter, '='));
    if (name.empty() && !has_value) continue;
    extension.parameters.emplace_back(
        std::move(name), has_value ? std::optional(unquoted(trimmed(parameter))) : std::nullopt);
  }
  return extension;
}

// RFC 7692 §7.1.2.1: from 8 to 15, without leading zeros.
std::optional<int> window_of(const std::string& value) {
  int bits = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), bits);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == value.data() + value.size();
  if (!is_number || value.starts_with('0') || bits < 8 || bits > kLargestWindow) return {};
  return bits;
}

// Whether the parameters mean something. Only an offer may name the client's window without bits.
bool read_parameters(const Extension& extension, bool is_offer, DeflateAgreement& agreement) {
  std::vector<std::string_view> seen;
  for (const auto& [name, value] : extension.parameters) {
    if (contains(seen, name)) return false;
    seen.push_back(name);
    const bool is_window = name == kServerWindow || name == kClientWindow;
    if (!is_window) {
      if (value) return false;
      if (name == kServerKeepsNothing) {
        agreement.from_server.keeps_context = false;
      } else if (name == kClientKeepsNothing) {
        agreement.from_client.keeps_context = false;
      } else {
        return false;
      }
      continue;
    }
    if (!value && is_offer && name == kClientWindow) continue;
    const auto bits = window_of(value.value_or(""));
    if (!bits) return false;
    (name == kServerWindow ? agreement.from_server : agreement.from_client).window_bits = *bits;
  }
  return true;
}

bool has_parameter(const Extension& extension, std::string_view wanted) {
  return std::ranges::any_of(extension.parameters,
                             [wanted](const auto& each) { return each.first == wanted; });
}

// RFC 7692 §7.1.1.1, 7.1.2.1, 7.1.2.2: the wishes of the offer are kept, and the client's window
// is limited only where it said that it could be.
bool keeps_to(const Extension& offer, const Extension& chosen) {
  DeflateAgreement wished;
  DeflateAgreement agreed;
  if (!read_parameters(offer, true, wished) || !read_parameters(chosen, false, agreed)) {
    return false;
  }
  if (!wished.from_server.keeps_context && agreed.from_server.keeps_context) return false;
  if (agreed.from_server.window_bits > wished.from_server.window_bits) return false;
  if (!has_parameter(chosen, kClientWindow)) return true;
  return has_parameter(offer, kClientWindow) &&
         agreed.from_client.window_bits <= wished.from_client.window_bits;
}

}  // namespace

std::string Extension::text() const {
  std::string whole = name;
  for (const auto& [parameter, value] : parameters) {
    whole += "; " + parameter;
    if (value) whole += "=" + *value;
  }
  return whole;
}

std::vector<Extension> extensions_of(std::string_view field) {
  std::vector<Extension> all;
  while (!field.empty()) {
    const auto element = cut_off(field, ',');
    if (!element.empty()) all.push_back(extension_of(element));
  }
  return all;
}

std::optional<DeflateAgreement> deflate_agreed(std::string_view response) {
  for (const auto& extension : extensions_of(response)) {
    DeflateAgreement agreement;
    if (extension.name != kDeflateName) continue;
    if (read_parameters(extension, false, agreement)) return agreement;
  }
  return std::nullopt;
}

std::optional<DeflateAcceptance> accept_deflate(std::string_view offers) {
  for (const auto& offer : extensions_of(offers)) {
    DeflateAcceptance accepted;
    if (offer.name != kDeflateName || !read_parameters(offer, true, accepted.agreement)) continue;
    // A window for the client that is only offered is left as it is, and so is what it may keep.
    accepted.agreement.from_client = {};
    accepted.response = kDeflateName;
    const auto& wished = accepted.agreement.from_server;
    if (!wished.keeps_context) accepted.response.append("; ").append(kServerKeepsNothing);
    if (wished.window_bits != kLargestWindow || has_parameter(offer, kServerWindow)) {
      accepted.response.append("; ").append(kServerWindow).append("=");
      accepted.response += std::to_string(wished.window_bits);
    }
    return accepted;
  }
  return std::nullopt;
}

std::string why_not_agreeable(const std::vector<Extension>& offers, const Extension& chosen) {
  const auto is_named = [&](const Extension& offer) { return offer.name == chosen.name; };
  if (std::ranges::none_of(offers, is_named)) return "it was not offered";
  if (chosen.name != kDeflateName) return {};
  DeflateAgreement agreed;
  if (!read_parameters(chosen, false, agreed)) return "its parameters mean nothing";
  const bool is_wished = std::ranges::any_of(
      offers, [&](const Extension& offer) { return is_named(offer) && keeps_to(offer, chosen); });
  return is_wished ? "" : "its parameters are not those of an offer";
}

}  // namespace jrpcheck::wire
