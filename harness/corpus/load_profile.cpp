#include "corpus/load_profile.hpp"

namespace jrpcheck::corpus {
namespace {

using json::Kind;
using Fields = std::vector<std::pair<std::string, std::string>>;

std::string written(const json::Value* value) {
  return value == nullptr ? "" : json::write(*value);
}

void read_control(const json::Value& object, Complaint& complaint, Profile& profile) {
  const MemberReader reader(object, complaint, {"method", "params"});
  profile.control_method = reader.required_text("method");
  profile.control_params = written(reader.find_any("params"));
}

OpeningPlace place_in_opening(const json::Value& object, Complaint& complaint) {
  const MemberReader reader(object, complaint, {"method", "at"});
  return {reader.required_text("method"), reader.required_text("at")};
}

void read_empty_folder(const json::Value& object, Complaint& complaint, Profile& profile) {
  profile.empty_folder = place_in_opening(object, complaint);
}

void read_own_options(const json::Value& object, Complaint& complaint, Profile& profile) {
  profile.own_options = place_in_opening(object, complaint);
}

void read_answers(const json::Value& object, Complaint& complaint, Profile& profile) {
  profile.answers.clear();
  for (std::size_t i = 0; i < object.size(); ++i) {
    const json::Value& answer = object.children()[i];
    const MemberReader reader(answer, complaint, {"result", "error"});
    if (answer.size() != 1) reader.complain("an answer has one of result and error");
    const std::string text = json::write(answer);
    profile.answers[object.names()[i]] = text.substr(1, text.size() - 2);
  }
}

void read_exemptions(const json::Value& list, Complaint& complaint, Profile& profile) {
  for (const auto& each : list.children()) {
    const MemberReader reader(each, complaint, {"cases", "requirements", "clause", "because"});
    if (complaint.raised()) return;
    profile.exemptions.push_back({reader.texts("cases"), reader.texts("requirements"),
                                  reader.required_text("clause"), reader.required_text("because")});
  }
}

std::vector<long long> read_codes_of(const json::Value& list, Complaint& complaint) {
  std::vector<long long> codes;
  for (const auto& each : list.children()) {
    const auto code = to_integer(each);
    if (!code) complaint.raise(each, "a code is an integer");
    codes.push_back(code.value_or(0));
  }
  return codes;
}

void read_other_codes(const json::Value& list, Complaint& complaint, Profile& profile) {
  for (const auto& each : list.children()) {
    const MemberReader reader(each, complaint, {"code", "allowed", "clause", "because"});
    const json::Value* code = reader.require("code", Kind::number);
    const json::Value* allowed = reader.require("allowed", Kind::array);
    if (complaint.raised()) return;
    const auto asked_for = to_integer(*code);
    if (!asked_for) return complaint.raise(*code, "a code is an integer");
    profile.other_codes.push_back({*asked_for, read_codes_of(*allowed, complaint),
                                   reader.required_text("clause"),
                                   reader.required_text("because")});
  }
}

void read_lists(const json::Value& list, Complaint& complaint, Profile& profile) {
  profile.lists.clear();
  for (const auto& each : list.children()) {
    const MemberReader reader(each, complaint,
                              {"name", "method", "items", "next", "cursor", "when"});
    if (complaint.raised()) return;
    profile.lists.push_back({reader.required_text("name"), reader.required_text("method"),
                             reader.required_text("items"), reader.text("next"),
                             reader.text("cursor"), reader.text("when")});
  }
}

Condition read_condition(const json::Value& object, Complaint& complaint) {
  const MemberReader reader(
      object, complaint, {"at", "equals", "not-equals", "without", "at-most", "present", "begins"});
  Condition condition;
  condition.at = reader.text("at");
  condition.equals = written(reader.find_any("equals"));
  condition.not_equals = written(reader.find_any("not-equals"));
  condition.without = reader.texts("without");
  condition.begins = reader.text("begins");
  if (const json::Value* most = reader.find("at-most", Kind::number)) {
    condition.at_most = to_integer(*most);
  }
  if (reader.find_any("present") != nullptr) condition.present = reader.flag("present");
  return condition;
}

std::vector<Condition> read_conditions(const json::Value* list, Complaint& complaint) {
  std::vector<Condition> conditions;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    conditions.push_back(read_condition(list->children()[i], complaint));
  }
  return conditions;
}

void read_not_yet(const json::Value& list, Complaint& complaint, Profile& profile) {
  profile.not_yet = read_conditions(&list, complaint);
}

void read_selections(const json::Value& object, Complaint& complaint, Profile& profile) {
  for (std::size_t i = 0; i < object.size(); ++i) {
    const MemberReader reader(object.children()[i], complaint, {"of", "where", "name-at"});
    if (complaint.raised()) return;
    profile.selections[object.names()[i]] = {
        reader.required_text("of"), read_conditions(reader.find("where", Kind::array), complaint),
        reader.text("name-at")};
  }
}

void read_rules(const json::Value& list, Complaint& complaint, Profile& profile) {
  for (const auto& each : list.children()) {
    const MemberReader reader(each, complaint, {"rule", "charges"});
    if (complaint.raised()) return;
    profile.rules.push_back({reader.required_text("rule"), reader.required_text("charges")});
  }
}

Fields read_fields(const MemberReader& reader, std::string_view name) {
  Fields fields;
  const json::Value* object = reader.find(name, Kind::object);
  for (std::size_t i = 0; object != nullptr && i < object->size(); ++i) {
    fields.emplace_back(object->names()[i], object->children()[i].text());
  }
  return fields;
}

void read_http_habits(const json::Value& object, Complaint& complaint, Profile& profile) {
  const MemberReader reader(object, complaint,
                            {"fields", "after-opening", "kept", "listens", "from-message", "login",
                             "limits-users", "refuses-notifications"});
  HttpHabits habits;
  habits.fields = read_fields(reader, "fields");
  habits.after_opening = read_fields(reader, "after-opening");
  habits.kept = reader.texts("kept");
  habits.wants_login = reader.flag("login");
  habits.limits_users = reader.text("limits-users");
  habits.listens = reader.flag("listens");
  habits.refuses_notifications = reader.flag("refuses-notifications");
  const json::Value* from = reader.find("from-message", Kind::object);
  for (std::size_t i = 0; from != nullptr && i < from->size(); ++i) {
    const json::Value& pointers = from->children()[i];
    if (!pointers.is(Kind::array)) complaint.raise(pointers, "a list of JSON pointers is expected");
    auto& [field, places] =
        habits.from_message.emplace_back(from->names()[i], std::vector<std::string>());
    for (const auto& each : pointers.children()) places.push_back(each.text());
  }
  profile.http = std::move(habits);
}

void read_errors_without_id(const json::Value& object, Complaint& complaint, Profile& profile) {
  const MemberReader reader(object, complaint, {"from-status", "recorded-as"});
  if (complaint.raised()) return;
  const json::Value* from = reader.find("from-status", Kind::number);
  profile.errors_without_id = {
      from == nullptr ? 0 : static_cast<int>(to_integer(*from).value_or(0)),
      reader.text("recorded-as")};
}

}  // namespace

