// What of a command line, a URL, a header or the environment is a secret, as far as its name or its
// looks tell.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jrpcheck::result {

/// A text that no report may hold, and the variable that a person sets to it to use a command that
/// names it.
struct Secret {
  std::string value;
  std::string variable;

  bool operator==(const Secret&) const = default;
};

/// Of the value of a header: the whole, and its parts ("Bearer xyz" gives xyz too, and a cookie its
/// value, without its attributes). Values that stand in ordinary text are left out, because they
/// are short or because the header says what everybody says (Content-Type): to replace them would
/// falsify the evidence.
std::vector<Secret> secrets_of_header(std::string_view name, std::string_view value);

/// Of the value of Set-Cookie: that of the cookie, without its attributes (RFC 6265 §4.1.1).
std::vector<Secret> secrets_of_cookie(std::string_view set_cookie);

/// Of a URL: the password or the lone user, values of the query whose names say so, and whatever in
/// path and query is too long and too random to be a word, such as the keys of providers.
std::vector<Secret> secrets_of_url(std::string_view url);

/// Of the arguments of a program: --token xyz, --api-key=xyz, PASSWORD=xyz, headers and URLs.
std::vector<Secret> secrets_of_command(const std::vector<std::string>& arguments);

/// Of environment variables: those whose names say so.
std::vector<Secret> secrets_of_environment(
    const std::vector<std::pair<std::string, std::string>>& variables);

/// Whether a header says what everybody says.
bool is_public_header(std::string_view name);

/// Whether a name is that of a secret: token, apiKey, CLIENT_SECRET, x-auth.
bool names_secret(std::string_view name);

/// Whether a text is too long and too random to be a word.
bool looks_random(std::string_view text);

/// A name as the name of an environment variable: X_API_KEY.
std::string variable_named(std::string_view name);

}  // namespace jrpcheck::result
