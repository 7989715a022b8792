#include "result/secrets.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/ascii.hpp"
#include "base/base64.hpp"
#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "base/percent.hpp"

namespace jrpcheck::result {
namespace {

// What is shorter stands in ordinary text.
constexpr std::size_t kShortest = 6;
constexpr std::size_t kShortestOfCommand = 4;
constexpr std::size_t kShortestOfEnvironment = 8;
constexpr std::size_t kShortestRandom = 16;
constexpr std::size_t kTooLongForAWord = 24;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return contains(words, word);
}

// "X-Api-Key", "apiKey" and "API_KEY2" are x, api and key.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool fresh = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_letter(c)) {
      fresh = true;
      continue;
    }
    const bool hump = is_upper(c) && i > 0 && is_lower(name[i - 1]);
    if (fresh || hump) words.emplace_back();
    words.back().push_back(to_lower(c));
    fresh = false;
  }
  return words;
}

bool is_secret_word(std::string_view word) {
  return is_one_of(word, {"token",      "tokens",        "accesstoken",  "authtoken",   "key",
                          "apikey",     "accesskey",     "secretkey",    "privatekey",  "authkey",
                          "secret",     "secrets",       "clientsecret", "password",    "passwd",
                          "passphrase", "pass",          "passcode",     "pwd",         "pw",
                          "auth",       "authorization", "credential",   "credentials", "creds",
                          "bearer",     "cookie",        "session",      "sessionid",   "jwt",
                          "signature",  "sig",           "pat"});
}

bool is_number(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
}

void add(std::vector<Secret>& secrets, std::string_view value, std::string variable,
         std::size_t shortest = kShortest) {
  if (value.size() < shortest || (is_number(value) && value.size() < kShortestRandom)) return;
  Secret secret{std::string(value), std::move(variable)};
  if (!contains(secrets, secret)) {
    secrets.push_back(std::move(secret));
  }
}

void add_all(std::vector<Secret>& secrets, std::vector<Secret> more) {
  for (auto& each : more) add(secrets, each.value, std::move(each.variable));
}

// What an option that is named like a secret may choose among.
bool is_choice(std::string_view value) {
  return is_one_of(
      value, {"true", "false", "none", "null", "auto", "basic", "bearer", "digest", "oauth",
              "oauth2", "default", "disabled", "enabled", "required", "optional", "anonymous"});
}

// As it stands in the URL, and as a server may say it.
void add_of_url(std::vector<Secret>& secrets, std::string_view value, const std::string& variable) {
  add(secrets, value, variable);
  add(secrets, percent_decoded(value), variable);
}

void add_of_path(std::vector<Secret>& secrets, std::string_view path) {
  bool named = false;  // the segment before says that a secret follows
  std::string variable = "URL_KEY";
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    const auto segment = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (named || looks_random(segment)) add_of_url(secrets, segment, variable);
    named = names_secret(segment);
    variable = named ? variable_named(segment) : "URL_KEY";
  }
}

void add_of_query(std::vector<Secret>& secrets, std::string_view query) {
  while (!query.empty()) {
    const auto end = std::min(query.find_first_of("&;"), query.size());
    const auto pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const auto equals = pair.find('=');
    const auto name = pair.substr(0, equals);
    if (equals == std::string_view::npos) {
      if (looks_random(name)) add_of_url(secrets, name, "URL_KEY");
    } else if (names_secret(name) || looks_random(pair.substr(equals + 1))) {
      add_of_url(secrets, pair.substr(equals + 1), variable_named(name));
    }
  }
}

// "--token=xyz", "TOKEN=xyz" or, in the next argument, "--token xyz".
void add_named(std::vector<Secret>& secrets, std::string_view argument, std::string_view next) {
  const auto equals = argument.find('=');
  const auto name = argument.substr(0, equals);
  if (name.find_first_of(" /:") != std::string_view::npos || !names_secret(name)) return;
  const auto add_value = [&](std::string_view value) {
    if (!is_choice(value)) add(secrets, value, variable_named(name), kShortestOfCommand);
  };
  if (equals != std::string_view::npos) {
    add_value(argument.substr(equals + 1));
  } else if (argument.substr(0, 1) == "-" && next.substr(0, 1) != "-") {
    add_value(next);
  }
}

// "Authorization: Bearer xyz" and "X-Api-Key:xyz", as curl and its like take them.
void add_of_header_argument(std::vector<Secret>& secrets, std::string_view argument) {
  const auto colon = argument.find(':');
  if (colon == std::string_view::npos || argument.substr(colon, 3) == "://") return;
  auto name = argument.substr(0, colon);
  const auto begin = name.find_last_of(" ='\"");
  if (begin != std::string_view::npos) name.remove_prefix(begin + 1);
  if (name.substr(0, 2) == "-H") name.remove_prefix(2);
  const auto value = argument.find_first_not_of(' ', colon + 1);
  if (value == std::string_view::npos || !names_secret(name)) return;
  add_all(secrets, secrets_of_header(name, argument.substr(value)));
}

