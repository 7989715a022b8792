#include "corpus/client_dialogue.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/contains.hpp"
#include "corpus/member_reader.hpp"
#include "dialogue/id_key.hpp"
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
    const bool is_one = members.size() == 1 && dialogue::has_outcome(members);
    if (!is_one) complaint.raise(members, "an answer has a \"result\" or an \"error\"");
    answers.emplace(object->names()[i], json::write(members));
  }
  return answers;
}

std::map<std::string, std::vector<std::string>> read_in_turn(const MemberReader& reader,
                                                             Complaint& complaint) {
  std::map<std::string, std::vector<std::string>> answers;
  const json::Value* object = reader.find("answers-in-turn", Kind::object);
  if (object == nullptr) return answers;
  for (std::size_t i = 0; i < object->size(); ++i) {
    const auto& list = object->children()[i];
    if (!list.is(Kind::array) || list.size() == 0) complaint.raise(list, "there is no list");
    for (const auto& each : list.children())
      answers[object->names()[i]].push_back(json::write(each));
  }
  return answers;
}

std::string read_members(const MemberReader& reader, std::string_view name) {
  const json::Value* members = reader.find(name, Kind::object);
  return members == nullptr ? "" : json::write(*members);
}

OwedAnswer read_owed(const json::Value& object, Complaint& complaint) {
  const MemberReader reader(object, complaint, {"items", "may-stay-away"});
  OwedAnswer owed;
  owed.items = reader.size("items");
  owed.may_stay_away = reader.flag("may-stay-away");
  return owed;
}

std::vector<std::string> read_messages(const MemberReader& reader, std::string_view name) {
  std::vector<std::string> messages;
  const json::Value* list = reader.find(name, Kind::array);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    messages.push_back(json::write(list->children()[i]));
  }
  return messages;
}

PlayedTask read_task(const json::Value& object, Complaint& complaint) {
  const MemberReader reader(
      object, complaint,
      {"statuses", "poll-interval", "notifies", "asks", "result", "unknown-members"});
  PlayedTask task;
  task.statuses = reader.texts("statuses");
  constexpr std::array kEnds = {"completed", "failed", "cancelled"};
  const bool has_end = !task.statuses.empty() && contains(kEnds, task.statuses.back());
  if (!has_end) reader.complain("the last status is completed, failed or cancelled");
  task.poll_interval = reader.size("poll-interval");
  task.notifies = reader.flag("notifies");
  task.asks = read_messages(reader, "asks");
  task.result = read_members(reader, "result");
  if (task.result.empty()) reader.complain("a task has a \"result\"");
  task.has_unknown_members = reader.flag("unknown-members");
  return task;
}

PlayedSubscription read_subscription(const json::Value& object, Complaint& complaint) {
  const MemberReader reader(object, complaint, {"tells", "ends", "breaks"});
  return {read_messages(reader, "tells"), reader.flag("ends"), reader.flag("breaks")};
}

MemberReader reader_of(const json::Value& object, Complaint& complaint) {
  return {object,
          complaint,
          {"id",
           "title",
           "requirements",
           "doors",
           "answers",
           "say",
           "owed",
           "goes-on",
           "leaves",
           "stays-silent",
           "forgets-session",
           "streams",
           "breaks-stream",
           "takes-a-moment",
           "awaits",
           "kills",
           "awaits-surely",
           "answers-in-turn",
           "first-answer",
           "refuses-stateless",
           "needs",
           "as-in",
           "falls-back",
           "follows-cursors",
           "is-newer",
           "stays-without-handshake",
           "never-calls",
           "only-warns",
           "calls",
           "streams-oddly",
           "never-fetches",
           "writes-errors",
           "task",
           "subscription",
           "then-say",
           "reaches",
           "withholds",
           "authorization"}};
}

void read_flags(const MemberReader& reader, Dialogue& one) {
  one.goes_on = reader.flag("goes-on");
  one.leaves = reader.flag("leaves");
  one.stays_silent = reader.flag("stays-silent");
  one.forgets_session = reader.flag("forgets-session");
  one.streams = reader.flag("streams");
  one.breaks_stream = reader.flag("breaks-stream");
  one.takes_a_moment = reader.flag("takes-a-moment");
  one.awaits_surely = reader.flag("awaits-surely");
  one.falls_back = reader.flag("falls-back");
  one.follows_cursors = reader.flag("follows-cursors");
  one.is_newer = reader.flag("is-newer");
  one.stays_without_handshake = reader.flag("stays-without-handshake");
  one.only_warns = reader.flag("only-warns");
  one.streams_oddly = reader.flag("streams-oddly");
  one.never_fetches = reader.flag("never-fetches");
  one.writes_errors = reader.flag("writes-errors");
}

