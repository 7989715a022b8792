#include "reference-impl/deviations/deviant.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "reference-impl/http_answer.hpp"

namespace jrpcheck::reference {

namespace {

/// What is longer is no other to a peer that has come so far, and would take it seconds to read.
constexpr std::size_t kMostPieces = 4096;

/// HTTP has room for one body: the messages of a Reply stand in it side by side.
class InOneBody final : public Handler {
 public:
  explicit InOneBody(const Handler& handler) : handler_(handler) {}

  std::optional<std::string> handle(std::string_view message) const override {
    auto reply = handler_.handle(message);
    if (reply) std::erase(*reply, kNextMessage);
    return reply;
  }
  const Limits& limits() const override { return handler_.limits(); }

 private:
  const Handler& handler_;
};

template <typename Action>
auto running(Action action) {
  try {
    return action();
  } catch (const Catastrophe& catastrophe) {
    suffer(catastrophe.manner);
  }
}

/// Frames each message of a Reply on its own.
class SeveralMessages final : public wire::Framing {
 public:
  explicit SeveralMessages(std::unique_ptr<wire::Framing> framing) : framing_(std::move(framing)) {}

  std::string encode(std::string_view reply) const override {
    std::string bytes;
    while (true) {
      const std::size_t end = reply.find(kNextMessage);
      bytes += framing_->encode(reply.substr(0, end));
      if (end == reply.npos) return bytes;
      reply.remove_prefix(end + 1);
    }
  }
  void feed(std::string_view bytes) override { framing_->feed(bytes); }
  void end_of_input() override { framing_->end_of_input(); }
  std::optional<wire::Frame> next() override {
    return running([this] { return framing_->next(); });
  }

 private:
  std::unique_ptr<wire::Framing> framing_;
};

}  // namespace

void suffer(Catastrophe::Manner manner) {
  switch (manner) {
    case Catastrophe::Manner::exit:
      ::_exit(EXIT_FAILURE);
    case Catastrophe::Manner::abort:
      std::abort();
    case Catastrophe::Manner::hang:
      while (true) ::poll(nullptr, 0, -1);
    case Catastrophe::Manner::spin:
      break;
  }
  volatile bool forever = true;  // or the compiler may take the loop for one that ends
  while (forever) {
  }
  std::abort();
}

std::optional<std::string> DeviantHandler::handle(std::string_view message) const {
  if (!behaviour_.reply) return proper_.handle(message);
  return running([&] {
    return behaviour_.reply(message,
                            [this](std::string_view text) { return proper_.handle(text); });
  });
}

std::unique_ptr<wire::Framing> DeviantConduct::framing(wire::FramingKind kind) const {
  auto framing = Conduct::framing(kind);
  if (behaviour_.framing) framing = behaviour_.framing(std::move(framing));
  return std::make_unique<SeveralMessages>(std::move(framing));
}

void DeviantConduct::begin_stream(int output) const {
  if (behaviour_.greeting) write(output, behaviour_.greeting());
}

void DeviantConduct::end_stream() const {
  if (behaviour_.end_of_stream) running(behaviour_.end_of_stream);
}

HttpAnswer DeviantConduct::answer(const Handler& handler, const wire::HttpMessage& request) const {
  const InOneBody in_one_body(handler);
  const ProperAnswer proper = [&](const wire::HttpMessage& each) {
    return Conduct::answer(in_one_body, each);
  };
  if (!behaviour_.answer) return proper(request);
  return running([&] { return behaviour_.answer(request, proper); });
}

std::size_t DeviantConduct::read(int descriptor, std::span<char> buffer) const {
  while (const std::size_t size = Conduct::read(descriptor, buffer)) {
    if (!behaviour_.arriving) return size;
    const std::string bytes = behaviour_.arriving(std::string_view(buffer.data(), size));
    std::copy(bytes.begin(), bytes.end(), buffer.begin());
    if (!bytes.empty()) return bytes.size();  // none would mean the end of the input
  }
  return 0;
}

bool DeviantConduct::write(int descriptor, std::string_view bytes) const {
  if (behaviour_.bytes_a_write == 0) return Conduct::write(descriptor, bytes);
  for (std::size_t pieces = 0; !bytes.empty() && pieces < kMostPieces; ++pieces) {
    const std::string_view piece = bytes.substr(0, behaviour_.bytes_a_write);
    if (!Conduct::write(descriptor, piece)) return false;
    bytes.remove_prefix(piece.size());
  }
  return bytes.empty() || Conduct::write(descriptor, bytes);
}

}  // namespace jrpcheck::reference
