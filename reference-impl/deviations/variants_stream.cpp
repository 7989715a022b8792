// Legal ways of using a stream that differ from the usual ones.
#include <unistd.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "reference-impl/descriptor.hpp"
#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/deviations/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using wire::Framing;

constexpr std::size_t kFlood = 16U << 10;
constexpr std::string_view kNotification =
    R"({"jsonrpc":"2.0","method":"progress","params":{"percent":50}})";
constexpr std::string_view kRequest = R"({"jsonrpc":"2.0","method":"ask","id":"server-1"})";

Behaviour with_message_before(std::string_view message) {
  return on_reply([message](const std::string& reply) -> Reply {
    return std::string(message) + kNextMessage + reply;
  });
}

Behaviour with_message_after(std::string_view message) {
  return on_reply([message](const std::string& reply) -> Reply {
    return reply + kNextMessage + std::string(message);
  });
}

Behaviour with_head(const std::string& before_length, const std::string& length,
                    const std::string& after_length) {
  return on_writing([=](const Framing&, std::string_view payload) {
    return before_length + length + std::to_string(payload.size()) + "\r\n" + after_length +
           "\r\n" + std::string(payload);
  });
}

/// Takes the messages that came together from the last to the first.
class LastFirst final : public Framing {
 public:
  explicit LastFirst(std::unique_ptr<Framing> proper) : proper_(std::move(proper)) {}

  std::string encode(std::string_view payload) const override { return proper_->encode(payload); }
  void feed(std::string_view bytes) override { proper_->feed(bytes); }
  void end_of_input() override { proper_->end_of_input(); }

  std::optional<wire::Frame> next() override {
    while (auto frame = proper_->next()) frames_.push_front(std::move(*frame));
    if (frames_.empty()) return std::nullopt;
    wire::Frame frame = std::move(frames_.front());
    frames_.pop_front();
    return frame;
  }

 private:
  std::unique_ptr<Framing> proper_;
  std::deque<wire::Frame> frames_;
};

constexpr Deviation kStreamVariants[] = {
    {"byte-by-byte", "", kEverywhere, "Each byte is written on its own.",
     [] { return Behaviour{.bytes_a_write = 1}; }},
    {"in-pieces-of-three", "", kEverywhere, "Three bytes are written at a time.",
     [] { return Behaviour{.bytes_a_write = 3}; }},
    {"notifications-before", "", kStreams, "A Notification of the server comes before each reply.",
     [] { return with_message_before(kNotification); }},
    {"notifications-after", "", kStreams, "A Notification of the server comes after each reply.",
     [] { return with_message_after(kNotification); }},
    {"requests-before", "", kStreams, "A Request of the server comes before each reply.",
     [] { return with_message_before(kRequest); }},
    {"notification-at-start", "", kLines, "A Notification of the server comes before all else.",
     [] { return Behaviour{.greeting = [] { return std::string(kNotification) + "\n"; }}; }},
    {"replies-out-of-order", "", kStreams,
     "Messages that come together are answered from the last to the first.",
     [] {
       return Behaviour{.framing = [](std::unique_ptr<Framing> proper) -> std::unique_ptr<Framing> {
         return std::make_unique<LastFirst>(std::move(proper));
       }};
     }},
    {"flood-on-standard-error", "", kEverywhere,
     "Sixteen kibibytes are written to standard error for each message.",
     [] {
       return on_message([](std::string_view message) {
         write_all(STDERR_FILENO, std::string(kFlood - 1, '.') + "\n");
         return std::string(message);
       });
     }},
    {"lines-end-in-crlf", "", kLines, "Lines end in a carriage return and a line feed.",
     [] {
       return on_writing(
           [](const Framing&, std::string_view payload) { return std::string(payload) + "\r\n"; });
     }},
    {"header-with-type", "", kContentLength, "A Content-Type follows Content-Length.",
     [] {
       return with_head(
           "", "Content-Length: ", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n");
     }},
    {"header-with-type-first", "", kContentLength, "A Content-Type comes before Content-Length.",
     [] {
       return with_head("Content-Type: application/vscode-jsonrpc; charset=utf8\r\n",
                        "Content-Length: ", "");
     }},
};

}  // namespace

std::span<const Deviation> stream_variants() { return kStreamVariants; }

}  // namespace jrpcheck::reference
