#include "corpus/load_step.hpp"

#include <array>

#include "base/contains.hpp"
#include "corpus/load_parts.hpp"
#include "wire/deflate.hpp"

namespace jrpcheck::corpus {
namespace {

constexpr std::array<std::string_view, 14> kChargeableParts = {
    "silence", "reply", "id",      "kind",     "envelope",   "code", "result",
    "shape",   "count", "missing", "survival", "connection", "pong", "close"};

void read_one(const json::Value& message, Step& step, Complaint& complaint) {
  const json::Value* frame = message.find("frame");
  if (frame == nullptr || message.size() != 1 || !frame->is(json::Kind::object)) {
    step.messages.push_back(read_message(message, complaint));
    return;
  }
  std::string payload;
  step.frames.emplace(step.messages.size(), read_frame(*frame, payload, complaint));
  step.messages.emplace_back(std::move(payload));
}

void read_send(const MemberReader& reader, Step& step, Complaint& complaint) {
  const json::Value* send = reader.find_any("send");
  if (send == nullptr) {
    reader.complain("member \"send\" is missing");
  } else if (send->is(json::Kind::array)) {
    if (send->size() == 0) complaint.raise(*send, "\"send\" must hold at least one message");
    for (const auto& message : send->children()) {
      read_one(message, step, complaint);
    }
  } else {
    read_one(*send, step, complaint);
  }
}

void read_write(const MemberReader& reader, Step& step, Complaint& complaint) {
  const json::Value* object = reader.find("write", json::Kind::object);
  if (object == nullptr) return;
  const MemberReader write(*object, complaint, {"every", "at", "after-replies", "after-head"});
  const bool every_piece = write.find_any("every") != nullptr;
  const bool at_offsets = write.find_any("at") != nullptr;
  step.write_after_head = write.flag("after-head");
  if ((every_piece && object->size() != 1) ||
      (!every_piece && !at_offsets && !step.write_after_head)) {
    complaint.raise(*object, "\"write\" has one of every and at");
  }
  if (const json::Value* every = write.find_any("every")) {
    step.write_every = write.size("every").value_or(0);
    if (step.write_every == 0) complaint.raise(*every, "\"every\" is a number above 0");
  }
  if (const json::Value* offsets = write.find("at", json::Kind::array)) {
    for (const auto& offset : offsets->children()) {
      const auto number = to_integer(offset);
      if (!number || *number <= 0) complaint.raise(offset, "\"at\" holds offsets above 0");
      step.write_at.push_back(static_cast<std::size_t>(number.value_or(1)));
    }
  }
  if (const json::Value* replies = write.find_any("after-replies")) {
    step.write_after_replies = write.size("after-replies").value_or(0);
    if (step.write_after_replies == 0 || !at_offsets) {
      complaint.raise(*replies, "\"after-replies\" is a number above 0, beside \"at\"");
    }
  }
}

void read_then(const MemberReader& reader, Step& step, Complaint& complaint) {
  const json::Value* then = reader.find("then", json::Kind::string);
  if (then == nullptr) return;
  if (then->text() == "hold") {
    step.then = Step::Then::hold;
  } else if (then->text() == "reset") {
    step.then = Step::Then::reset;
  } else if (then->text() == "reset-within-answer") {
    step.then = Step::Then::reset_within_answer;
  } else {
    complaint.raise(*then, "\"then\" is hold, reset or reset-within-answer");
  }
}

void read_headers(const MemberReader& reader, Step& step, Complaint& complaint) {
  const json::Value* headers = reader.find("headers", json::Kind::object);
  if (headers == nullptr) return;
  for (std::size_t i = 0; i < headers->size(); ++i) {
    const json::Value& value = headers->children()[i];
    if (value.is(json::Kind::string)) {
      step.http.headers.emplace_back(headers->names()[i], value.text());
    } else {
      if (!value.is(json::Kind::null)) complaint.raise(value, "a header is a string or null");
      step.http.headers.emplace_back(headers->names()[i], std::nullopt);
    }
  }
}

void read_handshake(const MemberReader& reader, Step& step, Complaint& complaint) {
  const json::Value* object = reader.find("handshake", json::Kind::object);
  if (object == nullptr) return;
  step.handshake = true;
  const MemberReader handshake(*object, complaint, {"headers", "needs"});
  read_headers(handshake, step, complaint);
  step.needs_extension = handshake.text("needs");
  if (!step.needs_extension.empty() && step.needs_extension != wire::kDeflateName) {
    complaint.raise(*object, "a handshake \"needs\" permessage-deflate or nothing");
  }
}

void read_http(const MemberReader& reader, Step& step, Complaint& complaint) {
  const json::Value* object = reader.find("http", json::Kind::object);
  if (object == nullptr) return;
  const MemberReader http(
      *object, complaint,
      {"method", "path", "headers", "chunked", "until-stream-ends", "needs-session", "needs-login",
       "needs-endpoint", "without-endpoint", "another-listens", "on-loopback"});
  if (http.find_any("method") != nullptr) step.http.method = http.required_text("method");
  step.http.path = http.text("path");
  if (!step.http.path.empty() && step.http.path.front() != '/') {
    complaint.raise(*object, "a \"path\" begins with /");
  }
  step.http.chunked = http.flag("chunked");
  step.http.until_stream_ends = http.flag("until-stream-ends");
  step.http.needs_session = http.flag("needs-session");
  step.http.needs_login = http.flag("needs-login");
  step.http.needs_endpoint = http.flag("needs-endpoint");
  step.http.without_endpoint = http.flag("without-endpoint");
  step.http.another_listens = http.flag("another-listens");
  if (step.http.another_listens && !step.http.needs_endpoint) {
    complaint.raise(*object, "\"another-listens\" goes with \"needs-endpoint\"");
  }
  step.http.on_loopback = http.flag("on-loopback");
  read_headers(http, step, complaint);
}

using Version = wire::TlsDetails::Version;

Version read_version(const json::Value& value, Complaint& complaint) {
  const bool is_text = value.is(json::Kind::string);
  if (is_text && value.text() == "1.1") return Version::tls_1_1;
  if (is_text && value.text() == "1.2") return Version::tls_1_2;
  complaint.raise(value, "\"highest-version\" is 1.1 or 1.2");
  return Version::newest;
}

void read_tls(const MemberReader& reader, Step& step, Complaint& complaint) {
  const json::Value* object = reader.find("tls", json::Kind::object);
  if (object == nullptr) return;
  const MemberReader tls(
      *object, complaint,
      {"highest-version", "protocols", "server-name", "record-bytes", "key-update", "renegotiates",
       "without-certificate", "half-close", "awaits-end", "plain"});
  auto& details = step.tls.emplace();
  if (const json::Value* version = tls.find_any("highest-version")) {
    details.highest = read_version(*version, complaint);
  }
  if (const json::Value* protocols = tls.find("protocols", json::Kind::array)) {
    for (const auto& protocol : protocols->children()) {
      if (protocol.is(json::Kind::string)) details.protocols.push_back(protocol.text());
    }
  }
  if (tls.find_any("server-name") != nullptr) details.server_name = tls.text("server-name");
  details.record_bytes = tls.size("record-bytes").value_or(0);
  details.key_update = tls.flag("key-update");
  details.renegotiates = tls.flag("renegotiates");
  details.without_certificate = tls.flag("without-certificate");
  details.half_closes = tls.flag("half-close");
  details.awaits_end = tls.flag("awaits-end");
  details.is_plain = tls.flag("plain");
}

void read_charges(const MemberReader& reader, Step& step, Complaint& complaint) {
  const json::Value* object = reader.find("charge", json::Kind::object);
  if (object == nullptr) return;
  for (std::size_t i = 0; i < object->size(); ++i) {
    const std::string& part = object->names()[i];
    const json::Value& requirement = object->children()[i];
    if (!contains(kChargeableParts, part)) {
      complaint.raise(requirement, "unknown part \"" + part + "\" in \"charge\"");
    }
    if (!requirement.is(json::Kind::string)) {
      complaint.raise(requirement, "a charge is the id of a requirement");
    }
    step.charge[part] = requirement.text();
  }
}

}  // namespace

std::string read_message(const json::Value& message, Complaint& complaint) {
  const MemberReader reader(message, complaint, {"json", "text", "hex", "parts"});
  if (message.size() != 1) {
    complaint.raise(message, "a message has exactly one of json, text, hex, parts and frame");
    return {};
  }
  if (const json::Value* value = reader.find_any("json")) return json::write(*value);
  if (const json::Value* hex = reader.find("hex", json::Kind::string)) {
    return read_hex(*hex, complaint);
  }
  if (const json::Value* parts = reader.find("parts", json::Kind::array)) {
    return read_parts(*parts, complaint);
  }
  return reader.text("text");
}

Step read_step(const json::Value& object, const std::vector<std::string>& requirements,
               Complaint& complaint) {
  const MemberReader reader(object, complaint,
                            {"send",
                             "raw",
                             "listen-first-ms",
                             "write",
                             "end-of-input",
                             "then",
                             "concurrently",
                             "same-connection",
                             "same-status",
                             "after-result",
                             "after-error",
                             "after-failure",
                             "after-invalid-params",
                             "http",
                             "handshake",
                             "tls",
                             "as-it-stands",
                             "slow",
                             "for-each",
                             "accept",
                             "charge"});
  if (const json::Value* each = reader.find("for-each", json::Kind::object)) {
    const MemberReader items(*each, complaint, {"of", "most"});
    items.required_text("of");
    items.size("most");
  }
  Step step;
  read_send(reader, step, complaint);
  step.raw = reader.flag("raw");
  step.listen_first_ms = reader.size("listen-first-ms").value_or(0);
  step.end_of_input = reader.flag("end-of-input");
  read_then(reader, step, complaint);
  step.as_it_stands = reader.flag("as-it-stands");
  step.slow = reader.flag("slow");
  step.concurrently = reader.flag("concurrently");
  step.same_connection = reader.flag("same-connection");
  step.same_status = reader.flag("same-status");
  step.after_result = reader.flag("after-result");
  step.after_error = reader.flag("after-error");
  step.after_failure = reader.flag("after-failure");
  step.after_invalid_params = reader.flag("after-invalid-params");
  read_write(reader, step, complaint);
  read_http(reader, step, complaint);
  read_handshake(reader, step, complaint);
  read_tls(reader, step, complaint);
  read_charges(reader, step, complaint);
  const std::string default_charge = requirements.empty() ? "" : requirements.front();
  if (const json::Value* accept = reader.require("accept", json::Kind::array)) {
    if (accept->size() == 0) complaint.raise(*accept, "\"accept\" must name at least one outcome");
    for (const auto& outcome : accept->children()) {
      step.accept.push_back(read_outcome(outcome, default_charge, complaint));
    }
  }
  return step;
}

}  // namespace jrpcheck::corpus
