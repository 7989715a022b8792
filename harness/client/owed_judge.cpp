#include "client/owed_judge.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/clients/words.hpp"

namespace jrpcheck::client {
namespace {

constexpr std::string_view kIdEcho = "mcp-c-id-echo";

// "1" for 1 and 1 for "1".
bool is_alike(const std::string& one, const std::string& other) {
  const auto bare = [](const std::string& id) {
    return id.starts_with('"') ? id.substr(1, id.size() - 2) : id;
  };
  return one != other && bare(one) == bare(other);
}

std::string id_of(const json::Value& message) {
  const json::Value* id = message.find("id");
  return id == nullptr ? "" : json::write(*id);
}

std::string id_of(const std::string& response) {
  const auto parsed = json::parse(response);
  return parsed ? id_of(*parsed.value) : "";
}

class OwedJudge {
 public:
  OwedJudge(const DialogueNotes& notes, const std::string& failure, DialogueCharges& charges)
      : dialogue_(charges.dialogue()), notes_(notes), failure_(failure), charges_(charges) {}

  void judge() {
    for (const auto& [id, owed] : dialogue_.owed) {
      const auto found = notes_.answers.find(id);
      const bool is_declared = declares_what_is_asked(id);
      if (found == notes_.answers.end()) {
        judge_missing(id, owed, is_declared);
        continue;
      }
      // What the answer says is for the rules, where it is not told here.
      if (!is_declared) {
        charges_.leave_open("the client has not declared that it serves it");
      } else if (owed.items) {
        judge_items(found->second, *owed.items);
      } else if (!owed.may_stay_away) {
        judge_taken(found->second);
      }
      if (charges_.is_about(kIdEcho)) charges_.exercise(kIdEcho);
    }
  }

 private:
  // Whether the client has declared what the server's own request with that id needs; what needs
  // nothing is as good as declared.
  bool declares_what_is_asked(const std::string& id) const {
    for (const auto& own : dialogue_.say) {
      const auto asked = json::parse(own);
      const json::Value* of_own = asked ? asked.value->find("id") : nullptr;
      const json::Value* method = asked ? asked.value->find("method") : nullptr;
      if (of_own == nullptr || method == nullptr || json::write(*of_own) != id) continue;
      const std::string needed = capability_for(method->text(), *asked.value);
      return needed.empty() || notes_.declares(needed);
    }
    return true;
  }

  bool is_in_batch(const std::string& id) const {
    return std::ranges::any_of(dialogue_.say, [&](const auto& own) {
      const auto said = json::parse(own);
      return said && said.value->is(json::Kind::array) &&
             std::ranges::any_of(said.value->children(),
                                 [&](const auto& each) { return id_of(each) == id; });
    });
  }

  bool answers_one_alone() const {
    return std::ranges::any_of(dialogue_.owed, [this](const auto& each) {
      return notes_.answers.contains(each.first) && !is_in_batch(each.first);
    });
  }

  static std::string capability_for(const std::string& method, const json::Value& asked) {
    if (method == "client/registerCapability") {
      const json::Value* what = json::at(asked, "/params/registrations/0/method");
      return what == nullptr ? "" : "/" + what->text() + "/dynamicRegistration";
    }
    for (const auto& each : judge::kUsesOfClients) {
      if (each.method == method) return std::string(each.capability);
    }
    return "";
  }

  // The rules judge what a client that has declared it says; a refusal takes nothing.
  void judge_taken(const std::string& answer) {
    const auto parsed = json::parse(answer);
    const bool is_refusal = parsed && parsed.value->find("error") != nullptr;
    const bool is_to_be_taken =
        charges_.is_about("lsp-c-create-answer") || charges_.is_about("lsp-c-register-answer");
    if (is_refusal && is_to_be_taken) {
      return charges_.charge_subject("The client refuses what it has declared.", "a result",
                                     to_visible(answer, 300));
    }
    charges_.exercise_subject();
  }

  void judge_missing(const std::string& id, const corpus::OwedAnswer& owed, bool is_declared) {
    const auto& strays = notes_.strays;
    const auto stray =
        std::ranges::find_if(strays, [&](const auto& each) { return is_alike(id_of(each), id); });
    if (stray != strays.end() && charges_.is_about(kIdEcho)) {
      return charges_.charge(kIdEcho, "The client answers with an id of another type.",
                             "the id " + id, to_visible(*stray, 300));
    }
    if (owed.may_stay_away) return;
    const bool has_failed = is_declared && !failure_.empty();
    if (!notes_.has_had_time && !has_failed) {
      charges_.leave_open("the client left before it could answer");
      return;
    }
    if (!is_declared) {
      charges_.leave_open("the client has not declared that it serves it");
      return;
    }
    if (is_in_batch(id) && !answers_one_alone()) {
      charges_.leave_open("the client answers no request that comes alone either");
      return;
    }
    // Who may leave before it answers ends well; who fails then has failed at the request.
    charges_.charge_subject(has_failed ? "The client fails at a request of the server."
                                       : "A request of the server is not answered.",
                            "a Response with the id " + id,
                            has_failed ? failure_ : "nothing in the time that it had");
  }

  void judge_items(const std::string& answer, std::size_t items) {
    const auto parsed = json::parse(answer);
    const json::Value* result = parsed.value->find("result");
    if (result == nullptr) return;  // it may be refused
    charges_.exercise_subject();
    const bool is_right = result->is(json::Kind::array) && result->size() == items;
    if (is_right) return;
    charges_.charge_subject("The answer has not as many items as were asked for.",
                            std::to_string(items) + " items", to_visible(answer, 300));
  }

  const corpus::Dialogue& dialogue_;
  const DialogueNotes& notes_;
  const std::string& failure_;
  DialogueCharges& charges_;
};

}  // namespace

void judge_owed(const DialogueNotes& notes, const std::string& failure, DialogueCharges& charges) {
  OwedJudge(notes, failure, charges).judge();
}

void say_why_nothing_is_shown(const DialogueNotes& notes, DialogueCharges& charges) {
  if (charges.has_shown_subject() || charges.is_left_open()) return;
  const bool is_about_undeclared = charges.subject().ends_with("-undeclared");
  const bool is_answered = std::ranges::any_of(charges.dialogue().owed, [&](const auto& each) {
    return notes.answers.contains(each.first);
  });
  charges.leave_open(!is_answered          ? "the client has not answered, and need not"
                     : is_about_undeclared ? "the client has declared that it serves it"
                                           : "what the client answers does not show it");
}

}  // namespace jrpcheck::client
