#include "run/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "json/pointer.hpp"
#include "run/empty_folder.hpp"
#include "session/folder.hpp"

namespace jrpcheck::run {

std::vector<std::string> first_messages(const corpus::Case& bound,
                                        const session::Opening& opening) {
  return bound.session == corpus::Case::Session::bare ? std::vector<std::string>()
                                                      : opening.messages;
}

namespace {

// What the server was answered while it was opened, behind each message of the opening.
std::vector<std::string> answers_in(const std::vector<dialogue::Event>& opened) {
  std::vector<std::string> answers;
  for (const auto& event : opened) {
    if (event.direction != dialogue::Direction::sent) continue;
    if (event.note == "opening") answers.emplace_back();
    if (event.note == dialogue::kOwnAnswerNote && !answers.empty()) answers.back() += event.bytes;
  }
  return answers;
}

// Longer than it took in the run.
std::size_t pause_for(const std::vector<dialogue::Event>& opened) {
  if (opened.empty()) return kMomentByHand;
  const auto took = std::chrono::floor<std::chrono::seconds>(opened.back().at - opened.front().at);
  return kMomentByHand * (1 + static_cast<std::size_t>(took.count()));
}

bool is_about_exit(const corpus::Case& bound) {
  return std::ranges::any_of(bound.steps, [](const auto& step) {
    return !step.accept.empty() && step.accept.front().shape == corpus::Outcome::Shape::exited;
  });
}

bool has_several_connections(const corpus::Case& bound, const wire::Binding& binding) {
  return binding.on_sockets && std::ranges::any_of(bound.steps, [](const auto& step) {
           return step.then != corpus::Step::Then::read || step.concurrently;
         });
}

// What is said on a stream.
class StreamByHand {
 public:
  StreamByHand(const corpus::Case& bound, const wire::Binding& binding,
               const session::Opening& opening, const AnswersByHand& given)
      : bound_(bound),
        framing_(binding.framing({})),
        opening_(opening),
        given_(given),
        folder_(opening.folder_place ? folder_by_hand() : FolderByHand()) {}

  const std::string& line_for_folder() const { return folder_.line; }

  // A moment goes before whatever is sent behind an answer: many protocols forbid more before their
  // handshake is answered (LSP 3.17, initialize; MCP, Lifecycle).
  PiecePrinter begin() const {
    PiecePrinter printer;
    auto answers = answers_in(given_.opened);
    const auto first = first_messages(bound_, opening_);
    answers.resize(first.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      printer.add(framing_->encode(in_folder(first[i])));
      printer.pause(pause_for(given_.opened));
      printer.add(answers[i]);
    }
    return printer;
  }

  void add(std::size_t place, bool is_first, PiecePrinter& printer) const {
    const corpus::Step& step = bound_.steps[place];
    if (step.listen_first_ms > 0 || !is_first) {
      printer.pause(step.listen_first_ms > 0 ? step.listen_first_ms : kMomentByHand);
    }
    std::string bytes;
    for (const auto& message : step.messages) bytes += encoded(step, message);
    printer.add(bytes, step);
    if (place >= given_.in_steps.size() || given_.in_steps[place].empty()) return;
    printer.pause(kMomentByHand);
    printer.add(given_.in_steps[place]);
  }

  // On a connection on which nothing else is said, and which is left behind it.
  PiecePrinter alone(std::size_t place) const {
    PiecePrinter printer;
    add(place, true, printer);
    if (!is_reset(bound_.steps[place])) printer.pause(kMomentByHand);
    return printer;
  }

  // Each on a connection of its own. All are open before something is said on the first.
  std::vector<PiecePrinter> each(const corpus::Step& step) const {
    std::vector<PiecePrinter> printers(step.messages.size());
    for (std::size_t i = 0; i < printers.size(); ++i) {
      printers[i].pause(kMomentByHand);
      printers[i].add(encoded(step, step.messages[i]));
      printers[i].pause(kMomentByHand);
    }
    return printers;
  }

