#include "wire/oauth.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "base/bytes.hpp"
#include "base/join.hpp"
#include "base/percent.hpp"

namespace jrpcheck::wire {
namespace {

std::string decoded(std::string_view text) {
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), '+', ' ');
  return percent_decoded(plain);
}

std::string_view take_until(char separator, std::string_view& text) {
  const auto end = text.find(separator);
  const auto taken = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return taken;
}

}  // namespace

Parameters read_parameters(std::string_view text) {
  Parameters all;
  while (!text.empty()) {
    std::string_view value = take_until('&', text);
    if (value.empty()) continue;
    const auto name = take_until('=', value);
    all.emplace_back(decoded(name), decoded(value));
  }
  return all;
}

std::string write_parameters(const Parameters& parameters) {
  return joined(parameters, "&", [](const auto& each) {
    return percent_encoded(each.first) + "=" + percent_encoded(each.second);
  });
}

std::optional<std::string> parameter(const Parameters& parameters, std::string_view name) {
  for (const auto& [each, value] : parameters) {
    if (each == name) return value;
  }
  return std::nullopt;
}

std::string pkce_challenge(std::string_view verifier) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(verifier.data(), verifier.size(), digest.data(), &size, EVP_sha256(), nullptr);
  // Base64url without padding (RFC 7636 §A).
  std::string text = to_base64(std::string(digest.begin(), digest.begin() + size));
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  std::erase(text, '=');
  return text;
}

}  // namespace jrpcheck::wire