void read_law(const MemberReader& reader, Complaint& complaint, Profile& profile) {
  using Read = void (*)(const json::Value&, Complaint&, Profile&);
  struct Member {
    std::string_view name;
    Kind kind;
    Read read;
  };
  constexpr Member kMembers[] = {{"control", Kind::object, &read_control},
                                 {"not-yet", Kind::array, &read_not_yet},
                                 {"empty-folder", Kind::object, &read_empty_folder},
                                 {"own-options", Kind::object, &read_own_options},
                                 {"answers", Kind::object, &read_answers},
                                 {"exempts", Kind::array, &read_exemptions},
                                 {"other-codes", Kind::array, &read_other_codes},
                                 {"lists", Kind::array, &read_lists},
                                 {"selections", Kind::object, &read_selections},
                                 {"rules", Kind::array, &read_rules},
                                 {"errors-without-id", Kind::object, &read_errors_without_id},
                                 {"http", Kind::object, &read_http_habits}};
  for (const auto& member : kMembers) {
    const json::Value* value = reader.find(member.name, member.kind);
    if (value != nullptr && !complaint.raised()) member.read(*value, complaint, profile);
  }
  if (const json::Value* members = reader.find("request-members", Kind::object)) {
    profile.request_members = json::write(*members);
  }
  if (reader.find_any("declares") != nullptr) profile.declared_by = reader.text("declares");
  if (reader.find_any("silence") != nullptr) profile.silence = reader.text("silence");
  if (reader.find_any("schemas") != nullptr) profile.schemas = reader.text("schemas");
  if (reader.find_any("safe-methods") != nullptr) {
    profile.safe_methods = reader.texts("safe-methods");
  }
}

void read_detection(const MemberReader& reader, Complaint& complaint, Profile& profile) {
  const json::Value* list = reader.find("detection", Kind::array);
  if (list == nullptr) return;
  for (const auto& each : list->children()) {
    const MemberReader members(
        each, complaint, {"send", "versions-at", "shows", "version", "where-named", "fields"});
    if (complaint.raised()) return;
    VersionProbe probe{written(members.require("send", Kind::object)),
                       members.texts("versions-at")};
    probe.shows = read_conditions(members.find("shows", Kind::array), complaint);
    probe.version = members.text("version");
    probe.where_named = members.flag("where-named");
    probe.fields = read_fields(members, "fields");
    profile.detection.push_back(std::move(probe));
  }
}

}  // namespace jrpcheck::corpus
