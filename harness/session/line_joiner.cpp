#include "session/line_joiner.hpp"

#include <utility>

#include "json/parse.hpp"

namespace jrpcheck::session {
namespace {

// With each line the message is read anew from its beginning; so much is read for it altogether.
constexpr std::size_t kMaxBytesRead = 64U << 20;

// Only the end is missing.
bool is_cut_off(const std::string& text) {
  if (text.empty()) return false;
  const auto parsed = json::parse(text);
  return !parsed && parsed.error.offset >= text.size();
}

bool begins_like_a_message(const std::string& line) {
  return !line.empty() && (line.front() == '{' || line.front() == '[');
}

bool is_message_itself(const std::string& line) {
  const auto parsed = json::parse(line);
  return parsed && parsed.value->is(json::Kind::object) && parsed.value->find("jsonrpc") != nullptr;
}

}  // namespace

std::vector<LineJoiner::Message> LineJoiner::take(wire::Frame line) {
  if (held_.empty()) return take_first(std::move(line));
  if (may_go_on(line)) {
    for (const auto* joined : {&spaced_, &escaped_}) {
      if (!json::parse(*joined)) continue;
      Message whole{{*joined, {}, {}}, true};
      held_.clear();
      return {std::move(whole)};
    }
    if (is_cut_off(spaced_) || is_cut_off(escaped_)) {
      held_.push_back(std::move(line));
      return {};
    }
  }
  auto messages = give_up();
  messages.push_back({std::move(line)});
  return messages;
}

std::vector<LineJoiner::Message> LineJoiner::take_first(wire::Frame line) {
  bytes_read_ = 0;
  if (!line.is_message() || !begins_like_a_message(line.payload) || !is_cut_off(line.payload)) {
    return {{std::move(line)}};
  }
  spaced_ = escaped_ = line.payload;
  held_.push_back(std::move(line));
  return {};
}

bool LineJoiner::may_go_on(const wire::Frame& line) {
  bytes_read_ += spaced_.size();
  if (!line.is_message() || bytes_read_ > kMaxBytesRead || is_message_itself(line.payload)) {
    return false;
  }
  spaced_ += '\n' + line.payload;
  escaped_ += "\\n" + line.payload;
  return true;
}

std::vector<LineJoiner::Message> LineJoiner::give_up() {
  std::vector<Message> messages;
  for (auto& line : held_) messages.push_back({std::move(line)});
  held_.clear();
  spaced_.clear();
  escaped_.clear();
  return messages;
}

}  // namespace jrpcheck::session
