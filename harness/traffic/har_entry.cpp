#include "traffic/har_entry.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <utility>

#include "base/base64.hpp"
#include "base/letter_case.hpp"
#include "json/parse.hpp"
#include "json/parts.hpp"
#include "traffic/capture_line_formats.hpp"

namespace jrpcheck::traffic {
namespace {

using dialogue::Side;
using json::Kind;
using json::Value;

std::string read_of_head(std::string_view text) { return read_text(text, kMostInAHarHead); }

struct Wanted {
  std::string_view name;
  std::string_view* text;
};

// All that is wanted of an Object in one pass; of one name the last, as Value::find has it.
void find_members(std::string_view object, std::initializer_list<Wanted> wanted) {
  for (json::Parts parts(object); parts.next();) {
    for (const auto& each : wanted) {
      if (parts.is_named(each.name)) *each.text = parts.text();
    }
  }
}

wire::HttpFields read_fields_of_har(std::string_view list) {
  wire::HttpFields fields;
  if (!list.starts_with('[') || list.size() > kMostInAHarHead) return fields;
  for (json::Parts each(list); each.next();) {
    std::string_view name;
    std::string_view value;
    find_members(each.text(), {{"name", &name}, {"value", &value}});
    fields.emplace_back(read_of_head(name), read_of_head(value));
  }
  return fields;
}

}  // namespace

Value read_scalar(std::string_view text, std::size_t longest) {
  if (text.empty() || text.size() > longest) return {};
  auto parsed = json::parse(text, {.kept_depth = 0});
  return parsed ? std::move(*parsed.value) : Value();
}

std::string read_text(std::string_view text, std::size_t longest) {
  Value value = read_scalar(text, longest);
  return value.is(Kind::string) ? std::move(value.text()) : std::string();
}

HarEntry::HarEntry(std::string_view text) {
  std::string_view request;
  std::string_view response;
  std::string_view posted;
  std::string_view content;
  find_members(text, {{"startedDateTime", &start_},
                      {"time", &duration_},
                      {"_webSocketMessages", &frames_},
                      {"request", &request},
                      {"response", &response}});
  find_members(request, {{"method", &method_},
                         {"url", &url_},
                         {"headers", &request_headers_},
                         {"postData", &posted}});
  find_members(posted, {{"text", &request_body_}});
  find_members(response, {{"status", &status_},
                          {"headers", &response_headers_},
                          {"bodySize", &received_size_},
                          {"content", &content}});
  find_members(content, {{"text", &response_body_},
                         {"size", &response_body_size_},
                         {"mimeType", &content_type_},
                         {"encoding", &encoding_}});
}

std::optional<microseconds> HarEntry::start() const {
  const Value time = read_scalar(start_, kMostInAHarHead);
  return read_time(&time, 1);
}

microseconds HarEntry::duration() const {
  constexpr long long kMilliseconds = 1000;
  const Value time = read_scalar(duration_, kMostInAHarHead);
  return read_time(&time, kMilliseconds).value_or(microseconds(0));
}

std::string HarEntry::method() const { return read_of_head(method_); }

std::size_t HarEntry::status() const {
  const Value status = read_scalar(status_, kMostInAHarHead);
  if (!status.is(Kind::number)) return 0;
  return static_cast<std::size_t>(std::strtoul(status.text().c_str(), nullptr, 10));
}

HttpHead HarEntry::head(Side side) const {
  HttpHead head{side};
  if (side == Side::server) {
    head.status = static_cast<int>(status());
    head.fields = read_fields_of_har(response_headers_);
    return head;
  }
  head.method = method();
  const std::string url = read_of_head(url_);
  const auto authority = url.find("://");
  head.target = url.substr(authority == url.npos ? 0 : authority + 3);
  head.has_query = head.target.find('?') != std::string::npos;
  head.target = head.target.substr(0, head.target.find_first_of("?#"));
  head.fields = read_fields_of_har(request_headers_);
  return head;
}

bool HarEntry::names_session() const {
  return std::ranges::any_of(read_fields_of_har(request_headers_), [](const auto& field) {
    return same_ignoring_case(field.first, "Mcp-Session-Id");
  });
}

bool HarEntry::is_too_long(Side side) const {
  if (side == Side::server) {
    return response_body_.size() > kMostInAHarBody || response_headers_.size() > kMostInAHarHead;
  }
  return request_body_.size() > kMostInAHarBody || request_headers_.size() > kMostInAHarHead ||
         url_.size() > kMostInAHarHead;
}

std::string HarEntry::request_body() const { return read_text(request_body_, kMostInAHarBody); }

bool HarEntry::request_begins_like_json() const {
  const auto begin = request_body_.find_first_not_of(" \\nrt", 1);  // blanks may be escaped
  return request_body_.starts_with('"') && begin != request_body_.npos &&
         (request_body_[begin] == '{' || request_body_[begin] == '[');
}

// Whoever has kept no text of a body may write the size 0 as well: then whether there was one
// stands in its head, or in how much has come. Under another status than 200 no answer is missing.
bool HarEntry::came_without_body() const {
  constexpr std::size_t kOk = 200;
  if (read_scalar(response_body_size_, kMostInAHarHead).text() != "0") return false;
  if (status() != kOk) return true;
  const auto fields = read_fields_of_har(response_headers_);
  if (const auto length = wire::field_of(fields, "Content-Length")) return *length == "0";
  return read_scalar(received_size_, kMostInAHarHead).text() == "0";
}

std::optional<std::string> HarEntry::response_body() const {
  Value read = read_scalar(response_body_, kMostInAHarBody);
  const bool is_text = read.is(Kind::string);
  if (!is_text || read.text().empty()) {
    const std::string size = read_scalar(response_body_size_, kMostInAHarHead).text();
    const bool had_some = size.find_first_of("123456789") == 0;
    const bool is_empty = is_text ? !had_some : came_without_body();
    return is_empty ? std::optional<std::string>("") : std::nullopt;
  }
  if (read_of_head(encoding_) == "base64") return from_base64(read.text());
  return std::move(read.text());
}

std::string HarEntry::content_type() const { return read_of_head(content_type_); }

}  // namespace jrpcheck::traffic
