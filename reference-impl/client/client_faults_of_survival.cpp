// Faults that end the program, or leave calls waiting for ever.
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "reference-impl/client/client_edits.hpp"
#include "reference-impl/client/client_mutants.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::chrono::hours kEndless{1};

ChangeHooks die_of(std::function<bool(const std::string& text)> is_deadly) {
  return on_text([is_deadly = std::move(is_deadly)](std::string text, const Waiting&) {
    if (is_deadly(text)) std::abort();
    return text;
  });
}

bool holds(const std::string& text, std::string_view what) { return text.find(what) != text.npos; }

void wait_after_the_end(ClientHooks& hooks) {
  hooks.notices_the_end = false;
  hooks.patience = kEndless;
}

void wait_after_null_id(ClientHooks& hooks) {
  hooks.patience = kEndless;
  on_text([](std::string text, const Waiting&) { return holds(text, R"("id":null)") ? "" : text; })(
      hooks);
}

// It waits for every call of a batch to have an answer of its own.
void wait_for_missing(ClientHooks& hooks) {
  hooks.patience = kEndless;
  on_value([](ClientJson& value, const Waiting&) {
    if (!value.is_array() || value.size() > 2) return;
    std::this_thread::sleep_for(kEndless);
  })(hooks);
}

const std::array kFaultsOfSurvival = {
    ClientMutant{"dies-of-null",
                 {"cl-survives"},
                 {},
                 kOverAll,
                 "A message of null ends it.",
                 die_of([](const std::string& text) { return text == "null"; })},
    ClientMutant{"dies-of-broken-json",
                 {"cl-survives"},
                 {},
                 kOverAll,
                 "A message that is not JSON ends it.",
                 die_of([](const std::string& text) {
                   return text.size() < 10'000 && !ClientJson::accept(text);
                 })},
    ClientMutant{"dies-of-special-ids",
                 {"cl-survives"},
                 {},
                 kOverAll,
                 "A Response with the id \"__proto__\" ends it.",
                 die_of([](const std::string& text) { return holds(text, "__proto__"); })},
    ClientMutant{"dies-of-depth",
                 {"cl-survives"},
                 {},
                 kOverAll,
                 "A deep result ends it.",
                 die_of([](const std::string& text) { return holds(text, "[[[[[[[["); })},
    ClientMutant{"dies-of-calls",
                 {"cl-survives"},
                 {},
                 kOverStreams,
                 "A call of the server ends it.",
                 die_of([](const std::string& text) { return holds(text, R"("ask")"); })},
    ClientMutant{"dies-of-unknown-ids",
                 {"cl-survives"},
                 {},
                 kOverAll,
                 "A Response with an id that it has not used ends it.",
                 die_of([](const std::string& text) { return holds(text, "nobody"); })},
    ClientMutant{"dies-of-null-ids",
                 {"cl-survives"},
                 {},
                 kOverAll,
                 "An error with id null ends it.",
                 die_of([](const std::string& text) {
                   return holds(text, R"("id":null)") && holds(text, "error");
                 })},
    ClientMutant{"dies-of-odd-numbers",
                 {"cl-survives"},
                 {},
                 kOverAll,
                 "An id that is a fraction, or beyond what a double holds, ends it.",
                 die_of([](const std::string& text) {
                   return holds(text, "1e400") || holds(text, ":0.5") ||
                          holds(text, ":1000000000000000000000");
                 })},
    ClientMutant{"dies-of-http-errors",
                 {"cl-survives"},
                 {},
                 kOverHttp,
                 "A status of failure ends it.",
                 [](ClientHooks& hooks) {
                   hooks.body = [](const wire::HttpMessage& response) {
                     if (response.status >= 400) std::abort();
                     return response.body;
                   };
                 }},
    ClientMutant{"exits-at-errors",
                 {"cl-survives"},
                 {},
                 kOverAll,
                 "An error Response ends it with exit code 3.",
                 on_text([](std::string text, const Waiting&) {
                   if (holds(text, R"("error":{"code":-32000)")) ::_exit(3);
                   return text;
                 })},
    ClientMutant{"waits-after-the-end",
                 {"cl-close"},
                 {"cl-truncated"},
                 kOverAll,
                 "Calls wait for ever when their connection has ended.",
                 wait_after_the_end},
    ClientMutant{"takes-what-was-cut",
                 {"cl-truncated"},
                 {"cl-bad-json"},
                 kOverAll,
                 "A message that the end of the connection cuts short is success.",
                 [](ClientHooks& hooks) {
                   hooks.takes_what_was_cut = true;
                   on_text([](std::string text, const Waiting& waiting) {
                     const bool is_cut = text.size() < 200 && !holds(text, "999") &&
                                         holds(text, R"("result":102)") &&
                                         !ClientJson::accept(text);
                     return is_cut ? success_for(waiting, nullptr) : text;
                   })(hooks);
                 }},
    ClientMutant{"waits-after-null-id",
                 {"cl-error-null-id"},
                 {"cl-bat-object", "cl-unknown-id", "cl-null-counterpart"},
                 kOverStreams,
                 "An error with id null leaves the call waiting for ever.",
                 wait_after_null_id},
    ClientMutant{"waits-for-missing",
                 {"cl-bat-missing", "cl-bat-empty-answer"},
                 {"cl-array-for-single"},
                 kOverAll,
                 "A batch that is not answered as a whole waits for ever.",
                 wait_for_missing},
};

}  // namespace

std::span<const ClientMutant> client_faults_of_survival() { return kFaultsOfSurvival; }

}  // namespace jrpcheck::reference