// A named value in quotes, within JSON or the source of a program: {"token":"xyz"},
// headers={'Authorization': 'Bearer xyz'}. What stands there without quotes may be any expression.
void add_of_literals(std::vector<Secret>& secrets, std::string_view argument) {
  constexpr std::string_view kQuotes = "'\"`";
  constexpr std::string_view kBetween = " \t\\";
  for (auto sign = argument.find_first_of(":="); sign != std::string_view::npos;
       sign = argument.find_first_of(":=", sign + 1)) {
    auto name = argument.substr(0, sign);
    name = name.substr(0, name.find_last_not_of(" \t\\'\"`]") + 1);
    const auto before = name.find_last_of(" \t\n\\'\"`({[,;&?.$");
    name.remove_prefix(before == std::string_view::npos ? 0 : before + 1);
    const auto open = argument.find_first_not_of(kBetween, sign + 1);
    if (open == std::string_view::npos || !names_secret(name)) continue;
    if (kQuotes.find(argument[open]) == std::string_view::npos) continue;
    const bool is_escaped = open > 0 && argument[open - 1] == '\\';
    auto close = argument.find(argument[open], open + 1);
    while (!is_escaped && close != std::string_view::npos && argument[close - 1] == '\\') {
      close = argument.find(argument[open], close + 1);
    }
    close = std::min(close, argument.size());
    auto value = argument.substr(open + 1, close - open - 1);
    while (value.ends_with('\\')) value.remove_suffix(1);
    if (!is_choice(value)) add_all(secrets, secrets_of_header(name, value));
  }
}

// The words of a script, as in sh -c 'API_TOKEN=xyz exec server --key "abc"': quotes hold a word
// together and go (Shell Command Language §2.2), operators end it.
std::vector<std::string> words_of_script(std::string_view script) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (std::size_t i = 0; i < script.size(); ++i) {
    const char c = script[i];
    if (c == '\\' && quote != '\'' && i + 1 < script.size()) {
      word += script[++i];
    } else if (quote != 0 ? c == quote : c == '\'' || c == '"') {
      quote = quote != 0 ? 0 : c;
    } else if (quote == 0 && std::string_view(" \t\r\n;|&()<>").find(c) != std::string_view::npos) {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return words;
}

// "me:xyz", as --user takes it.
void add_of_user(std::vector<Secret>& secrets, std::string_view option, std::string_view value) {
  if (!is_one_of(option, {"-u", "--user", "--proxy-user"})) return;
  const auto colon = value.find(':');
  if (colon != std::string_view::npos) {
    add(secrets, value.substr(colon + 1), "PASSWORD", kShortestOfCommand);
  }
}

void add_of_urls(std::vector<Secret>& secrets, std::string_view argument) {
  for (auto at = argument.find("://"); at != std::string_view::npos;
       at = argument.find("://", at + 3)) {
    const auto end = std::min(argument.find_first_of(" '\"<>", at), argument.size());
    add_all(secrets, secrets_of_url(argument.substr(at, end - at)));
  }
}

}  // namespace

bool is_public_header(std::string_view name) {
  constexpr std::string_view kPublic[] = {"accept",
                                          "accept-encoding",
                                          "accept-language",
                                          "cache-control",
                                          "connection",
                                          "content-encoding",
                                          "content-length",
                                          "content-type",
                                          "expect",
                                          "host",
                                          "mcp-method",
                                          "mcp-name",
                                          "mcp-protocol-version",
                                          "origin",
                                          "pragma",
                                          "sec-websocket-extensions",
                                          "sec-websocket-key",
                                          "sec-websocket-protocol",
                                          "sec-websocket-version",
                                          "te",
                                          "transfer-encoding",
                                          "upgrade",
                                          "user-agent"};
  return contains(kPublic, in_lower_case(name));
}

bool names_secret(std::string_view name) {
  auto words = words_of(name);
  if (name == "PWD" || name == "OLDPWD") return false;  // the folder that a shell is in
  if (words.size() > 1 && is_one_of(words.back(), {"base", "value", "string"})) words.pop_back();
  return !words.empty() && is_secret_word(words.back());
}

