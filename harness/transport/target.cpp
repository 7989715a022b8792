#include "transport/target.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>

#include "base/bytes.hpp"
#include "base/join.hpp"
#include "base/letter_case.hpp"
#include "base/percent.hpp"
#include "transport/unix_socket.hpp"

namespace jrpcheck::transport {
namespace {

Dial dial_tcp(const Target& target) {
  return [address = target.address](Deadline deadline) { return connect_tcp(address, deadline); };
}

// A file that cannot be used is an error of each connection; who asks before is told once.
Dial usable(Result<Dial> dial) {
  if (dial) return *std::move(dial);
  return [error = dial.error()](Deadline) -> Result<std::unique_ptr<ByteStream>> { return error; };
}

Dial dial_tls(const Target& target) {
  return usable(tls_over(dial_tcp(target), target.address.host, target.tls));
}

Dial dial_unix(const Target& target) {
  return [path = target.path](Deadline deadline) { return connect_unix(path, deadline); };
}

constexpr Scheme kSchemes[] = {
    {.name = "http",
     .marker = "://",
     .binding = "http",
     .port = "80",
     .dial = dial_tcp,
     .by_hand = "TCP"},
    {.name = "https",
     .marker = "://",
     .binding = "http",
     .port = "443",
     .dial = dial_tls,
     .over_tls = true,
     .door_class = "tls"},
    {.name = "ws",
     .marker = "://",
     .binding = "websocket",
     .port = "80",
     .dial = dial_tcp,
     .by_hand = "TCP"},
    {.name = "wss",
     .marker = "://",
     .binding = "websocket",
     .port = "443",
     .dial = dial_tls,
     .over_tls = true,
     .door_class = "tls"},
    {.name = "tcp", .marker = "://", .dial = dial_tcp, .by_hand = "TCP"},
    {.name = "tls", .marker = "://", .dial = dial_tls, .over_tls = true, .door_class = "tls"},
    {.name = "unix",
     .marker = ":",
     .dial = dial_unix,
     .door_class = "unix",
     .by_hand = "UNIX-CONNECT"},
};

std::string prefix_of(const Scheme& scheme) {
  return std::string(scheme.name) + std::string(scheme.marker);
}

// The first of that binding, over TLS or in the clear.
const Scheme& scheme_for(std::string_view binding, bool over_tls) {
  return *std::ranges::find_if(kSchemes, [&](const Scheme& each) {
    return each.binding == binding && each.over_tls == over_tls;
  });
}

// RFC 3986 §3.1: whatever its case.
const Scheme* scheme_of(std::string_view text) {
  const auto* found = std::ranges::find_if(kSchemes, [&](const Scheme& scheme) {
    return begins_ignoring_case(text, prefix_of(scheme));
  });
  return found == std::end(kSchemes) ? nullptr : found;
}

std::string served_schemes() { return joined(kSchemes, ", ", prefix_of); }

Error unsupported(std::string_view prefix) {
  return Error{"targets with the scheme " + std::string(prefix) +
               " are not supported by this version; " + served_schemes() +
               " and programs after -- are"};
}

Error unreadable(std::string_view text) {
  const auto scheme_end = std::min(text.find_first_of(":/?#@"), text.size());
  if (text.substr(scheme_end).starts_with("://")) {
    return unsupported(text.substr(0, scheme_end + 3));
  }
  const auto at = text.rfind('@');  // what stands before it may be a password
  const std::string shown =
      at == std::string_view::npos ? std::string(text) : "..." + std::string(text.substr(at));
  return Error{
      "'" + shown +
      "' is no target: give a URL such as http://127.0.0.1:8545/ or tcp://127.0.0.1:9000, or a "
      "program after --"};
}

bool is_port(std::string_view port) {
  int number = 0;
  const auto parsed = std::from_chars(port.data(), port.data() + port.size(), number);
  return parsed.ec == std::errc() && parsed.ptr == port.data() + port.size() && number > 0 &&
         number <= 65535;
}

// They would end the request line, or the Host field, early.
bool has_space_or_control(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c <= ' ' || c == 0x7F; });
}

// RFC 7617 §2: the credentials are user-id ":" password, and the colon is never left out.
std::string basic_authorization(std::string_view credentials) {
  std::string decoded = percent_decoded(credentials);
  if (credentials.find(':') == std::string_view::npos) decoded += ':';
  return "Basic " + to_base64(decoded);
}

// A lone user name is often a token, and as secret as a password.
std::string without_password(std::string_view credentials) {
  const auto colon = credentials.find(':');
  if (colon == std::string_view::npos) return "...@";
  return std::string(credentials.substr(0, colon)) + ":...@";
}

// host, host:port or [v6]:port
Result<TcpAddress> parse_address(std::string_view authority, std::string_view usual_port) {
  TcpAddress address;
  address.port = usual_port;
  auto rest = authority;
  if (!rest.empty() && rest.front() == '[') {
    const auto close = rest.find(']');
    if (close == std::string_view::npos) {
      return Error{"the address '" + std::string(authority) + "' lacks its closing bracket"};
    }
    address.host = rest.substr(1, close - 1);
    rest.remove_prefix(close + 1);
  } else {
    address.host = rest.substr(0, rest.find(':'));
    rest.remove_prefix(address.host.size());
  }
  if (!rest.empty()) {
    address.port = rest.substr(1);
    if (rest.front() != ':' || !is_port(address.port)) {
      return Error{"'" + std::string(rest) + "' in the address '" + std::string(authority) +
                   "' is no port: give :NUMBER"};
    }
  }
  if (address.host.empty()) {
    return Error{"the URL names no host: write http://HOST:PORT/PATH or tcp://HOST:PORT"};
  }
  return address;
}

