#include "corpus/client_dialogue.hpp"

#include <utility>

#include "corpus/member_reader.hpp"
#include "json/parse.hpp"

namespace jrpcheck::corpus {
namespace {

using json::Kind;

std::map<std::string, std::string> read_answers(const MemberReader& reader, Complaint& complaint) {
  std::map<std::string, std::string> answers;
  const json::Value* object = reader.find("answers", Kind::object);
  if (object == nullptr) return answers;
  for (std::size_t i = 0; i < object->size(); ++i) {
    const auto& members = object->children()[i];
    const bool is_one = members.is(Kind::object) && members.size() == 1 &&
                        (members.find("result") != nullptr || members.find("error") != nullptr);
    if (!is_one) complaint.raise(members, "an answer has a \"result\" or an \"error\"");
    answers.emplace(object->names()[i], json::write(members));
  }
  return answers;
}

OwedAnswer read_owed(const json::Value& object, Complaint& complaint) {
  const MemberReader reader(object, complaint, {"items", "may-stay-away"});
  OwedAnswer owed;
  owed.items = reader.size("items");
  owed.may_stay_away = reader.flag("may-stay-away");
  return owed;
}

Dialogue read_dialogue(const json::Value& object, Complaint& complaint) {
  const MemberReader reader(object, complaint,
                            {"id", "title", "requirements", "doors", "answers", "say", "owed",
                             "goes-on", "leaves", "stays-silent", "forgets-session", "streams",
                             "breaks-stream", "takes-a-moment", "awaits", "kills"});
  Dialogue one;
  one.id = reader.required_text("id");
  complaint.about("dialogue '" + one.id + "'");
  one.title = reader.required_text("title");
  one.requirements = reader.texts("requirements");
  if (one.requirements.empty()) reader.complain("\"requirements\" names none");
  one.doors = reader.texts("doors");
  one.answers = read_answers(reader, complaint);
  if (const json::Value* say = reader.find("say", Kind::array)) {
    for (const auto& each : say->children()) one.say.push_back(json::write(each));
  }
  if (const json::Value* owed = reader.find("owed", Kind::object)) {
    for (std::size_t i = 0; i < owed->size(); ++i) {
      one.owed.emplace(owed->names()[i], read_owed(owed->children()[i], complaint));
    }
  }
  one.goes_on = reader.flag("goes-on");
  one.leaves = reader.flag("leaves");
  one.stays_silent = reader.flag("stays-silent");
  one.forgets_session = reader.flag("forgets-session");
  one.streams = reader.flag("streams");
  one.breaks_stream = reader.flag("breaks-stream");
  one.takes_a_moment = reader.flag("takes-a-moment");
  one.awaits = reader.text("awaits");
  one.kills = reader.texts("kills");
  return one;
}

Result<Dialogues> read_dialogues(const std::string& name, std::string_view text) {
  const auto parsed = json::parse(text);
  if (!parsed) return Error{name + ": not JSON: " + parsed.error.message};
  Complaint complaint(name, text);
  const MemberReader file(*parsed.value, complaint,
                          {"$schema", "about", "role", "ready", "answers", "dialogues"});
  if (file.required_text("role") != "client") file.complain("\"role\" is client");
  Dialogues all;
  all.ready = file.required_text("ready");
  all.answers = read_answers(file, complaint);
  const json::Value* list = file.require("dialogues", Kind::array);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    all.dialogues.push_back(read_dialogue(list->children()[i], complaint));
  }
  if (complaint.raised()) return complaint.error();
  if (all.dialogues.empty()) return Error{name + ": there is no dialogue"};
  return all;
}

}  // namespace

Result<Dialogues> load_dialogues(const std::string& name, std::string_view text,
                                 const Ledger* ledger) {
  auto all = read_dialogues(name, text);
  if (!all) return all;
  for (const auto& one : all->dialogues) {
    for (const auto& id : one.requirements) {
      if (ledger == nullptr || ledger->find(id) != nullptr) continue;
      return Error{std::string(name)
                       .append(": dialogue '")
                       .append(one.id)
                       .append("': no requirement '" + id + "' is in the ledger")};
    }
  }
  return all;
}

Result<bool> keep_dialogues_of_version(Dialogues& all, const Ledger& ledger,
                                       const std::string& profile) {
  const auto is_of_another = [&](const Dialogue& one) {
    return ledger.find(one.requirements.front()) == nullptr;
  };
  // Without the control nothing can be compared.
  if (is_of_another(all.dialogues.front())) {
    return Error{"clients of '" + profile + "' have no handshake, and no dialogue is for them"};
  }
  std::erase_if(all.dialogues, is_of_another);
  for (auto& one : all.dialogues) {
    std::erase_if(one.requirements, [&](const auto& id) { return ledger.find(id) == nullptr; });
  }
  return true;
}

Result<Dialogues> dialogues_of(const std::string& family, const std::vector<CorpusFile>& files,
                               const Ledger& ledger) {
  const std::string path = std::string(kProfilesPath) + family + "/client.json";
  for (const auto& each : files) {
    if (each.path == path) return load_dialogues(path, each.text, &ledger);
  }
  return Error{"there are no dialogues for clients of '" + family + "'; mcp and lsp have some"};
}

bool is_asked_by_dialogues(const Requirement& requirement) {
  return requirement.status.starts_with("jrpcheck client --profile ");
}

Case as_case(const Dialogue& dialogue) {
  Case one;
  one.id = dialogue.id;
  one.title = dialogue.title;
  one.requirements = dialogue.requirements;
  one.kills = dialogue.kills;
  return one;
}

}  // namespace jrpcheck::corpus
