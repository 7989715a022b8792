// Faults of Notifications, and of time limits.
#include <chrono>

#include "reference-impl/client/client_edits.hpp"
#include "reference-impl/client/client_mutants.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::chrono::hours kWithoutEnd{1};

std::string with_id_of_call(const std::string& note) {
  auto value = ClientJson::parse(note);
  value["id"] = "note";
  return value.dump();
}

const ClientMutant kFaultsOfNotifying[] = {
    {"notifies-with-id", breaks("cl-ntf-no-id"), kOverAll, "Its Notifications have an id.",
     [](ClientHooks& hooks) { hooks.notifying = with_id_of_call; }},
    {"waits-after-notifying", breaks("cl-ntf-no-wait"), kOverStreams,
     "It waits for an answer to a Notification.",
     [](ClientHooks& hooks) {
       hooks.waits_after_notifying = true;
       hooks.patience = kWithoutEnd;
     }},
    {"wants-body-of-note", breaks("cl-http-notification"), kOverHttp,
     "A Notification has failed where the response has no body.",
     [](ClientHooks& hooks) { hooks.wants_body_of_note = true; }},
    {"keeps-body-of-note", breaks("cl-ntf-answered"), kOverHttp,
     "The next call fails by what has answered a Notification.",
     [](ClientHooks& hooks) { hooks.keeps_body_of_note = true; }},
    {"never-gives-up", breaks("cl-timeout"), kOverAll,
     "It names a time limit for its calls, and waits for ever.",
     [](ClientHooks& hooks) {
       hooks.heeds_limit = false;
       hooks.patience = kWithoutEnd;
     }},
};

}  // namespace

std::span<const ClientMutant> client_faults_of_notifying() { return kFaultsOfNotifying; }

}  // namespace jrpcheck::reference
