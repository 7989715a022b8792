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

// As on a stream, where the Response may still come.
void wait_after_no_response(ClientHooks& hooks) {
  hooks.patience = kEndless;
  on_text([](std::string text, const Waiting& waiting) {
    const bool is_odd = text.size() < 1000 && waiting.size() == 1 &&
                        !ClientJson::parse(text, nullptr, false).is_object();
    if (is_odd) std::this_thread::sleep_for(kEndless);
    return text;
  })(hooks);
}

// It waits for every call of a batch to have an answer of its own.
void wait_for_missing(ClientHooks& hooks) {
  hooks.patience = kEndless;
  on_value([](ClientJson& value, const Waiting&) {
    if (!value.is_array() || value.size() > 2) return;
    std::this_thread::sleep_for(kEndless);
  })(hooks);
}

const ClientMutant kFaultsOfSurvival[] = {
    {"dies-of-null", breaks("cl-survives"), kOverAll, "A message of null ends it.",
     die_of([](const std::string& text) { return text == "null"; })},
    {"dies-of-broken-json", breaks("cl-survives"), kOverAll, "A message that is not JSON ends it.",
     die_of([](const std::string& text) {
       return text.size() < 10'000 && !ClientJson::accept(text);
     })},
    {"dies-of-special-ids", breaks("cl-survives"), kOverAll,
     "A Response with the id \"__proto__\" ends it.",
     die_of([](const std::string& text) { return holds(text, "__proto__"); })},
    {"dies-of-depth", breaks("cl-survives"), kOverAll, "A deep result ends it.",
     die_of([](const std::string& text) { return holds(text, "[[[[[[[["); })},
    {"dies-of-calls", breaks("cl-survives"), kOverStreams, "A call of the server ends it.",
     die_of([](const std::string& text) { return holds(text, R"("ask")"); })},
    {"dies-of-unknown-ids", breaks("cl-survives"), kOverAll,
     "A Response with an id that it has not used ends it.",
     die_of([](const std::string& text) { return holds(text, "nobody"); })},
    {"dies-of-null-ids", breaks("cl-survives"), kOverAll, "An error with id null ends it.",
     die_of([](const std::string& text) {
       return holds(text, R"("id":null)") && holds(text, "error");
     })},
    {"dies-of-odd-numbers", breaks("cl-survives"), kOverAll,
     "An id that is a fraction, or beyond what a double holds, ends it.",
     die_of([](const std::string& text) {
       return holds(text, "1e400") || holds(text, ":0.5") || holds(text, ":1000000000000000000000");
     })},
    {"dies-of-http-errors", breaks("cl-survives"), kOverHttp, "A status of failure ends it.",
     [](ClientHooks& hooks) {
       hooks.body = [](const wire::HttpMessage& response) {
         if (response.status >= 400) std::abort();
         return response.body;
       };
     }},
    {"exits-at-errors", breaks("cl-survives"), kOverAll,
     "An error Response ends it with exit code 3.", on_text([](std::string text, const Waiting&) {
       if (holds(text, R"("error":{"code":-32000)")) ::_exit(3);
       return text;
     })},
    {"waits-after-the-end", breaks("cl-close").perhaps("cl-truncated"), kOverAll,
     "Calls wait for ever when their connection has ended.", wait_after_the_end},
    {"takes-what-was-cut", breaks("cl-truncated").perhaps("cl-bad-json"), kOverAll,
     "A message that the end of the connection cuts short is success.",
     [](ClientHooks& hooks) {
       hooks.takes_what_was_cut = true;
       on_text([](std::string text, const Waiting& waiting) {
         const bool is_cut = text.size() < 200 && !text.ends_with('}') &&
                             holds(text, R"("result":999)") && !ClientJson::accept(text);
         return is_cut ? success_for(waiting, nullptr) : text;
       })(hooks);
     }},
    {"takes-short-bodies", breaks("cl-truncated"), kOverHttp,
     "A body that ends before its Content-Length is taken for whole.",
     [](ClientHooks& hooks) { hooks.takes_what_was_cut = true; }},
    {"waits-after-null-id",
     breaks("cl-error-null-id").perhaps("cl-bat-object", "cl-unknown-id", "cl-null-counterpart"),
     kOverStreams, "An error with id null leaves the call waiting for ever.", wait_after_null_id},
    {"waits-after-no-response",
     breaks("cl-not-an-object", "cl-bad-json").perhaps("cl-array-for-single", "cl-bad-utf8"),
     kOverHttp, "A body that is no Object leaves its call waiting for ever.",
     wait_after_no_response},
    {"waits-for-missing",
     breaks("cl-bat-missing", "cl-bat-empty-answer").perhaps("cl-array-for-single"), kOverAll,
     "A batch that is not answered as a whole waits for ever.", wait_for_missing},
};

}  // namespace

std::span<const ClientMutant> client_faults_of_survival() { return kFaultsOfSurvival; }

}  // namespace jrpcheck::reference
