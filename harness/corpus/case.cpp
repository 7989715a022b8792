#include "corpus/case.hpp"

#include <algorithm>
#include <utility>

#include "base/contains.hpp"
#include "base/names.hpp"
#include "wire/binding.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::corpus {

std::string_view name_of(Verdict verdict) { return name_at({"pass", "warn", "fail"}, verdict); }

std::string_view name_of(Outcome::Shape shape) {
  return name_at({"response", "batch", "responses", "silence", "refused", "closed", "status",
                  "exited", "anything"},
                 shape);
}

bool Step::accepts(Outcome::Shape shape) const {
  return std::ranges::any_of(accept,
                             [shape](const Outcome& outcome) { return outcome.shape == shape; });
}

std::vector<dialogue::Message> Step::whole_messages() const {
  std::vector<dialogue::Message> whole;
  bool continues = false;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const auto frame = frames.find(i);
    const bool is_control = frame != frames.end() && frame->second.opcode >= wire::kClose;
    if (is_control) continue;
    if (continues) {
      whole.back() = whole.back().text() + messages[i].text();
    } else {
      whole.push_back(messages[i]);
    }
    continues = frame != frames.end() && !frame->second.fin;
  }
  return whole;
}

std::optional<std::string> Step::pong_due() const {
  std::optional<std::string> due;
  for (const auto& [place, frame] : frames) {
    const bool is_proper = wire::FrameDetails{.opcode = frame.opcode, .fin = frame.fin} == frame;
    if (!is_proper || frame.opcode == wire::kClose || frame.opcode > wire::kPong) return {};
    if (frame.opcode != wire::kPing) continue;
    if (!frame.fin || messages[place].text().size() > wire::kLongestControl) return {};
    due = messages[place].text();
  }
  return due;
}

bool Step::awaits_exit() const {
  return std::ranges::any_of(accept, [](const Outcome& outcome) {
    return outcome.shape == Outcome::Shape::exited && outcome.verdict != Verdict::fail;
  });
}

bool Step::demands_reply() const {
  return std::ranges::none_of(accept, [](const Outcome& outcome) {
    const bool nothing_comes =
        outcome.shape == Outcome::Shape::silence || outcome.shape == Outcome::Shape::closed ||
        outcome.shape == Outcome::Shape::exited || outcome.shape == Outcome::Shape::anything;
    return nothing_comes && outcome.verdict != Verdict::fail;
  });
}

Step step_sending(dialogue::Message message) {
  Step step;
  step.messages.push_back(std::move(message));
  return step;
}

bool Case::stays_whole(const wire::Binding& binding) const {
  return std::ranges::all_of(steps, [&](const Step& step) {
    return step.raw || step.tls || std::ranges::all_of(step.messages, [&](const auto& each) {
             return wire::stays_whole(binding, each.text());
           });
  });
}

bool Case::applies_to(std::string_view transport) const {
  return transports.empty() || contains(transports, transport);
}

}  // namespace jrpcheck::corpus
