#include "reference-impl/mutants/rewrites_of_frames.hpp"

#include <utility>

namespace jrpcheck::reference {

using wire::WebSocketFault;
using wire::WebSocketItem;
using Kind = WebSocketItem::Kind;

Behaviour taking(TakeSome take) {
  return taking_statefully([take = std::move(take)] { return take; });
}

Behaviour taking_statefully(std::function<TakeSome()> make) {
  return {.websocket = {.taking = [make = std::move(make)]() -> TakeItem {
            return [take = make()](const WebSocketItem& item) {
              if (auto answer = take(item)) return *std::move(answer);
              return proper_frame_answer(item);
            };
          }}};
}

Behaviour on_kind(Kind kind, std::function<FrameAnswer(const WebSocketItem& item)> answer) {
  return taking(
      [kind, answer = std::move(answer)](const WebSocketItem& item) -> std::optional<FrameAnswer> {
        if (item.kind != kind) return std::nullopt;
        return answer(item);
      });
}

Behaviour answering_where(std::function<bool(const WebSocketItem& item)> applies,
                          FrameAnswer answer) {
  return taking(
      [applies = std::move(applies), answer = std::move(answer)](const WebSocketItem& item) {
        return applies(item) ? std::optional(answer) : std::nullopt;
      });
}

Behaviour passing_over(WebSocketFault fault) {
  return answering_where(
      [fault](const WebSocketItem& item) {
        return item.kind == Kind::fault && item.fault == fault;
      },
      {});
}

Behaviour dying_of_frame(std::set<WebSocketFault> faults) {
  return taking(
      [faults = std::move(faults)](const WebSocketItem& item) -> std::optional<FrameAnswer> {
        if (item.kind == Kind::fault && faults.contains(item.fault))
          throw Catastrophe{Catastrophe::Manner::exit};
        return std::nullopt;
      });
}

Behaviour writing_frames(const wire::FrameDetails& details) {
  return {.websocket = {
              .write = [details](std::string_view reply) { return server_frame(details, reply); }}};
}

Behaviour shaking_hands(
    std::function<std::string(const wire::HttpMessage& request, std::string proper)> answer) {
  return {.websocket = {.handshake = std::move(answer)}};
}

std::string with_field(std::string response, const std::string& field) {
  const auto line_end = response.find("\r\n");
  return response.insert(line_end + 2, field + "\r\n");
}

Behaviour changing_head(std::function<void(std::string& bytes)> change) {
  return {.websocket = {.reading = [change = std::move(change)]() -> ChangeBytes {
            return [change](std::string_view bytes) {
              std::string changed(bytes);
              change(changed);
              return changed;
            };
          }}};
}

Behaviour changing_first_byte(std::function<unsigned(unsigned)> change) {
  return changing_head([change = std::move(change)](std::string& bytes) {
    bytes.front() = static_cast<char>(change(static_cast<unsigned char>(bytes.front())));
  });
}

}  // namespace jrpcheck::reference
