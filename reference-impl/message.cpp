#include "reference-impl/message.hpp"

#include <utility>

#include "reference-impl/oversized_numbers.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

/// nlohmann's id of the exception for a number that does not fit into a double.
constexpr int kNumberOverflow = 406;

/// Builds a Message from the parser's events. A tree of its own, because the one that nlohmann
/// builds has lost how numbers were spelled and is as deep as the sender likes.
class MessageBuilder final : public nlohmann::json_sax<json> {
 public:
  MessageBuilder(std::size_t max_depth, OversizedNumbers oversized)
      : max_depth_(max_depth), oversized_(std::move(oversized)) {}

  Message take() { return std::move(message_); }
  std::size_t error_offset() const { return error_offset_; }
  bool met_oversized_number() const { return met_oversized_number_; }

  bool null() override { return scalar(nullptr); }
  bool boolean(bool value) override { return scalar(value); }
  bool string(std::string& value) override { return scalar(std::move(value)); }
  bool binary(json::binary_t&) override { return false; }  // JSON text has none

  bool number_unsigned(json::number_unsigned_t value) override { return number(value, {}); }
  bool number_integer(json::number_integer_t value) override {
    // Only tokens with a minus sign come here, so zero was -0.
    return value == 0 ? number(-0.0, "-0") : number(value, {});
  }
  bool number_float(double value, const std::string& token) override {
    return number(value, token);
  }

  bool start_object(std::size_t) override { return open(json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override;

  bool parse_error(std::size_t offset, const std::string&, const json::exception& error) override {
    error_offset_ = offset;
    met_oversized_number_ = error.id == kNumberOverflow;
    return false;
  }

 private:
  bool too_deep() const { return depth_ > max_depth_; }
  /// Whether the next value is that of a member of the element itself.
  bool at_member(std::string_view name) const { return open_.size() == 1 && member_ == name; }

  bool number(json value, std::string token);
  bool scalar(json value);
  bool open(json container);
  bool close();
  json* attach(json value);
  void note_obstacle(std::string reason);

  const std::size_t max_depth_;
  const OversizedNumbers oversized_;
  std::size_t numbers_seen_ = 0;
  Message message_;
  std::size_t depth_ = 0;    // of the text; `open_` does not follow it beyond max_depth_
  std::vector<json*> open_;  // the containers being built, from the element inwards
  json* slot_ = nullptr;     // where the next value of the innermost Object belongs
  std::string member_;       // the element's member that is being read
  std::size_t error_offset_ = 0;
  bool met_oversized_number_ = false;
};

bool MessageBuilder::key(std::string& name) {
  if (too_deep()) return true;
  if (open_.size() == 1) {
    member_ = name;
    // A second id or params takes the place of the first.
    Element& element = message_.elements.back();
    if (name == "id") element.exact_id.clear();
    if (name == "params") element.params_obstacle.clear();
  }
  slot_ = &(*open_.back())[name];
  return true;
}

bool MessageBuilder::number(json value, std::string token) {
  const auto oversized = oversized_.find(numbers_seen_++);
  if (oversized != oversized_.end()) {
    token = oversized->second;
    note_obstacle("a Number is too large");
  }
  if (at_member("id")) message_.elements.back().exact_id = std::move(token);
  return scalar(std::move(value));
}

bool MessageBuilder::scalar(json value) {
  if (!too_deep()) attach(std::move(value));
  return true;
}

bool MessageBuilder::open(json container) {
  ++depth_;
  if (depth_ == 1 && container.is_array()) {
    message_.is_batch = true;
  } else if (depth_ == max_depth_ + 1) {
    attach(nullptr);
    note_obstacle("nested more than " + std::to_string(max_depth_) + " deep");
  } else if (!too_deep()) {
    open_.push_back(attach(std::move(container)));
  }
  return true;
}

bool MessageBuilder::close() {
  const bool was_built = !too_deep() && !open_.empty();  // a batch's own Array is not
  if (was_built) open_.pop_back();
  --depth_;
  return true;
}

json* MessageBuilder::attach(json value) {
  if (open_.empty()) {
    member_.clear();
    Element& element = message_.elements.emplace_back();
    element.value = std::move(value);
    return &element.value;
  }
  json& parent = *open_.back();
  if (parent.is_array()) {
    parent.push_back(std::move(value));
    return &parent.back();
  }
  *slot_ = std::move(value);
  return slot_;
}

void MessageBuilder::note_obstacle(std::string reason) {
  if (member_ == "params") message_.elements.back().params_obstacle = std::move(reason);
}

Error not_json(std::size_t offset) {
  return Error{"the text is not JSON from byte " + std::to_string(offset) + " on"};
}

}  // namespace

Result<Message> read_message(std::string_view text, const Limits& limits) {
  // nlohmann/json would take a NUL for the end of the text; in JSON it may stand nowhere.
  if (const auto nul = text.find('\0'); nul != text.npos) return not_json(nul);

  MessageBuilder builder(limits.max_depth, {});
  if (json::sax_parse(text, &builder)) return builder.take();
  if (!builder.met_oversized_number()) return not_json(builder.error_offset());

  const ShortenedText shortened = shorten_oversized_numbers(text);
  MessageBuilder second_builder(limits.max_depth, shortened.oversized);
  if (json::sax_parse(shortened.text, &second_builder)) return second_builder.take();
  return Error{"the text is not JSON"};
}

}  // namespace jrpcheck::reference
