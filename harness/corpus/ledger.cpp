#include "corpus/ledger.hpp"

#include <utility>

#include "base/ascii.hpp"
#include "base/names.hpp"
#include "corpus/member_reader.hpp"

namespace jrpcheck::corpus {
namespace {

Requirement read_requirement(const json::Value& object, Complaint& complaint) {
  const json::Value* id = object.find("id");
  complaint.about(id != nullptr && id->is(json::Kind::string) ? "requirement '" + id->text() + "'"
                                                              : "a requirement without id");
  const MemberReader reader(object, complaint,
                            {"id", "clause", "level", "class", "why", "seen", "text", "note",
                             "status", "versions", "when"});
  Requirement requirement;
  requirement.id = reader.required_text("id");
  requirement.clause = reader.required_text("clause");
  requirement.class_name = reader.required_text("class");
  requirement.text = reader.required_text("text");
  requirement.note = reader.text("note");
  requirement.status = reader.text("status");
  requirement.why = reader.text("why");
  requirement.seen = reader.texts("seen");
  requirement.versions = reader.texts("versions");
  requirement.when = reader.texts("when");
  const std::string level = reader.required_text("level");
  const auto known = value_named<Level>(level);
  if (!known) reader.complain("unknown level \"" + level + "\"");
  requirement.level = known.value_or(Level::must);
  return requirement;
}

}  // namespace

std::string_view name_of(Level level) { return name_at({"must", "should", "info"}, level); }

std::string Requirement::cited_clause() const {
  if (clause == "-") return "";
  return is_digit(clause[0]) ? "JSON-RPC 2.0 §" + clause : clause;
}

Result<bool> Ledger::append(Ledger other) {
  for (auto& each : other.requirements_) {
    if (find(each.id) != nullptr) return Error{"the requirement '" + each.id + "' is there twice"};
    index_.emplace(each.id, requirements_.size());
    requirements_.push_back(std::move(each));
  }
  return true;
}

void Ledger::keep_only(const std::function<bool(const Requirement&)>& keep) {
  std::vector<Requirement> all = std::exchange(requirements_, {});
  index_.clear();
  for (auto& each : all) {
    if (!keep(each)) continue;
    index_.emplace(each.id, requirements_.size());
    requirements_.push_back(std::move(each));
  }
}

void Ledger::set_tested(const std::function<bool(const Requirement&)>& is_tested) {
  for (auto& each : requirements_) {
    if (is_tested(each)) each.status.clear();
  }
}

Ledger Ledger::load_sound(const std::string& name, std::string_view text,
                          std::vector<Error>& errors) {
  Ledger ledger;
  Complaint complaint(name, text);
  const auto parsed = complaint.parse(text);
  if (!parsed) {
    errors.push_back(complaint.error());
    return ledger;
  }
  const MemberReader file(*parsed, complaint, {"specification", "levels", "requirements"});
  const json::Value* list = file.require("requirements", json::Kind::array);
  if (auto error = complaint.take()) errors.push_back(*std::move(error));
  if (list == nullptr) return ledger;
  for (const auto& object : list->children()) {
    Requirement requirement = read_requirement(object, complaint);
    const bool is_known = ledger.index_.count(requirement.id) != 0;
    if (is_known) complaint.raise(object, "this id is there twice");
    if (auto error = complaint.take()) {
      errors.push_back(*std::move(error));
      continue;
    }
    ledger.index_.emplace(requirement.id, ledger.requirements_.size());
    ledger.requirements_.push_back(std::move(requirement));
  }
  return ledger;
}

Result<Ledger> Ledger::load(const std::string& name, std::string_view text) {
  std::vector<Error> errors;
  auto ledger = load_sound(name, text, errors);
  if (!errors.empty()) return std::move(errors.front());
  return ledger;
}

const Requirement* Ledger::find(std::string_view id) const {
  const auto found = index_.find(std::string(id));
  return found == index_.end() ? nullptr : &requirements_[found->second];
}

}  // namespace jrpcheck::corpus
