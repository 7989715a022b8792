#include "corpus/load_case.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "corpus/bindings.hpp"
#include "corpus/load_step.hpp"
#include "corpus/member_reader.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::corpus {
namespace {

std::optional<Derivation> read_derivation(const MemberReader& reader, Complaint& complaint) {
  const json::Value* object = reader.find("derived-from", json::Kind::object);
  if (object == nullptr) return std::nullopt;
  const MemberReader derived(*object, complaint, {"case", "edit"});
  Derivation derivation;
  derivation.from = derived.required_text("case");
  if (const json::Value* edit = derived.require("edit", json::Kind::object)) {
    const MemberReader members(*edit, complaint, {"replace", "with"});
    derivation.replace = members.required_text("replace");
    members.require("with", json::Kind::string);
    derivation.with = members.text("with");
  }
  return derivation;
}

bool applies_to(const Outcome& outcome, std::string_view transport) {
  return outcome.transports.empty() || contains(outcome.transports, transport);
}

// A step without any outcome could neither pass nor fail.
void check_outcomes(const Case& one, const Step& step, const MemberReader& reader) {
  for (const auto& binding : wire::bindings()) {
    const bool expected = std::ranges::any_of(
        step.accept, [&](const Outcome& outcome) { return applies_to(outcome, binding.name); });
    if (one.applies_to(binding.name) && !expected) {
      reader.complain("\"accept\" names no outcome for the transport " + std::string(binding.name));
    }
  }
}

// Where a byte of a message would end it, the case is another.
void leave_out_where_cut(Case& one, const MemberReader& reader) {
  std::vector<std::string> left;
  bool is_cut = false;
  for (const auto& binding : wire::bindings()) {
    if (!one.applies_to(binding.name)) continue;
    if (one.stays_whole(binding)) {
      left.emplace_back(binding.name);
    } else {
      is_cut = true;
    }
  }
  if (!is_cut) return;
  if (left.empty()) {
    reader.complain("a byte of a message ends it wherever the case applies: \"raw\" sends it so");
  }
  one.transports = std::move(left);
}

void check_texts(const Case& one, const MemberReader& reader) {
  if (!is_case_id(one.id)) {
    reader.complain("the id must read group/name in lower case, digits and hyphens");
  }
  if (one.requirements.empty()) reader.complain("\"requirements\" must name at least one");
  for (const auto& role : one.roles) {
    if (!contains(known_roles(), role)) {
      reader.complain("unknown role \"" + role + "\"");
    }
  }
}

// A binding to which the case applies and that is no stream; nothing where there is none.
const wire::Binding* requests_among(const Case& one) {
  const auto bindings = wire::bindings();
  const auto found = std::ranges::find_if(
      bindings, [&](const auto& each) { return !each.is_stream() && one.applies_to(each.name); });
  return found == bindings.end() ? nullptr : &*found;
}

// Frames and handshakes are WebSocket's alone.
bool applies_beyond_websocket(const Case& one) {
  const auto bindings = wire::bindings();
  return std::ranges::any_of(
      bindings, [&](const auto& each) { return !each.is_upgrade && one.applies_to(each.name); });
}

void check_exit(const Case& one, const Step& step, const wire::Binding* requests,
                const MemberReader& reader) {
  if (requests != nullptr) {
    reader.complain("\"exited\": no program is seen to end over " + std::string(requests->name));
  }
  if (!step.end_of_input && one.session == Case::Session::shared) {
    reader.complain("\"exited\" needs \"end-of-input\", or a \"session\" of its own");
  }
  if (&step != &one.steps.back()) reader.complain("behind \"exited\" there is no further step");
}

// What is well-formed in itself, and would be passed over in silence when the case runs.
void check_steps(const Case& one, const MemberReader& reader) {
  bool observed = false;
  const wire::Binding* requests = requests_among(one);
  for (const auto& step : one.steps) {
    if (step.raw && requests != nullptr) {
      reader.complain("\"raw\" is for streams: \"transports\" must leave " +
                      std::string(requests->name) + " out");
    }
    if ((!step.frames.empty() || step.handshake) && applies_beyond_websocket(one)) {
      reader.complain(
          "\"frame\" and \"handshake\" are for WebSocket: \"transports\" must name "
          "websocket alone");
    }
    if (step.end_of_input && &step != &one.steps.back()) {
      reader.complain("after \"end-of-input\" there is no further step");
    }
    const bool needs_another = step.same_connection || step.same_status || step.after_result ||
                               step.after_error || step.after_failure || step.after_invalid_params;
    if (needs_another && &step == &one.steps.front()) {
      reader.complain(
          "\"same-connection\", \"same-status\", \"after-result\", \"after-error\", "
          "\"after-failure\" and \"after-invalid-params\" need a step before them");
    }
    if (step.awaits_exit()) check_exit(one, step, requests, reader);
    check_outcomes(one, step, reader);
    for (const auto& outcome : step.accept) observed = observed || !outcome.observe.empty();
  }
  if (observed != !one.observes.empty()) {
    reader.complain("\"observes\" of a case and \"observe\" of an outcome need each other");
  }
}

Case read_case(const json::Value& object, Complaint& complaint) {
  Case one;
  const json::Value* id = object.find("id");
  complaint.about(id != nullptr && id->is(json::Kind::string) ? "case '" + id->text() + "'"
                                                              : "a case without id");
  const MemberReader reader(
      object, complaint,
      {"id", "title", "requirements", "transports", "except-transports", "roles", "needs",
       "calibration", "typical", "derived-from", "rests-on", "observes", "steps", "kills",
       "versions", "when", "unless", "session", "refuses"});
  one.id = reader.required_text("id");
  one.title = reader.required_text("title");
  one.requirements = reader.texts("requirements");
  one.transports = read_transports(reader);
  one.roles = reader.texts("roles");
  one.kills = reader.texts("kills");
  one.observes = reader.text("observes");
  one.rests_on = reader.text("rests-on");
  one.calibration = reader.flag("calibration");
  one.typical = reader.flag("typical");
  one.versions = reader.texts("versions");
  one.when = reader.texts("when");
  one.unless = reader.texts("unless");
  const std::string session = reader.text("session");
  if (!session.empty() && session != "own" && session != "bare") {
    reader.complain("\"session\" is own or bare");
  }
  if (session == "own") one.session = Case::Session::own;
  if (session == "bare") one.session = Case::Session::bare;
  one.refuses = reader.texts("refuses");
  if (!one.refuses.empty() && one.session == Case::Session::shared) {
    reader.complain("\"refuses\" needs a \"session\" of its own");
  }
  for (const auto& need : reader.texts("needs")) {
    one.needs_batches = one.needs_batches || need == "batches";
    one.needs_answers_to_batches = one.needs_answers_to_batches || need == "answers-to-batches";
    one.needs_http_1_1 = one.needs_http_1_1 || need == "http-1.1";
    if (need != "batches" && need != "answers-to-batches" && need != "http-1.1") {
      reader.complain("unknown need \"" + need + "\"");
    }
  }
  one.derived_from = read_derivation(reader, complaint);
  if (const json::Value* steps = reader.require("steps", json::Kind::array)) {
    if (steps->size() == 0) complaint.raise(*steps, "\"steps\" must not be empty");
    for (const auto& step : steps->children()) {
      one.steps.push_back(read_step(step, one.requirements, complaint));
    }
  }
  leave_out_where_cut(one, reader);
  check_texts(one, reader);
  check_steps(one, reader);
  return one;
}

void remember_origin(Case& one, const json::Value& object, const std::string& name,
                     Complaint& complaint) {
  one.file = name;
  one.line = complaint.place_of(object).line;
  // The derivation is about the file and not about any run: its placeholders stay as they are.
  for (std::size_t i = 0; i < object.size(); ++i) {
    const std::string& member = object.names()[i];
    if (member == "derived-from") continue;
    one.source += one.source.empty() ? "{" : ",";
    one.source +=
        json::write(json::Value::string(member)) + ":" + json::write(object.children()[i]);
  }
  one.source += "}";
}

}  // namespace

