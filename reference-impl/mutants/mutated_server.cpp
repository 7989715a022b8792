#include "reference-impl/mutants/mutated_server.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "reference-impl/bitcoin_http.hpp"
#include "reference-impl/descriptor.hpp"
#include "reference-impl/mutants/decorated_framing.hpp"

namespace jrpcheck::reference {

namespace {

template <typename Action>
auto running(Action action) {
  try {
    return action();
  } catch (const Catastrophe& catastrophe) {
    suffer(catastrophe.manner);
  }
}

/// Reading a frame may end the process.
class SufferingFraming final : public DecoratedFraming {
 public:
  using DecoratedFraming::DecoratedFraming;

  std::optional<wire::Frame> next() override {
    return running([this] { return DecoratedFraming::next(); });
  }
};

/// Reads on where the behaviour leaves nothing: that would mean the end of the input.
std::size_t read_by(const Behaviour& behaviour, int descriptor, std::span<char> buffer) {
  while (const std::size_t size = read_some(descriptor, buffer)) {
    const std::string bytes =
        running([&] { return behaviour.arriving(std::string_view(buffer.data(), size)); });
    std::copy(bytes.begin(), bytes.end(), buffer.begin());
    if (!bytes.empty()) return bytes.size();
  }
  return 0;
}

bool write_by(const Behaviour& behaviour, int descriptor, std::string_view bytes) {
  const ProperWrite proper = [descriptor](std::string_view piece) {
    return write_all(descriptor, piece);
  };
  return running([&] { return behaviour.writing(bytes, proper); });
}

ByteHooks byte_hooks_of(const Behaviour& behaviour) {
  ByteHooks hooks;
  if (behaviour.arriving) {
    hooks.read = [&behaviour](int descriptor, std::span<char> buffer) {
      return read_by(behaviour, descriptor, buffer);
    };
  }
  if (behaviour.writing) {
    hooks.write = [&behaviour](int descriptor, std::string_view bytes) {
      return write_by(behaviour, descriptor, bytes);
    };
  }
  if (behaviour.reading_socket) {
    hooks.read = [&behaviour](int socket, std::span<char> buffer) {
      return running([&] { return behaviour.reading_socket(socket, buffer); });
    };
  }
  if (behaviour.writing_socket) {
    hooks.write = [&behaviour](int socket, std::string_view bytes) {
      return running([&] { return behaviour.writing_socket(socket, bytes); });
    };
  }
  return hooks;
}

StreamHooks stream_hooks_of(const Behaviour& behaviour) {
  StreamHooks hooks;
  hooks.greeting = behaviour.greeting;
  hooks.first_message = behaviour.first_message;
  hooks.replies = [&behaviour](const Handler& proper, std::string_view message) {
    return mutated_reply(behaviour, proper, message).messages();
  };
  if (behaviour.framing) {
    hooks.framing = [&behaviour](wire::MakeFraming kind) {
      return std::make_unique<SufferingFraming>(behaviour.framing(kind({})));
    };
  }
  if (behaviour.end_of_stream) {
    hooks.at_end = [&behaviour] { running(behaviour.end_of_stream); };
  }
  return hooks;
}

HttpAnswer answer_by(const Behaviour& behaviour, const wire::HttpMessage& request,
                     const ProperAnswer& proper) {
  if (!behaviour.answer) return proper(request);
  return running([&] { return behaviour.answer(request, proper); });
}

}  // namespace

HttpHooks bitcoin_http_hooks_of(const Behaviour& behaviour) {
  return {[&behaviour](const Handler& handler, const wire::HttpMessage& request) {
    const MutatedHandler mutated(handler, behaviour);
    return answer_by(behaviour, request, [&](const wire::HttpMessage& each) {
      return answer_of_bitcoin(each, [&](std::string_view text) { return mutated.handle(text); });
    });
  }};
}

HttpHooks mcp_http_hooks_of(const std::string& version, const Limits& limits,
                            const Behaviour& behaviour) {
  const auto server = std::make_shared<const McpServer>(version, limits);
  const auto door = std::make_shared<McpHttp>(*server, behaviour.mcp_http);
  return {[&behaviour, server, door](const Handler& handler, const wire::HttpMessage& request) {
    const McpReplies replies = [&](std::string_view message) {
      return mutated_reply(behaviour, handler, message).messages();
    };
    return answer_by(behaviour, request,
                     [&](const wire::HttpMessage& each) { return door->answer(each, replies); });
  }};
}

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

Reply mutated_reply(const Behaviour& behaviour, const Handler& proper, std::string_view message) {
  if (!behaviour.reply) return proper.handle(message);
  return running([&] {
    return behaviour.reply(
        message, [&proper](std::string_view text) -> Reply { return proper.handle(text); });
  });
}

std::optional<std::string> MutatedHandler::handle(std::string_view message) const {
  const Reply reply = mutated_reply(behaviour_, proper_, message);
  if (!reply) return std::nullopt;
  std::string body;
  for (const std::string& each : reply.messages()) body += each;
  return body;
}

namespace {

WebSocketHabits websocket_habits_of(const Behaviour& behaviour) {
  WebSocketHabits habits = behaviour.websocket;
  if (!habits.taking) return habits;
  habits.taking = [&behaviour]() -> TakeItem {
    return [take = behaviour.websocket.taking()](const wire::WebSocketItem& item) {
      return running([&] { return take(item); });
    };
  };
  return habits;
}

}  // namespace

TransportHooks hooks_of(const Behaviour& behaviour) {
  TransportHooks hooks;
  hooks.bytes = byte_hooks_of(behaviour);
  hooks.stream = stream_hooks_of(behaviour);
  hooks.http.answer = [&behaviour](const Handler& handler, const wire::HttpMessage& request) {
    const MutatedHandler mutated(handler, behaviour);
    return answer_by(behaviour, request, [&](const wire::HttpMessage& each) {
      return proper_http_answer(mutated, each);
    });
  };
  hooks.events = behaviour.events;
  hooks.websocket = websocket_habits_of(behaviour);
  hooks.tls = behaviour.tls;
  return hooks;
}

}  // namespace jrpcheck::reference
