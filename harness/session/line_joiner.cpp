#include "session/line_joiner.hpp"

#include <utility>

namespace jrpcheck::session {
namespace {

using dialogue::Message;

// With each line the message is read anew from its beginning; so much is read for it altogether.
constexpr std::size_t kMaxBytesRead = 64U << 20;

// Only the end is missing.
bool is_cut_off(const Message& message) {
  return message.value() == nullptr && !message.text().empty() &&
         message.error().offset >= message.text().size();
}

bool begins_like_a_message(const std::string& line) {
  return !line.empty() && (line.front() == '{' || line.front() == '[');
}

}  // namespace

std::vector<Line> LineJoiner::take(wire::Frame frame) {
  Line line(std::move(frame));
  if (held_.empty()) return take_first(std::move(line));
  if (may_go_on(line)) {
    bool is_unfinished = false;
    for (const auto* joined : {&spaced_, &escaped_}) {
      Message whole(*joined);
      if (whole.value() != nullptr) {
        held_.clear();
        return {Line(std::move(whole))};
      }
      is_unfinished = is_unfinished || is_cut_off(whole);
    }
    if (is_unfinished) {
      held_.push_back(std::move(line));
      return {};
    }
  }
  auto lines = give_up();
  lines.push_back(std::move(line));
  return lines;
}

std::vector<Line> LineJoiner::take_first(Line line) {
  bytes_read_ = 0;
  const std::string& text = line.message.text();
  if (!line.violation.empty() || !begins_like_a_message(text) || !is_cut_off(line.message)) {
    return {std::move(line)};
  }
  spaced_ = escaped_ = text;
  held_.push_back(std::move(line));
  return {};
}

bool LineJoiner::may_go_on(const Line& line) {
  bytes_read_ += spaced_.size();
  const bool is_message_itself = line.message.find("jsonrpc") != nullptr;
  if (!line.violation.empty() || bytes_read_ > kMaxBytesRead || is_message_itself) return false;
  spaced_ += '\n' + line.message.text();
  escaped_ += "\\n" + line.message.text();
  return true;
}

std::vector<Line> LineJoiner::give_up() {
  spaced_.clear();
  escaped_.clear();
  return std::exchange(held_, {});
}

}  // namespace jrpcheck::session