SoundCases load_sound_cases(const std::string& name, std::string_view text) {
  SoundCases all;
  Complaint complaint(name, text);
  const auto parsed = complaint.parse(text);
  if (!parsed) {
    all.errors.push_back(complaint.error());
    return all;
  }
  const MemberReader file(*parsed, complaint, {"$schema", "about", "cases"});
  const json::Value* list = file.require("cases", json::Kind::array);
  if (auto error = complaint.take()) all.errors.push_back(*std::move(error));
  if (list == nullptr) return all;
  for (const auto& object : list->children()) {
    Case one = read_case(object, complaint);
    if (auto error = complaint.take()) {
      all.errors.push_back(*std::move(error));
    } else {
      remember_origin(one, object, name, complaint);
      all.cases.push_back(std::move(one));
    }
  }
  return all;
}

Result<std::vector<Case>> load_cases(const std::string& name, std::string_view text) {
  auto all = load_sound_cases(name, text);
  if (!all.errors.empty()) return std::move(all.errors.front());
  return std::move(all.cases);
}

bool is_case_id(std::string_view id) {
  const auto slash = id.find('/');
  const bool characters = std::ranges::all_of(
      id, [](char c) { return is_lower(c) || is_digit(c) || c == '-' || c == '/'; });
  return characters && slash != std::string_view::npos && slash > 0 && slash + 1 < id.size() &&
         id.find('/', slash + 1) == std::string_view::npos;
}

Result<Case> load_case(const std::string& name, std::string_view text) {
  Complaint complaint(name, text);
  const auto parsed = complaint.parse(text);
  if (!parsed) return complaint.error();
  Case one = read_case(*parsed, complaint);
  if (complaint.raised()) return complaint.error();
  remember_origin(one, *parsed, name, complaint);
  return one;
}

}  // namespace jrpcheck::corpus
