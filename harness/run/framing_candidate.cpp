#include "run/framing_candidate.hpp"

#include "base/contains.hpp"
#include "run/first_calls.hpp"
#include "run/framing_discovery.hpp"

namespace jrpcheck::run {
namespace {

bool names_a_call(std::string_view text) {
  constexpr std::string_view kName = "\"id\"";
  for (auto at = text.find(kName); at != text.npos; at = text.find(kName, at)) {
    at = text.find_first_not_of(": \t", at + kName.size());
    if (at == text.npos) return false;
    if (text[at] >= '0' && text[at] <= '9') return contains(text, "\"jsonrpc\"");
  }
  return false;
}

bool holds_structure(std::string_view payload) {
  constexpr std::string_view kBefore = " \t\r\n\xEF\xBB\xBF";  // a byte order mark may be
  const auto first = payload.find_first_not_of(kBefore);
  return first != std::string_view::npos && (payload[first] == '{' || payload[first] == '[');
}

}  // namespace

void FramingCandidate::speak(const std::vector<std::string>& messages, Deadline deadline,
                             bool in_lines) {
  for (const auto& message : messages) {
    std::string bytes = stream_.encode(message);
    if (binding_->structures_only && !in_lines) bytes.pop_back();
    stream_.send(bytes, Deadline::earlier(deadline, Deadline::in(kTurn)));
  }
}

FramingCandidate::Heard FramingCandidate::listen(Deadline deadline) {
  if (kept_ != Heard::nothing) return std::exchange(kept_, Heard::nothing);
  const auto frame = stream_.receive(deadline);
  if (until_first_byte_.count() == 0 && !stream_.first_bytes().empty()) until_first_byte_ = age();
  if (!frame) return Heard::nothing;
  is_another_ = is_another_ || is_of_another(frame->payload);
  if (is_another_ || !frame->is_message()) return Heard::nothing;
  const auto kind = sorter_.sort(frame->payload);
  if (kind == session::IncomingKind::reply) keep_what_came({}, frame->payload, answers_);
  // Where the framing itself marks what a message is, a broken one shows it as well.
  const bool may_be_output = !binding_->delimits_messages && !holds_structure(frame->payload);
  const bool is_message =
      kind != session::IncomingKind::noise && kind != session::IncomingKind::value;
  if (may_be_output || !is_message) return Heard::nothing;
  return kind == session::IncomingKind::unasked ? Heard::unasked : Heard::answer;
}

void FramingCandidate::listen_for(std::size_t answers, Deadline deadline) {
  while (answers_.size() < answers && !stream_.ended() && !deadline.passed()) listen(deadline);
}

bool FramingCandidate::holds_unended_message() const {
  const bool is_ended_by_a_byte = !binding_->ends_message.empty() && !is_another_;
  const std::string held = is_ended_by_a_byte ? stream_.unfinished() : std::string();
  const auto first = held.find_first_not_of(" \t\r\n");
  return first != std::string::npos && held[first] == '{';
}

bool FramingCandidate::has_been_read() const {
  return names_a_call(stream_.first_bytes()) && age() >= until_first_byte_ + kForOtherReaders;
}

std::string FramingCandidate::obituary(const std::string& name) {
  const auto& program = connection_.program;
  if (!program) return ended_too_early(name, "closed the connection", {});
  const auto status = program->ended(Deadline::in(milliseconds(200)));
  return ended_too_early(name, status ? status->text() : "closed its output",
                         program->standard_error_tail());
}

// A line between two messages of another framing holds one of them and the head of the next.
bool FramingCandidate::is_of_another(std::string_view payload) const {
  const wire::Binding* begun = wire::framing_begun_by(payload);
  return begun != nullptr && begun->begins_stream != binding_->begins_stream;
}

}  // namespace jrpcheck::run
