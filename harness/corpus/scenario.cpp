#include "corpus/scenario.hpp"

#include "base/contains.hpp"
#include "base/names.hpp"
#include "corpus/load_parts.hpp"
#include "corpus/member_reader.hpp"
#include "json/parse.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::corpus {
namespace {

using json::Kind;

constexpr std::string_view kBeginning = "client/";  // of ids, and of the files that are built in

std::vector<CallOutcome> read_outcomes(const MemberReader& reader, std::string_view member) {
  std::vector<CallOutcome> outcomes;
  for (const auto& name : reader.texts(member)) {
    const auto outcome = value_named<CallOutcome>(name);
    if (!outcome) {
      reader.complain("\"" + name + "\" is no outcome of a call");
    } else {
      outcomes.push_back(*outcome);
    }
  }
  return outcomes;
}

// Text, or the parts that make it where it is too long to be written or no text.
std::string read_answer(const json::Value& message, Complaint& complaint) {
  if (message.is(Kind::string)) return message.text();
  if (message.is(Kind::object)) {
    const MemberReader reader(message, complaint, {"parts"});
    if (const json::Value* parts = reader.require("parts", Kind::array)) {
      return read_parts(*parts, complaint);
    }
  }
  complaint.raise(message, "a message is a text, or an Object with \"parts\"");
  return {};
}

// A frame: its payload is written as a message is, or as the code of a Close.
ScenarioFrame read_scenario_frame(const json::Value& object, Complaint& complaint) {
  ScenarioFrame frame;
  frame.details.mask = false;
  const MemberReader reader(object, complaint,
                            {"opcode", "fin", "rsv", "mask", "payload", "half", "code"});
  frame.details.opcode = static_cast<unsigned>(reader.size("opcode").value_or(wire::kText));
  if (reader.find_any("fin") != nullptr) frame.details.fin = reader.flag("fin");
  frame.details.mask = reader.flag("mask");
  frame.details.rsv = static_cast<unsigned>(reader.size("rsv").value_or(0));
  if (frame.details.opcode > 15 || frame.details.rsv > 7) {
    reader.complain("\"opcode\" is a number from 0 to 15, and \"rsv\" from 0 to 7");
  }
  if (const json::Value* payload = reader.find_any("payload")) {
    frame.payload = read_answer(*payload, complaint);
  }
  frame.half = reader.size("half").value_or(0);
  if (frame.half > 2) reader.complain("\"half\" is 1 or 2");
  if (const auto code = reader.size("code")) {
    frame.payload = wire::close_payload(static_cast<int>(*code));
  }
  return frame;
}

constexpr std::string_view kPlaceholders[] = {"id",    "id1",   "id2",      "id3",
                                              "value", "wrong", "good",     "good1",
                                              "good2", "good3", "other-id", "id-as-fraction"};

// What would go out as it stands, and mean nothing.
void refuse_unknown_placeholders(const Scenario& one, const MemberReader& reader) {
  auto messages = one.answer;
  for (const auto& each : one.frames) messages.push_back(each.payload);
  for (const auto& message : messages) {
    for (auto at = message.find("${"); at != std::string::npos; at = message.find("${", at + 2)) {
      const auto end = message.find('}', at);
      const auto name = message.substr(at + 2, end == std::string::npos ? end : end - at - 2);
      if (!contains(kPlaceholders, name)) {
        reader.complain("\"answer\" has no placeholder ${" + name + "}");
      }
    }
  }
}

void refuse_contradictions(const Scenario& one, const MemberReader& reader) {
  for (const auto outcome : one.warn) {
    if (contains(one.accept, outcome)) {
      reader.complain("\"" + std::string(name_of(outcome)) + "\" is accepted, and warns as well");
    }
  }
  for (const auto outcome : one.warn_over_http) {
    if (!contains(one.accept, outcome) || (!one.doors.empty() && !contains(one.doors, "http"))) {
      reader.complain("\"warn-over-http\" is of what is accepted, and of the door http");
    }
  }
  if (one.cut > 0 && (one.answer.empty() || one.then.empty())) {
    reader.complain("\"cut\" takes an \"answer\", and \"then\" to end the connection");
  }
  if (!one.frames.empty() && (one.doors != std::vector<std::string>{"ws"} || !one.answer.empty())) {
    reader.complain("\"frames\" are for the door ws alone, and take the place of an \"answer\"");
  }
  const bool has_answer = !one.answer.empty() || !one.frames.empty() || !one.then.empty();
  if (one.is_unanswered && (has_answer || one.is_of_notification)) {
    reader.complain("\"unanswered\" stands alone: nothing is answered");
  }
  if ((one.is_unanswered || one.is_of_notification) &&
      (one.order != CallOrder::in_turn || !one.frames.empty() || !one.then.empty())) {
    reader.complain("\"notification\" and \"unanswered\" are for calls in turn");
  }
  if (one.in_one_write && one.in_two_writes) {
    reader.complain("\"in-one-write\" and \"in-two-writes\" exclude each other");
  }
  if (!one.result.empty() && !json::parse(one.result)) reader.complain("\"result\" is not JSON");
}

Scenario read_scenario(const json::Value& object, Complaint& complaint) {
  const MemberReader reader(
      object, complaint,
      {"id",           "title",         "requirements",  "doors",        "order",
       "answer",       "frames",        "result",        "notification", "unanswered",
       "in-one-write", "in-two-writes", "http-status",   "http-type",    "http-chunk",
       "cut",          "then",          "accept",        "warn",         "others-may-fail",
       "because",      "kills",         "warn-over-http"});
  Scenario one;
  one.id = reader.required_text("id");
  complaint.about("scenario '" + one.id + "'");
  if (!one.id.starts_with(kBeginning)) reader.complain("its id does not begin with client/");
  one.title = reader.required_text("title");
  one.requirements = reader.texts("requirements");
  if (one.requirements.empty()) reader.complain("\"requirements\" names none");
  one.doors = reader.texts("doors");
  const std::string order = reader.text("order");
  const auto known = order.empty() ? CallOrder::in_turn : value_named<CallOrder>(order);
  if (!known) reader.complain("\"order\" is in-turn, together or batch");
  one.order = known.value_or(CallOrder::in_turn);
  if (const json::Value* answer = reader.find("answer", Kind::array)) {
    for (const auto& each : answer->children()) one.answer.push_back(read_answer(each, complaint));
  }
  if (const json::Value* frames = reader.find("frames", Kind::array)) {
    for (const auto& each : frames->children()) {
      one.frames.push_back(read_scenario_frame(each, complaint));
    }
  }
  one.result = reader.text("result");
  one.is_of_notification = reader.flag("notification");
  one.is_unanswered = reader.flag("unanswered");
  one.in_one_write = reader.flag("in-one-write");
  one.in_two_writes = reader.flag("in-two-writes");
  one.http_status = reader.size("http-status").value_or(200);
  if (reader.find_any("http-type") != nullptr) one.http_type = reader.text("http-type");
  one.http_chunk = reader.size("http-chunk").value_or(0);
  one.cut = reader.size("cut").value_or(0);
  one.then = reader.text("then");
  if (!one.then.empty() && one.then != "close" && one.then != "reset") {
    reader.complain("\"then\" is close or reset");
  }
  one.accept = read_outcomes(reader, "accept");
  if (one.accept.empty()) reader.complain("\"accept\" names no outcome");
  one.warn = read_outcomes(reader, "warn");
  one.warn_over_http = read_outcomes(reader, "warn-over-http");
  one.others_may_fail = reader.flag("others-may-fail");
  one.because = reader.text("because");
  one.kills = reader.texts("kills");
  one.line = complaint.place_of(object).line;
  refuse_unknown_placeholders(one, reader);
  refuse_contradictions(one, reader);
  return one;
}

}  // namespace