 private:
  std::string in_folder(const std::string& message) const {
    return opening_.folder_place
               ? session::with_folder(message, *opening_.folder_place, folder_.uri)
               : message;
  }
  std::string encoded(const corpus::Step& step, const dialogue::Message& message) const {
    if (step.raw) return message.text();
    return framing_->encode(step.as_it_stands ? message.text() : in_folder(message.text()));
  }

  const corpus::Case& bound_;
  std::unique_ptr<wire::Framing> framing_;
  const session::Opening& opening_;
  const AnswersByHand& given_;
  FolderByHand folder_;
};

std::string connection_lines(const corpus::Case& bound, const StreamByHand& speaker,
                             const WayByHand& way) {
  LinesByHand lines(way);
  std::optional<PiecePrinter> on_one;
  const auto end_one = [&] {
    if (!on_one) return;
    on_one->pause(kMomentByHand);
    lines.add(*std::exchange(on_one, std::nullopt));
  };
  for (std::size_t i = 0; i < bound.steps.size(); ++i) {
    const corpus::Step& step = bound.steps[i];
    const bool leaves = step.then != corpus::Step::Then::read;
    if (leaves || step.concurrently) end_one();
    if (leaves) {
      lines.add_leaving(speaker.alone(i), step.then);
    } else if (step.concurrently) {
      lines.add_side_by_side(speaker.each(step));
    } else {
      const bool is_first = !on_one;
      if (is_first) on_one = speaker.begin();
      speaker.add(i, is_first, *on_one);
    }
  }
  end_one();
  return lines.all();
}

}  // namespace

// Standard input stays open for a moment, because many programs leave at its end without answering;
// but where the case is about that end.
std::string pipe_line(const corpus::Case& bound, const wire::Binding& binding,
                      const session::Opening& opening, const WayByHand& way,
                      const AnswersByHand& given) {
  const StreamByHand speaker(bound, binding, opening, given);
  const std::string& folder = speaker.line_for_folder();
  if (has_several_connections(bound, binding)) {
    return folder + connection_lines(bound, speaker, way);
  }
  PiecePrinter printer = speaker.begin();
  for (std::size_t i = 0; i < bound.steps.size(); ++i) speaker.add(i, i == 0, printer);
  const bool ends = std::any_of(bound.steps.begin(), bound.steps.end(),
                                [](const auto& step) { return step.end_of_input; });
  if (ends) return fmt::format("{}{} | {}", folder, printer.all(), way.half_closing);
  // The end of its input would end a program that runs on; timeout(1) gives 124 for it.
  if (is_about_exit(bound) && !binding.on_sockets) {
    const std::size_t limit = 3 + printer.paused();
    printer.pause(4 * kMomentByHand);
    return fmt::format("{}{} | {{ timeout {} {}; echo \"exit code $?\"; }}", folder, printer.all(),
                       limit, way.command);
  }
  printer.pause(kMomentByHand);
  return fmt::format("{}{} | {}", folder, printer.all(), way.command);
}

namespace {

bool is_drawn_by_lot(const dialogue::Event& answer) {
  constexpr std::size_t kCounted = 16;  // characters; servers that count have shorter ones
  const auto begin = answer.bytes.find('{');
  if (answer.note != dialogue::kOwnAnswerNote || begin == std::string::npos) return false;
  const dialogue::Message message(answer.bytes.substr(begin));
  return json::text_of(message.find("id")).size() > kCounted;
}

}  // namespace

bool asks_under_ids_by_lot(const std::vector<dialogue::Event>& events) {
  return std::ranges::any_of(events, is_drawn_by_lot);
}

std::optional<std::vector<std::string>> own_answers(const corpus::Case& bound,
                                                    const std::vector<dialogue::Event>& events) {
  if (asks_under_ids_by_lot(events)) return std::nullopt;
  std::vector<std::string> answers(bound.steps.size());
  for (const auto& event : events) {
    if (event.note != dialogue::kOwnAnswerNote || !event.step) continue;
    if (bound.session == corpus::Case::Session::shared) return std::nullopt;
    answers.at(*event.step) += event.bytes;
  }
  return answers;
}

}  // namespace jrpcheck::run