Dialogue read_dialogue(const json::Value& object, Complaint& complaint) {
  const MemberReader reader = reader_of(object, complaint);
  Dialogue one;
  one.id = reader.required_text("id");
  complaint.about("dialogue '" + one.id + "'");
  one.title = reader.required_text("title");
  one.requirements = reader.texts("requirements");
  if (one.requirements.empty()) reader.complain("\"requirements\" names none");
  one.doors = reader.texts("doors");
  one.answers = read_answers(reader, complaint);
  one.say = read_messages(reader, "say");
  one.then_say = read_messages(reader, "then-say");
  if (const json::Value* task = reader.find("task", Kind::object)) {
    one.task = read_task(*task, complaint);
  }
  if (const json::Value* subscription = reader.find("subscription", Kind::object)) {
    one.subscription = read_subscription(*subscription, complaint);
  }
  one.reaches = reader.text("reaches");
  one.withholds = reader.text("withholds");
  if (const json::Value* owed = reader.find("owed", Kind::object)) {
    for (std::size_t i = 0; i < owed->size(); ++i) {
      one.owed.emplace(owed->names()[i], read_owed(owed->children()[i], complaint));
    }
  }
  one.awaits = reader.text("awaits");
  one.kills = reader.texts("kills");
  one.in_turn = read_in_turn(reader, complaint);
  one.first = read_members(reader, "first-answer");
  one.refuses_stateless = read_members(reader, "refuses-stateless");
  one.needs = reader.text("needs");
  one.as_in = reader.text("as-in");
  one.never_calls = reader.text("never-calls");
  one.calls = reader.text("calls");
  read_flags(reader, one);
  if (one.is_newer && !one.answers.contains("initialize")) {
    reader.complain("\"is-newer\" needs an answer to initialize");
  }
  if (const json::Value* plan = reader.find("authorization", Kind::object)) {
    one.authorization = read_authorization(*plan, complaint);
  }
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
  all.ready = file.text("ready");
  all.answers = read_answers(file, complaint);
  const json::Value* list = file.require("dialogues", Kind::array);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    all.dialogues.push_back(read_dialogue(list->children()[i], complaint));
  }
  if (complaint.raised()) return complaint.error();
  if (all.dialogues.empty()) return Error{name + ": there is no dialogue"};
  for (const auto& one : all.dialogues) {
    const auto is_it = [&](const Dialogue& other) { return other.id == one.as_in; };
    const auto found = std::ranges::find_if(all.dialogues, is_it);
    const bool is_there = found != all.dialogues.end();
    const std::string place = name + ": dialogue '" + one.id + "': ";
    if (!one.as_in.empty() && !is_there) {
      return Error{place + "no dialogue '" + one.as_in + "' is there"};
    }
    // What a client refuses or finds tells something beside what it does where nothing is odd.
    const auto& plan = one.authorization;
    const bool is_compared = plan && (plan->stops_before || plan->asks_for_token);
    if ((is_compared && !is_there) || (plan && is_there && !found->authorization)) {
      return Error{place + "\"as-in\" names a dialogue with an authorization to compare with"};
    }
  }
  return all;
}

const CorpusFile* file_at(const std::string& path, const std::vector<CorpusFile>& files) {
  const auto found =
      std::ranges::find_if(files, [&](const CorpusFile& each) { return each.path == path; });
  return found == files.end() ? nullptr : &*found;
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
    return Error{"no dialogue is for clients of '" + profile + "'"};
  }
  std::erase_if(all.dialogues, is_of_another);
  for (auto& one : all.dialogues) {
    std::erase_if(one.requirements, [&](const auto& id) { return ledger.find(id) == nullptr; });
  }
  return true;
}

Result<Dialogues> dialogues_of(const std::string& family, const std::vector<CorpusFile>& files,
                               const Ledger& ledger, const std::string& version) {
  const std::string folder = std::string(kProfilesPath) + family;
  std::string of_version = folder + "/client-";
  of_version.append(version).append(".json");
  for (const auto& path : {of_version, folder + "/client.json"}) {
    const auto* found = file_at(path, files);
    if (found == nullptr) continue;
    auto all = load_dialogues(path, found->text, &ledger);
    const auto* shared = file_at(folder + std::string(kSharedDialogues), files);
    if (!all || shared == nullptr) return all;
    auto more = load_dialogues(shared->path, shared->text, &ledger);
    if (!more) return more;
    std::move(more->dialogues.begin(), more->dialogues.end(), std::back_inserter(all->dialogues));
    return all;
  }
  return Error{"there are no dialogues for clients of '" + family + "'; mcp and lsp have some"};
}

Result<Dialogues> dialogues_for(const Corpus& corpus, const std::vector<CorpusFile>& files,
                                const Ledger& whole) {
  auto all = dialogues_of(corpus.profile.family, files, whole, corpus.profile.version);
  if (!all) return all;
  if (auto ok = keep_dialogues_of_version(*all, corpus.ledger, corpus.profile.name); !ok) {
    return ok.error();
  }
  return all;
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