std::string_view name_of(CallOrder order) {
  return name_at({"in-turn", "together", "batch"}, order);
}

std::string_view name_of(CallOutcome outcome) {
  return name_at({"value", "error", "wrong", "nothing", "waits", "died"}, outcome);
}

Scenario over_http(Scenario scenario) {
  for (const auto each : scenario.warn_over_http) {
    std::erase(scenario.accept, each);
    scenario.warn.push_back(each);
  }
  return scenario;
}

SoundScenarios load_sound_scenarios(const std::string& name, std::string_view text) {
  SoundScenarios all;
  Complaint complaint(name, text);
  const auto parsed = complaint.parse(text);
  const auto note = [&] {
    auto error = complaint.take();
    if (!error) return false;
    all.errors.push_back(*std::move(error));
    return true;
  };
  if (!parsed) {
    note();
    return all;
  }
  const MemberReader file(*parsed, complaint, {"$schema", "about", "role", "scenarios"});
  if (file.required_text("role") != "client") file.complain("\"role\" is client");
  const json::Value* list = file.require("scenarios", Kind::array);
  if (note() || list == nullptr) return all;
  for (const auto& each : list->children()) {
    auto one = read_scenario(each, complaint);
    one.file = name;
    if (!note()) all.scenarios.push_back(std::move(one));
  }
  return all;
}

Result<std::vector<Scenario>> load_scenarios(const std::string& name, std::string_view text,
                                             const Ledger& ledger) {
  auto all = load_sound_scenarios(name, text);
  if (!all.errors.empty()) return std::move(all.errors.front());
  for (const auto& one : all.scenarios) {
    for (const auto& id : one.requirements) {
      if (ledger.find(id) != nullptr) continue;
      std::string missing = name;
      missing += ":" + std::to_string(one.line) + ": scenario '" + one.id;
      missing += "': no requirement '" + id + "' is in the ledger";
      return Error{std::move(missing)};
    }
  }
  return std::move(all.scenarios);
}

bool holds_scenarios(std::string_view path, std::string_view text) {
  if (path.starts_with(kBeginning)) return true;
  if (text.find("\"scenarios\"") == std::string_view::npos) return false;
  const auto parsed = json::parse(text);
  return parsed && parsed.value->find("scenarios") != nullptr &&
         parsed.value->find("cases") == nullptr;
}

Case as_case(const Scenario& scenario) {
  Case one;
  one.id = scenario.id;
  one.title = scenario.title;
  one.requirements = scenario.requirements;
  one.kills = scenario.kills;
  one.file = scenario.file;
  one.line = scenario.line;
  return one;
}

}  // namespace jrpcheck::corpus