// 0: it is of another machine, as far as its name tells.
int local_port_of(const TcpAddress& address) {
  const bool is_here =
      address.host == "localhost" || address.host == "::1" || address.host.starts_with("127.");
  int port = 0;
  const char* end = address.port.data() + address.port.size();
  const bool is_number = std::from_chars(address.port.data(), end, port).ec == std::errc();
  return is_here && is_number ? port : 0;
}

}  // namespace

std::string Target::where() const { return scheme->names_a_path() ? path : address.text(); }

Target Target::by(const wire::Binding& binding) const {
  Target target = *this;
  target.scheme = &scheme_for(binding.name, scheme->over_tls);
  return target;
}

std::string Target::url() const { return prefix_of(*scheme) + authority + path; }

std::string Target::url_of_relay(const TcpAddress& relay) const {
  const std::string root = prefix_of(scheme_for(scheme->binding, false)) + relay.text();
  return scheme->binding.empty() ? root : root + path;
}

Place Target::place() const {
  const bool is_path = scheme->names_a_path();
  return {scheme->dial(*this),
          where(),
          redacted,
          scheme->over_tls ? dial_tcp(*this) : nullptr,
          is_path ? 0 : local_port_of(address),
          is_path ? path : std::string()};
}

Dial Target::dial_otherwise(const wire::TlsDetails& details,
                            std::shared_ptr<TlsNotes> notes) const {
  if (details.is_plain) return dial_tcp(*this);
  return usable(tls_over(dial_tcp(*this), address.host, tls, details, std::move(notes)));
}

Result<bool> Target::check_tls() const {
  const auto dial = tls_over(dial_tcp(*this), address.host, tls);
  if (!dial) return dial.error();
  return true;
}

const Scheme* scheme_named(std::string_view name) {
  const auto* found =
      std::ranges::find_if(kSchemes, [&](const Scheme& each) { return each.name == name; });
  return found == std::end(kSchemes) ? nullptr : found;
}

namespace {

// unix:/path, and unix:///path as the generic syntax of URLs has it (RFC 3986 §3.2).
Result<Target> parse_path(const Scheme& scheme, std::string_view path) {
  if (path.starts_with("//")) path.remove_prefix(2);
  if (path.empty()) return Error{"the target names no socket: write unix:/PATH"};
  Target target;
  target.scheme = &scheme;
  target.path = path;
  target.redacted = prefix_of(scheme) + target.path;
  return target;
}

// What a stream has no place for.
Result<bool> check_stream(const Target& target) {
  const std::string form = prefix_of(*target.scheme) + "HOST:PORT";
  if (!target.authorization.empty()) return Error{"a stream takes no user name: write " + form};
  if (target.path != "/") {
    return Error{"'" + target.path + "' says nothing on a stream: write " + form};
  }
  if (target.address.port.empty()) return Error{"the URL names no port: write " + form};
  return true;
}

}  // namespace

Result<Target> parse_target(std::string_view text) {
  const Scheme* scheme = scheme_of(text);
  if (scheme == nullptr) return unreadable(text);
  const std::string prefix = prefix_of(*scheme);
  auto rest = text.substr(prefix.size());
  if (scheme->names_a_path()) return parse_path(*scheme, rest);
  if (has_space_or_control(rest)) {
    return Error{"the URL holds a space or a control character: write it as %XX"};
  }
  const auto whole = rest;
  rest = rest.substr(0, rest.find('#'));

  Target target;
  target.scheme = scheme;
  const auto path_begin = std::min(rest.find_first_of("/?"), rest.size());
  auto authority = rest.substr(0, path_begin);
  if (path_begin < rest.size()) {
    target.path = (rest[path_begin] == '?' ? "/" : "") + std::string(rest.substr(path_begin));
  }
  std::string user;
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    const auto credentials = authority.substr(0, at);
    if (!credentials.empty()) {
      target.authorization = basic_authorization(credentials);
      user = without_password(credentials);
    }
    authority.remove_prefix(at + 1);
  }
  auto address = parse_address(authority, scheme->port);
  // Then what was cut there may be a password, and is not to be shown.
  if (!address && whole.find('@', path_begin) != std::string_view::npos) {
    return Error{
        "the URL names no host and port before its first /, ? or #: in a user name or password "
        "they "
        "are written as %2F, %3F and %23"};
  }
  if (!address) return address.error();
  target.address = *std::move(address);
  target.authority = authority;
  if (scheme->binding.empty()) {
    if (auto ok = check_stream(target); !ok) return ok.error();
    target.path.clear();
  }
  target.redacted = prefix + user + target.authority + target.path;
  return target;
}

}  // namespace jrpcheck::transport
