#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/bytes.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::wire {
namespace {

struct Reason {
  int status;
  std::string_view phrase;
};

constexpr Reason kReasons[] = {
    {100, "Continue"},
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {411, "Length Required"},
    {413, "Content Too Large"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
};

std::string_view reason_of(int status) {
  for (const Reason& reason : kReasons) {
    if (reason.status == status) return reason.phrase;
  }
  return "";
}

std::string message(std::string start_line, const HttpFields& fields, std::string_view body) {
  std::string text = std::move(start_line);
  text += "\r\n";
  for (const auto& [name, value] : fields) text.append(name).append(": ").append(value) += "\r\n";
  return text.append("\r\n").append(body);
}

std::string hexadecimal_text(std::size_t number) {
  std::array<char, 2 * sizeof(number)> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return {digits.data(), result.ptr};
}

}  // namespace

std::string http_request(std::string_view method, std::string_view target, const HttpFields& fields,
                         std::string_view body) {
  std::string line(method);
  line.append(" ").append(target).append(" HTTP/1.1");
  return message(std::move(line), fields, body);
}

std::string http_response(int status, const HttpFields& fields, std::string_view body) {
  std::string line = "HTTP/1.1 " + std::to_string(status) + ' ';
  line.append(reason_of(status));
  return message(std::move(line), fields, body);
}

std::string field_value_of(const std::string& text) {
  const bool is_plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; }) &&
                        !text.starts_with(' ') && !text.ends_with(' ') &&
                        !text.starts_with("=?base64?");
  return is_plain ? text : "=?base64?" + to_base64(text) + "?=";
}

std::string http_chunked(std::string_view body, std::size_t chunk_size) {
  std::string coded;
  while (!body.empty()) {
    const std::string_view chunk = body.substr(0, std::max<std::size_t>(chunk_size, 1));
    coded += http_chunk(chunk);
    body.remove_prefix(chunk.size());
  }
  return coded + http_chunk("");
}

std::string http_chunk(std::string_view data) {
  return hexadecimal_text(data.size()).append("\r\n").append(data).append("\r\n");
}

}  // namespace jrpcheck::wire
