// Faults of its frames, over WebSocket, and of its reads, on a stream of lines.
#include <algorithm>

#include "reference-impl/client/client_edits.hpp"
#include "reference-impl/client/client_mutants.hpp"

namespace jrpcheck::reference {

namespace {

using wire::WebSocketFault;

ChangeHooks change_frames(std::function<void(ClientFrameHooks& frames)> change) {
  return [change = std::move(change)](ClientHooks& hooks) { change(hooks.frames); };
}

ChangeHooks read_on_after(std::vector<WebSocketFault> faults) {
  return change_frames([faults = std::move(faults)](ClientFrameHooks& frames) {
    frames.fails_for = [faults](WebSocketFault fault) {
      return std::find(faults.begin(), faults.end(), fault) == faults.end();
    };
  });
}

// Nor is what comes behind one a reason to end the connection.
void leave_closes(ClientFrameHooks& frames) {
  frames.answers_closes = false;
  frames.fails_for = [](WebSocketFault fault) { return fault != WebSocketFault::behind_close; };
}

const ClientMutant kFaultsOfFrames[] = {
    {"leaves-pings", breaks("cl-ws-ping"), kOverWs, "A ping has no pong.",
     change_frames([](ClientFrameHooks& frames) {
       frames.pong = [](const std::string&) { return std::optional<std::string>(); };
     })},
    {"pongs-without-payload", breaks("cl-ws-ping"), kOverWs, "Its pongs are empty.",
     change_frames([](ClientFrameHooks& frames) {
       frames.pong = [](const std::string&) { return std::optional(std::string()); };
     })},
    {"pongs-cut-short", breaks("cl-ws-ping"), kOverWs, "Its pongs have no more than 100 bytes.",
     change_frames([](ClientFrameHooks& frames) {
       frames.pong = [](const std::string& ping) { return std::optional(ping.substr(0, 100)); };
     })},
    {"reads-pings-as-messages", breaks("cl-ws-control").perhaps("cl-ws-ping"), kOverWs,
     "What a ping holds is a message to it.",
     change_frames([](ClientFrameHooks& frames) { frames.reads_pings_as_messages = true; })},
    {"loses-messages-around-pings", breaks("cl-ws-control"), kOverWs,
     "A message in whose fragments a ping stands is lost.",
     change_frames([](ClientFrameHooks& frames) { frames.loses_messages_around_pings = true; })},
    {"ends-at-pongs", breaks("cl-ws-control"), kOverWs,
     "A pong that it has not asked for ends the connection.",
     change_frames([](ClientFrameHooks& frames) { frames.ends_at_pongs = true; })},
    {"reads-fragments-alone", breaks("cl-ws-fragments").perhaps("cl-ws-control", "cl-ws-fail"),
     kOverWs, "Each fragment is a message to it.",
     change_frames([](ClientFrameHooks& frames) { frames.reads_fragments_alone = true; })},
    {"leaves-closes", breaks("cl-ws-close"), kOverWs, "A Close has no answer.",
     change_frames(leave_closes)},
    {"leaves-closes-and-says-its-own", breaks("cl-ws-close"), kOverWs,
     "A Close has no answer, though it takes its leave by one at the end.",
     change_frames([](ClientFrameHooks& frames) {
       leave_closes(frames);
       frames.takes_leave = true;
     })},
    {"reads-after-close",
     breaks("cl-ws-close").perhaps("cl-ws-fail", "cl-ws-unmasked", "cl-req-json"), kOverWs,
     "What comes after a Close is taken.",
     change_frames([](ClientFrameHooks& frames) { frames.reads_after_close = true; })},
    {"takes-masked-frames", breaks("cl-ws-unmasked"), kOverWs,
     "A frame of the server may be masked.", read_on_after({WebSocketFault::masked})},
    {"takes-reserved-frames", breaks("cl-ws-fail"), kOverWs, "Reserved opcodes are passed over.",
     read_on_after({WebSocketFault::reserved_opcode})},
    {"takes-reserved-bits", breaks("cl-ws-fail"), kOverWs, "Reserved bits say nothing to it.",
     read_on_after({WebSocketFault::reserved_bits})},
    {"takes-odd-fragments", breaks("cl-ws-fail"), kOverWs,
     "Fragments may continue nothing, and be broken off by another message.",
     read_on_after({WebSocketFault::nothing_to_continue, WebSocketFault::message_interrupted})},
    {"takes-odd-controls", breaks("cl-ws-fail").perhaps("cl-req-json"), kOverWs,
     "Control frames may be long, and in fragments.",
     read_on_after({WebSocketFault::control_too_long, WebSocketFault::control_in_fragments})},
    {"takes-reads-for-messages", breaks("cl-framing").perhaps_any_of("cl-"), kOverTcp | kOverStdio,
     "What one read brings is one message to it.",
     [](ClientHooks& hooks) { hooks.takes_reads_for_messages = true; }},
    {"loses-what-is-read-ahead", breaks("cl-framing").perhaps("cl-server-call"),
     kOverTcp | kOverStdio, "Of messages that come in one read it takes the first.",
     [](ClientHooks& hooks) { hooks.loses_what_is_read_ahead = true; }},
};

}  // namespace

std::span<const ClientMutant> client_faults_of_frames() { return kFaultsOfFrames; }

}  // namespace jrpcheck::reference
