#include "session/http_session.hpp"

#include <algorithm>
#include <optional>

#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::session {
namespace {

void add(const wire::HttpFields& more, wire::HttpFields& fields) {
  for (const auto& each : more) {
    if (!wire::field_of(fields, each.first)) fields.push_back(each);
  }
}

std::optional<std::string> text_at(const dialogue::Message& message,
                                   const std::vector<std::string>& pointers) {
  if (message.value() == nullptr) return std::nullopt;
  for (const auto& pointer : pointers) {
    const json::Value* found = json::at(*message.value(), pointer);
    if (found != nullptr && found->is(json::Kind::string)) return found->text();
  }
  return std::nullopt;
}

}  // namespace

void HttpSession::note(const wire::HttpMessage& response) {
  constexpr int kFirstFailure = 300;
  if (response.status < 200 || response.status >= kFirstFailure || !kept_.empty()) return;
  for (const auto& name : habits_.kept) {
    const auto value = response.field(name);
    if (value && !value->empty()) kept_.emplace_back(name, std::string(*value));
  }
}

void HttpSession::note_agreed(const dialogue::Message& answer) {
  if (is_open_ || !agreed_.empty()) return;
  for (const auto& [name, pointers] : habits_.from_message) {
    const auto text = text_at(answer, pointers);
    if (text) agreed_.emplace_back(name, wire::field_value_of(*text));
  }
}

wire::HttpFields HttpSession::fields(const dialogue::Message& message,
                                     const wire::HttpFields& own) const {
  wire::HttpFields fields = own;
  // What a message says itself comes before what most say.
  for (const auto& [name, pointers] : habits_.from_message) {
    const auto text = text_at(message, pointers);
    if (text) add({{name, wire::field_value_of(*text)}}, fields);
  }
  add(habits_.fields, fields);
  add(kept_, fields);
  if (is_open_ || has_begun()) {
    add(agreed_, fields);
    add(habits_.after_opening, fields);
  }
  return fields;
}

bool HttpSession::keeps(std::string_view name) const {
  return std::ranges::any_of(habits_.kept,
                             [&](const auto& kept) { return same_ignoring_case(kept, name); });
}

bool HttpSession::reads_streams() const {
  return std::ranges::any_of(habits_.fields, [](const auto& field) {
    return contains(field.second, "text/event-stream");
  });
}

}  // namespace jrpcheck::session