bool looks_random(std::string_view text) {
  std::size_t digits = 0;
  std::size_t uppers = 0;
  std::size_t lowers = 0;
  bool separated = false;
  for (const char c : text) {
    digits += is_digit(c) ? 1 : 0;
    uppers += is_upper(c) ? 1 : 0;
    lowers += is_lower(c) ? 1 : 0;
    separated = separated || c == '-' || c == '_' || c == '.';
    const bool usual =
        is_alphanumeric(c) || std::string_view("-_.~%+=:").find(c) != std::string_view::npos;
    if (!usual) return false;
  }
  if (text.size() < kShortestRandom) return false;
  if (digits > 1 && uppers + lowers > 0) return true;
  if (digits == text.size()) return true;
  return text.size() >= kTooLongForAWord && (!separated || (uppers > 2 && lowers > 2));
}

std::string variable_named(std::string_view name) {
  std::string variable;
  for (const char c : name) {
    if (is_alphanumeric(c)) {
      variable += to_upper(c);
    } else if (!variable.empty() && variable.back() != '_') {
      variable += '_';
    }
  }
  while (!variable.empty() && variable.back() == '_') variable.pop_back();
  if (variable.empty() || is_digit(variable.front())) variable.insert(0, "SECRET_");
  return variable;
}

std::vector<Secret> secrets_of_cookie(std::string_view set_cookie) {
  return secrets_of_header("Cookie", set_cookie.substr(0, set_cookie.find(';')));
}

std::vector<Secret> secrets_of_header(std::string_view name, std::string_view value) {
  std::vector<Secret> secrets;
  if (is_public_header(name)) return secrets;
  if (same_ignoring_case(name, "Set-Cookie")) return secrets_of_cookie(value);
  const std::string variable = variable_named(name);
  add(secrets, value, variable);
  // Schemes end in a space, cookies in a semicolon, and their names in an equals sign, which also
  // pads base64: what begins behind one of these counts, with all that follows up to a separator.
  for (std::size_t i = 0; i + 1 < value.size(); ++i) {
    if (std::string_view(" ;=").find(value[i]) == std::string_view::npos) continue;
    add(secrets, value.substr(i + 1, value.find_first_of(" ;", i + 1) - i - 1), variable);
  }
  // A server may say again in clear what it was told in base64 (RFC 7617 §2).
  constexpr std::string_view kBasic = "basic ";
  if (in_lower_case(std::string(value.substr(0, kBasic.size()))) == kBasic) {
    const auto login = from_base64(value.substr(kBasic.size()));
    const auto colon = login ? login->find(':') : std::string::npos;
    if (colon != std::string::npos) add(secrets, login->substr(colon + 1), variable);
  }
  return secrets;
}

std::vector<Secret> secrets_of_url(std::string_view url) {
  std::vector<Secret> secrets;
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos) {
    url.remove_prefix(scheme + 3);
    const auto end = std::min(url.find_first_of("/?#"), url.size());
    const auto at = url.substr(0, end).rfind('@');
    if (at != std::string_view::npos) {
      const auto credentials = url.substr(0, at);
      const auto colon = credentials.find(':');
      add_of_url(secrets,
                 colon == std::string_view::npos ? credentials : credentials.substr(colon + 1),
                 "URL_PASSWORD");
    }
    url.remove_prefix(end);
  }
  url = url.substr(0, url.find('#'));
  const auto query = std::min(url.find('?'), url.size());
  add_of_path(secrets, url.substr(0, query));
  if (query < url.size()) add_of_query(secrets, url.substr(query + 1));
  return secrets;
}

namespace {

constexpr int kMostScripts = 3;

std::vector<Secret> secrets_within(const std::vector<std::string>& arguments, int depth) {
  std::vector<Secret> secrets;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    // sh -c, bash -lc: what follows is no value but a script.
    const bool is_script =
        i > 0 && arguments[i - 1].starts_with('-') && arguments[i - 1].ends_with('c');
    if (!is_script) {
      add_named(secrets, argument, i + 1 < arguments.size() ? arguments[i + 1] : "");
    }
    add_of_user(secrets, argument, i + 1 < arguments.size() ? arguments[i + 1] : "");
    add_of_header_argument(secrets, argument);
    add_of_literals(secrets, argument);
    add_of_urls(secrets, argument);
    // A word within a word may be a script in its turn.
    const auto words = words_of_script(argument);
    if (words.size() > 1 && depth < kMostScripts) {
      add_all(secrets, secrets_within(words, depth + 1));
    }
  }
  return secrets;
}

}  // namespace

std::vector<Secret> secrets_of_command(const std::vector<std::string>& arguments) {
  return secrets_within(arguments, 0);
}

std::vector<Secret> secrets_of_environment(
    const std::vector<std::pair<std::string, std::string>>& variables) {
  std::vector<Secret> secrets;
  for (const auto& [name, value] : variables) {
    std::error_code unknown;
    if (names_secret(name) && !std::filesystem::exists(value, unknown)) {
      add(secrets, value, name, kShortestOfEnvironment);
    }
    add_of_urls(secrets, value);
  }
  return secrets;
}

}  // namespace jrpcheck::result
