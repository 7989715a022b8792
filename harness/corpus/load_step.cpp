#include "corpus/load_step.hpp"

#include <algorithm>
#include <array>

namespace jrpcheck::corpus {
namespace {

constexpr std::array<std::string_view, 8> kChargeableParts = {
    "silence", "reply", "id", "kind", "code", "result", "shape", "count"};

// Far more than any case needs, and little enough to stay harmless when a file is mistyped.
constexpr std::size_t kMaxMessageBytes = 64U << 20;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string read_hex(const json::Value& value, Complaint& complaint) {
  std::string digits;
  for (const char c : value.text()) {
    if (c != ' ') digits.push_back(c);
  }
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    const int high = hex_digit(digits[i]);
    const int low = hex_digit(digits[i + 1]);
    if (high < 0 || low < 0) complaint.raise(value, "\"hex\" holds pairs of hexadecimal digits");
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  if (digits.size() % 2 != 0) complaint.raise(value, "\"hex\" has an odd number of digits");
  return bytes;
}

std::string read_part(const json::Value& part, Complaint& complaint) {
  if (part.is(json::Kind::string)) return part.text();
  const MemberReader reader(part, complaint, {"repeat", "times", "hex"});
  if (reader.find_any("hex") != nullptr) {
    if (part.size() != 1) complaint.raise(part, "a part with \"hex\" has no other member");
    const json::Value* hex = reader.find("hex", json::Kind::string);
    return hex != nullptr ? read_hex(*hex, complaint) : std::string();
  }
  const std::string repeated = reader.required_text("repeat");
  if (repeated.empty()) return {};
  const std::size_t times = reader.size("times").value_or(0);
  if (times == 0 || times > kMaxMessageBytes / repeated.size()) {
    complaint.raise(part, "\"times\" is missing, 0 or makes more than 64 MiB");
    return {};
  }
  std::string bytes;
  bytes.reserve(repeated.size() * times);
  for (std::size_t i = 0; i < times; ++i) bytes += repeated;
  return bytes;
}

std::string read_message(const json::Value& message, Complaint& complaint) {
  const MemberReader reader(message, complaint, {"json", "text", "hex", "parts"});
  if (message.size() != 1) {
    complaint.raise(message, "a message has exactly one of json, text, hex and parts");
    return {};
  }
  if (const json::Value* value = reader.find_any("json")) return json::write(*value);
  if (const json::Value* hex = reader.find("hex", json::Kind::string)) {
    return read_hex(*hex, complaint);
  }
  if (const json::Value* parts = reader.find("parts", json::Kind::array)) {
    std::string bytes;
    for (const auto& part : parts->children()) bytes += read_part(part, complaint);
    return bytes;
  }
  return reader.text("text");
}

void read_send(const MemberReader& reader, Step& step, Complaint& complaint) {
  const json::Value* send = reader.find_any("send");
  if (send == nullptr) {
    reader.complain("member \"send\" is missing");
  } else if (send->is(json::Kind::array)) {
    if (send->size() == 0) complaint.raise(*send, "\"send\" must hold at least one message");
    for (const auto& message : send->children()) {
      step.messages.push_back(read_message(message, complaint));
    }
  } else {
    step.messages.push_back(read_message(*send, complaint));
  }
}

void read_write(const MemberReader& reader, Step& step, Complaint& complaint) {
  const json::Value* object = reader.find("write", json::Kind::object);
  if (object == nullptr) return;
  const MemberReader write(*object, complaint, {"every", "at"});
  if (object->size() != 1) complaint.raise(*object, "\"write\" has one of every and at");
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
}

void read_http(const MemberReader& reader, Step& step, Complaint& complaint) {
  const json::Value* object = reader.find("http", json::Kind::object);
  if (object == nullptr) return;
  const MemberReader http(*object, complaint, {"method", "headers", "chunked"});
  if (http.find_any("method") != nullptr) step.http.method = http.required_text("method");
  step.http.chunked = http.flag("chunked");
  const json::Value* headers = http.find("headers", json::Kind::object);
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

void read_charges(const MemberReader& reader, Step& step, Complaint& complaint) {
  const json::Value* object = reader.find("charge", json::Kind::object);
  if (object == nullptr) return;
  for (std::size_t i = 0; i < object->size(); ++i) {
    const std::string& part = object->names()[i];
    const json::Value& requirement = object->children()[i];
    if (std::find(kChargeableParts.begin(), kChargeableParts.end(), part) ==
        kChargeableParts.end()) {
      complaint.raise(requirement, "unknown part \"" + part + "\" in \"charge\"");
    }
    if (!requirement.is(json::Kind::string)) {
      complaint.raise(requirement, "a charge is the id of a requirement");
    }
    step.charge[part] = requirement.text();
  }
}

}  // namespace

Step read_step(const json::Value& object, const std::vector<std::string>& requirements,
               Complaint& complaint) {
  const MemberReader reader(object, complaint,
                            {"send", "raw", "write", "end-of-input", "concurrently",
                             "same-connection", "http", "accept", "charge"});
  Step step;
  read_send(reader, step, complaint);
  step.raw = reader.flag("raw");
  step.end_of_input = reader.flag("end-of-input");
  step.concurrently = reader.flag("concurrently");
  step.same_connection = reader.flag("same-connection");
  read_write(reader, step, complaint);
  read_http(reader, step, complaint);
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
