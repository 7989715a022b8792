#include "client/version_judge.hpp"

#include <algorithm>

#include "client/trial_judge.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/clients/charges.hpp"

namespace jrpcheck::client {
namespace {

class VersionJudge {
 public:
  VersionJudge(const DialogueNotes& notes, const DialogueControl* control,
               const DialogueTrial* other, DialogueCharges& charges)
      : dialogue_(charges.dialogue()),
        notes_(notes),
        control_(control),
        other_(other),
        charges_(charges) {}

  void judge() {
    if (dialogue_.leaves) judge_leaving();
    if (dialogue_.is_newer) judge_newest();
    if (dialogue_.falls_back) judge_falling_back();
    if (dialogue_.stays_without_handshake) judge_staying();
  }

 private:
  void judge_leaving() {
    if (!notes_.was_opened) return;
    if (notes_.after_opening == 0) {
      // Who says nothing in the control either has shown nothing by it.
      if (control_ != nullptr && control_->trial.notes.after_opening > 0) {
        charges_.exercise_subject();
      } else {
        charges_.leave_open("the client says nothing after initialize in the control either");
      }
      return;
    }
    charges_.charge_subject("The client goes on in a version that it has not asked for.",
                            "it leaves", notes_.last_method());
  }

  // Who goes on in a newer version than it has asked for has that version, unless it goes on in any
  // (basic/lifecycle § Version Negotiation).
  void judge_newest() {
    const auto answer = json::parse(dialogue_.answers.at("initialize"));
    const std::string given = json::text_at(*answer.value, "/result/protocolVersion");
    if (!notes_.was_opened) return;
    if (notes_.version_asked >= given) {
      charges_.leave_open("the client asks for the newest version that has a handshake");
    } else if (control_ == nullptr || control_->trial.notes.after_opening == 0) {
      charges_.leave_open("the client says nothing after initialize in the control either");
    } else if (notes_.after_opening == 0) {
      charges_.exercise_subject();
    } else if (other_ == nullptr || other_->notes.after_opening > 0) {
      charges_.leave_open("the client goes on in any version");
    } else {
      charges_.charge_subject("The client has a newer version than it asks for.", given,
                              notes_.version_asked);
    }
  }

  // Who tells the eras apart by an error does so by more than one (basic/transports/stdio §
  // Backward Compatibility).
  void judge_falling_back() {
    if (other_ == nullptr || !other_->notes.fell_back) {
      charges_.leave_open("the client does not fall back to initialize after another error either");
      return;
    }
    charges_.exercise_subject();
    if (notes_.fell_back) return;
    charges_.charge_subject(
        "The client falls back to initialize after one error of an old server, and not after "
        "another.",
        "initialize", notes_.last_method());
  }

  void judge_staying() {
    if (notes_.fell_back) {
      return charges_.charge_subject(
          "The client falls back to initialize where the server has said which versions "
          "without a handshake it has.",
          "a request in one of those versions, or none", "initialize");
    }
    if (notes_.versions_since.empty()) {
      charges_.leave_open("the client asks for nothing more, and may tell its user why");
      return;
    }
    charges_.exercise_subject();
    constexpr std::string_view kRetries = "mcp-c-st-retry-version";
    if (!charges_.is_about(kRetries)) return;
    charges_.exercise(kRetries);
    const auto first_answer = json::parse(dialogue_.first);
    const json::Value* supported = json::at(*first_answer.value, "/error/data/supported");
    for (const auto& version : notes_.versions_since) {
      const auto& known = supported->children();
      const auto is_it = [&](const json::Value& each) { return each.text() == version; };
      if (std::ranges::any_of(known, is_it)) continue;
      return charges_.charge(kRetries,
                             "The client asks again in a version that the server does not have.",
                             "a version of " + json::write(*supported), version);
    }
  }

  const corpus::Dialogue& dialogue_;
  const DialogueNotes& notes_;
  const DialogueControl* control_;
  const DialogueTrial* other_;
  DialogueCharges& charges_;
};

}  // namespace

void judge_versions(const DialogueNotes& notes, const DialogueControl* control,
                    const DialogueTrial* other, DialogueCharges& charges) {
  VersionJudge(notes, control, other, charges).judge();
}

}  // namespace jrpcheck::client
