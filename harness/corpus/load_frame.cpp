#include "corpus/load_parts.hpp"
#include "corpus/load_step.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::corpus {
namespace {

unsigned read_opcode(const json::Value& value, Complaint& complaint) {
  for (unsigned opcode = 0; value.is(json::Kind::string) && opcode <= wire::kPong; ++opcode) {
    const auto name = wire::name_of_opcode(opcode);
    if (!name.empty() && name == value.text()) return opcode;
  }
  const auto number = to_integer(value);
  if (!number || *number < 0 || *number > 15) {
    complaint.raise(value, "\"opcode\" is the name of one, or a number from 0 to 15");
    return wire::kText;
  }
  return static_cast<unsigned>(*number);
}

// A number of bytes that is announced, or how the length is written.
void read_length(const json::Value& object, wire::FrameDetails& frame, Complaint& complaint) {
  if (!object.is(json::Kind::object)) {
    const auto number = to_integer(object);
    if (!number || *number < 0) complaint.raise(object, "\"length\" is a number of bytes");
    frame.length = static_cast<std::uint64_t>(number.value_or(0));
    return;
  }
  const MemberReader length(object, complaint, {"announced", "bits"});
  if (object.size() == 0) complaint.raise(object, "\"length\" says what is announced, or its bits");
  if (const json::Value* announced = length.find_any("announced")) {
    const auto number = to_integer(*announced);
    if (!number || *number < 0) complaint.raise(*announced, "\"announced\" is a number of bytes");
    frame.length = static_cast<std::uint64_t>(number.value_or(0));
  }
  if (const json::Value* bits = length.find_any("bits")) {
    const auto number = to_integer(*bits);
    if (number != 7 && number != 16 && number != 64) {
      complaint.raise(*bits, "a length has 7, 16 or 64 \"bits\"");
    }
    frame.length_bits = static_cast<unsigned>(number.value_or(0));
  }
}

// Of a Close the code and the reason say more than bytes.
std::string read_payload(const json::Value& payload, Complaint& complaint) {
  const json::Value* code = payload.find("code");
  if (code == nullptr) return read_message(payload, complaint);
  const MemberReader reader(payload, complaint, {"code", "reason"});
  const auto number = to_integer(*code);
  if (!number || *number < 0 || *number > 0xFFFF) {
    complaint.raise(*code, "the \"code\" of a Close is a number from 0 to 65535");
  }
  const auto bytes = static_cast<unsigned>(number.value_or(0));
  std::string text;
  text.push_back(static_cast<char>(bytes >> 8U));
  text.push_back(static_cast<char>(bytes & 0xFFU));
  return text + reader.text("reason");
}

}  // namespace

wire::FrameDetails read_frame(const json::Value& object, std::string& payload,
                              Complaint& complaint) {
  const MemberReader reader(object, complaint,
                            {"opcode", "fin", "rsv", "mask", "length", "deflate", "payload"});
  wire::FrameDetails frame;
  if (const json::Value* opcode = reader.find_any("opcode")) {
    frame.opcode = read_opcode(*opcode, complaint);
  }
  if (reader.find_any("fin") != nullptr) frame.fin = reader.flag("fin");
  if (const json::Value* mask = reader.find_any("mask")) {
    frame.mask_bit = !mask->is(json::Kind::string) || mask->text() != "untold";
    if (frame.mask_bit) frame.mask = reader.flag("mask");
  }
  frame.deflate = reader.flag("deflate");
  if (const json::Value* rsv = reader.find_any("rsv")) {
    const auto bits = to_integer(*rsv);
    if (!bits || *bits < 0 || *bits > 7) complaint.raise(*rsv, "\"rsv\" is a number from 0 to 7");
    frame.rsv = static_cast<unsigned>(bits.value_or(0));
  }
  if (const json::Value* length = reader.find_any("length")) {
    read_length(*length, frame, complaint);
  }
  if (const json::Value* given = reader.find("payload", json::Kind::object)) {
    payload = read_payload(*given, complaint);
  }
  return frame;
}

}  // namespace jrpcheck::corpus
