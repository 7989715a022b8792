// Servers of which nothing but the successes is malformed. Whoever recognises methods by their
// success finds none here, and must judge all that is said on the way (JSON-RPC 2.0 §5).
#include <poll.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/queue_length.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

/// One way in which a success can be malformed.
struct Flaw {
  std::string name;
  std::string about;
  Breaks breaks;
  Edit edit;
};

bool has_falsy_result(const ObjectText& response) {
  for (const char* text : {"null", "false", "0", "\"\"", "[]", "{}"}) {
    if (response.is("result", text)) return true;
  }
  return false;
}

void change_id(ObjectText& response) {
  const std::string* id = response.find("id");
  response.set("id", *id == "424242" ? "242424" : "424242");
}

// A null result need not show: what it stands for may be missing.
template <typename... Ids>
Breaks exclusive(Ids... ids) {
  return breaks("res-exclusive").perhaps("res-result-on-success", ids...);
}
Breaks unnamed_result() {
  return breaks("res-exclusive").perhaps("res-result-on-success", "res-member-names");
}
Breaks foreign_id() {
  return breaks("id-echo")
      .perhaps("res-always", "res-once")
      .perhaps_any_of("id-", "bat-", "rob-", "ntf-");
}

const std::array<Flaw, 7>& flaws() {
  static const std::array<Flaw, 7> all = {{
      {"with-error-object", "an error object beside its result", exclusive(),
       add("error", R"({"code":-32603,"message":"Internal error"})")},
      {"with-empty-error", "an error of {} beside its result",
       exclusive("err-code-integer", "err-message-string"), add("error", "{}")},
      {"with-false-error", "an error of false beside its result", exclusive("err-object"),
       add("error", "false")},
      {"with-null-error", "an error of null beside its result", exclusive(), add("error", "null")},
      {"with-result-renamed", "its result under the name of response", unnamed_result(),
       rename("result", "response")},
      {"without-falsy-result", "no result where that is null, false, zero or empty",
       unnamed_result(), where(has_falsy_result, remove("result"))},
      {"with-another-id", "an id that nobody sent", foreign_id(), change_id},
  }};
  return all;
}

/// When a success is malformed.
struct Form {
  std::string name;
  std::string about;
  Transports transports;
  Behaviour (*with)(const Edit& edit);
  std::string opening = {};
};

Behaviour always(const Edit& edit) { return success(edit); }

/// Calls of these methods succeed; what else is asked the proper server answers.
Behaviour serving(bool (*applies)(const ElementText& element), std::string result,
                  const Edit& edit) {
  const Answer proper = succeeding_with(std::move(result));
  return answer(applies, [proper, edit](const ElementText& element) -> Reply {
    ObjectText response = *object_of(*proper(element));
    edit(response);
    return response.text();
  });
}

bool asks_for_methods(const ElementText& element) {
  const std::string method = element.method();
  return element.is_call() && (method == "rpc.discover" || method == "system.listMethods" ||
                               method == "rpc_methods" || method == "ping");
}

Behaviour when_listing(const Edit& edit) { return serving(asks_for_methods, "[]", edit); }

bool opens(const ElementText& element) {
  return element.is_call() && element.method() == "initialize";
}

Behaviour when_opening(const Edit& edit) {
  return serving(opens,
                 R"({"protocolVersion":"2025-06-18","capabilities":{},)"
                 R"("serverInfo":{"name":"reference","version":"1"}})",
                 edit);
}

Behaviour once_in_a_hundred(const Edit& edit) {
  constexpr int kEveryHundredth = 100;
  const auto count = std::make_shared<std::atomic<int>>(0);
  return success([count, edit](ObjectText& response) {
    if (++*count % kEveryHundredth == 0) edit(response);
  });
}

bool is_single_success(const std::string& reply) {
  const auto response = object_of(reply);
  return response && response->has("result");
}

/// Each fifth success waits until another reply has gone before it.
Behaviour late(const Edit& edit) {
  constexpr int kEveryFifthSuccess = 5;
  struct Held {
    std::mutex mutex;
    std::string reply;
    int successes = 0;
  };
  const auto held = std::make_shared<Held>();
  return on_reply([held, edit](const std::string& reply) -> Reply {
    const std::lock_guard lock(held->mutex);
    if (!held->reply.empty()) {
      return Reply::several({reply, std::exchange(held->reply, std::string())});
    }
    if (!is_single_success(reply) || ++held->successes % kEveryFifthSuccess != 0) return reply;
    ObjectText response = *object_of(reply);
    edit(response);
    held->reply = response.text();
    return std::nullopt;
  });
}

/// Only while two calls are under way: over HTTP on two connections, on a stream in one read.
Behaviour under_load(const Edit& edit) {
  constexpr int kWhileOthersComeMs = 3;
  struct Load {
    std::atomic<int> under_way = 0;
    std::atomic<int> peak = 0;
  };
  const auto load = std::make_shared<Load>();
  const auto queued = std::make_shared<std::atomic<std::size_t>>(0);
  const Behaviour broken = success(edit);
  Behaviour behaviour = counting_queue(queued);
  behaviour.reply = [=](std::string_view message, const ProperReply& proper) {
    const int together = ++load->under_way;
    if (together > 1) load->peak = together;
    ::poll(nullptr, 0, kWhileOthersComeMs);
    const bool is_loaded = load->peak > 1 || *queued > 1;
    Reply reply = is_loaded ? broken.reply(message, proper) : proper(message);
    if (--load->under_way == 0) load->peak = 0;
    return reply;
  };
  return behaviour;
}

const std::array<Form, 6>& forms() {
  static const std::array<Form, 6> all = {{
      {"", "A Response of success has", kEveryDoor, always},
      {"-when-listing", "The answer to a call that asks for the methods has", kBatching,
       when_listing},
      {"-once-in-a-hundred", "Each hundredth Response of success has", kHttp, once_in_a_hundred},
      {"-when-opening", "The answer to initialize has", kLines, when_opening, "mcp"},
      {"-late", "A Response of success that comes after another reply has", kContentLength, late},
      {"-under-load", "A Response of success has, while two calls are under way,", kHttp,
       under_load},
  }};
  return all;
}

std::vector<Mutant> every_flaw_in_every_form() {
  std::vector<Mutant> all;
  for (const Form& form : forms()) {
    for (const Flaw& flaw : flaws()) {
      // Only some calls have such a result: not initialize, nor those that come at the right
      // moment.
      const bool is_of_some = flaw.name == "without-falsy-result";
      if (is_of_some && form.with != always && form.with != when_listing) continue;
      Breaks broken = flaw.breaks;
      broken.anywhere = form.with == late;
      // What is called side by side has a result that is known, and an id that nobody else has.
      if (form.with == under_load && flaw.name == "with-result-renamed") {
        broken = breaks("res-result-on-success").perhaps("res-member-names", "rob-concurrent");
      }
      if (form.with == under_load && flaw.name == "with-another-id") {
        broken = breaks("rob-concurrent").perhaps("id-echo", "res-once");
      }
      all.push_back({"success-" + flaw.name + form.name, broken, form.transports,
                     form.about + " " + flaw.about + ".",
                     Mutation([&form, &flaw] { return form.with(flaw.edit); }), form.opening});
    }
  }
  all.push_back({"success-left-unanswered",
                 breaks("res-always")
                     .perhaps("req-params-omitted", "lsp-length")
                     .perhaps_any_of("id-", "rob-"),
                 kEveryDoor, "Who succeeds says nothing, and answers the next call.",
                 on_reply([](const std::string& reply) -> Reply {
                   return is_single_success(reply) ? Reply() : Reply(reply);
                 })});
  return all;
}

}  // namespace

std::span<const Mutant> broken_successes() {
  static const std::vector<Mutant> all = every_flaw_in_every_form();
  return all;
}

}  // namespace jrpcheck::reference
