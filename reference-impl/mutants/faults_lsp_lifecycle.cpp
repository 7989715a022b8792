// Defects of a language server in how it begins and ends.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "reference-impl/mutants/lsp_mutants.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

bool is_hover(const json& call) { return call["method"] == "textDocument/hover"; }

/// Messages are answered so once a call of that method has come.
Mutation from(std::string method, CallAnswer answer) {
  return [=] {
    const auto is_there = std::make_shared<std::atomic<bool>>(false);
    return on_call([=](const json& call, const ProperCall& proper) -> Reply {
      if (*is_there) return answer(call, proper);
      if (call["method"] == method) *is_there = true;
      return proper();
    });
  };
}

Mutation until_initialize(CallAnswer answer) {
  return [=] {
    const auto is_there = std::make_shared<std::atomic<bool>>(false);
    return on_call([=](const json& call, const ProperCall& proper) -> Reply {
      if (call["method"] == "initialize") *is_there = true;
      return *is_there ? proper() : answer(call, proper);
    });
  };
}

CallAnswer with_hover(std::function<Reply(const json& call)> answer) {
  return [=](const json& call, const ProperCall& proper) -> Reply {
    return is_hover(call) ? answer(call) : proper();
  };
}

Reply diagnostics_of(const json& call) {
  return json{
      {"jsonrpc", "2.0"},
      {"method", "textDocument/publishDiagnostics"},
      {"params", {{"uri", at(call, "/params/textDocument/uri")}, {"diagnostics", json::array()}}}}
      .dump();
}

Reply with_document(const json& call, const ProperCall& proper) {
  return call["method"] == "textDocument/didOpen" ? diagnostics_of(call) : proper();
}

CallAnswer with_exit_code(int code) {
  return [code](const json& call, const ProperCall& proper) -> Reply {
    if (call["method"] == "exit") ::_exit(code);
    return proper();
  };
}

Reply without_exit(const json& call, const ProperCall& proper) {
  return call["method"] == "exit" ? Reply() : proper();
}

/// With which code the process ends once it has written what it answers; it may still run on.
using EndBehindAnswer = std::shared_ptr<std::atomic<int>>;

constexpr int kRunsOn = -1;

/// `answer` says when that is.
Mutation ending_behind(std::function<CallAnswer(const EndBehindAnswer& end)> answer) {
  return [answer] {
    const auto end = std::make_shared<std::atomic<int>>(kRunsOn);
    Behaviour behaviour = on_call(answer(end));
    behaviour.writing = [end](std::string_view bytes, const ProperWrite& proper) {
      const bool is_written = proper(bytes);
      if (*end != kRunsOn) ::_exit(*end);
      return is_written;
    };
    return behaviour;
  };
}

CallAnswer ending_at_shutdown(const EndBehindAnswer& end) {
  return [end](const json& call, const ProperCall& proper) -> Reply {
    if (call["method"] == "shutdown") *end = 0;
    return proper();
  };
}

/// A notification of configuration is passed over, and the next call answered.
CallAnswer ending_behind_configuration(const EndBehindAnswer& end) {
  const auto is_configured = std::make_shared<std::atomic<bool>>(false);
  return [=](const json& call, const ProperCall& proper) -> Reply {
    if (*is_configured) *end = 3;
    if (call["method"] == "workspace/didChangeConfiguration") *is_configured = true;
    return proper();
  };
}

/// When the client may have sent what comes next.
void end_a_moment_later() {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ::_exit(0);
  }).detach();
}

Behaviour ending_after_shutdown() {
  return on_call("shutdown", [](const json&, const ProperCall& proper) -> Reply {
    end_a_moment_later();
    return proper();
  });
}

CallAnswer answering_exit(const EndBehindAnswer& end) {
  const auto is_shut_down = std::make_shared<std::atomic<bool>>(false);
  return [=](const json& call, const ProperCall& proper) -> Reply {
    if (call["method"] == "shutdown") *is_shut_down = true;
    if (call["method"] != "exit") return proper();
    *end = *is_shut_down ? 0 : 1;
    return kRefusalOfNobody;
  };
}

bool has_no_folder(const json& call) { return !at(call, "/params/rootUri").is_string(); }

/// A second initialize is met like this.
Mutation at_second_initialize(void (*meet)()) {
  return from("initialize", [meet](const json& call, const ProperCall& proper) -> Reply {
    if (call["method"] == "initialize") meet();
    return proper();
  });
}

[[noreturn]] void die() { throw Catastrophe{}; }

/// It is refused as it should be, and of the calls behind it the second ends the process.
Behaviour ending_behind_second_initialize() {
  const auto initializes = std::make_shared<std::atomic<int>>(0);
  const auto calls = std::make_shared<std::atomic<int>>(0);
  return on_call([=](const json& call, const ProperCall& proper) -> Reply {
    if (call["method"] == "initialize") {
      ++*initializes;
    } else if (*initializes == 2 && call.contains("id") && ++*calls == 2) {
      die();
    }
    return proper();
  });
}

Reply dying_of_document(const json& call, const ProperCall& proper) {
  if (call["method"] == "textDocument/didOpen") die();
  return proper();
}

}  // namespace

std::span<const Mutant> lsp_lifecycle_faults() {
  static const Mutant all[] = {
      {"lsp-early-request-served", breaks("lsp-before-init-request"), kContentLength,
       "A request is served before initialize.",
       until_initialize(with_hover([](const json& call) { return success_for(call, nullptr); }))},
      {"lsp-early-request-wrong-code", breaks("lsp-before-init-request"), kContentLength,
       "A request before initialize is refused with -32603.",
       until_initialize(with_hover([](const json& call) { return failure_for(call, -32603); }))},
      {"lsp-early-request-dropped", breaks("lsp-before-init-request"), kContentLength,
       "A request before initialize is not answered.",
       until_initialize(with_hover([](const json&) { return Reply(); }))},
      {"lsp-early-document-read", breaks("lsp-before-init-notification"), kContentLength,
       "A document that is opened before initialize is looked at.",
       until_initialize(with_document)},
      {"lsp-early-exit-ignored", breaks("lsp-before-init-exit"), kContentLength,
       "exit is ignored before initialize.", until_initialize(without_exit)},
      {"lsp-early-exit-code", breaks("lsp-before-init-exit"), kContentLength,
       "exit before initialize ends the process with code 0.", until_initialize(with_exit_code(0))},
      {"lsp-exit-ignored", breaks("lsp-exit-zero"), kContentLength,
       "exit is ignored after shutdown.", from("shutdown", without_exit)},
      {"lsp-exit-code-one", breaks("lsp-exit-zero"), kContentLength,
       "exit after shutdown ends the process with code 1.", from("shutdown", with_exit_code(1))},
      {"lsp-exit-code-zero", breaks("lsp-exit-one").perhaps("lsp-before-init-exit"), kContentLength,
       "exit without shutdown ends the process with code 0.", on_call("exit", with_exit_code(0))},
      {"lsp-exit-code-odd", breaks("lsp-exit-one", "lsp-exit-zero", "lsp-before-init-exit"),
       kContentLength, "exit ends the process with code 3.", on_call("exit", with_exit_code(3))},
      {"lsp-exit-answered", breaks("lsp-notification-silent"), kContentLength,
       "exit is answered before the process ends.", ending_behind(answering_exit)},
      {"lsp-ends-at-shutdown",
       breaks("lsp-shutdown-stays").perhaps("lsp-exit-zero", "lsp-after-shutdown-request"),
       kContentLength, "The process ends at shutdown.", ending_behind(ending_at_shutdown)},
      {"lsp-ends-after-shutdown",
       breaks("lsp-shutdown-stays").perhaps("lsp-exit-zero", "lsp-after-shutdown-request"),
       kContentLength, "The process ends by itself a moment after shutdown.",
       ending_after_shutdown()},
      {"lsp-shutdown-object", breaks("lsp-shutdown-null"), kContentLength,
       "shutdown is answered with an Object.",
       on_call("shutdown",
               [](const json& call, const ProperCall& proper) -> Reply {
                 Reply reply = proper();
                 const bool is_first = reply && json::parse(*reply).contains("result");
                 return is_first ? Reply(success_for(call, json::object())) : reply;
               })},
      {"lsp-shutdown-unknown", breaks("lsp-shutdown-null"), kContentLength,
       "shutdown is an unknown method.", refuse_call("shutdown", -32601)},
      {"lsp-late-request-served", breaks("lsp-after-shutdown-request"), kContentLength,
       "A request is served after shutdown.",
       from("shutdown", with_hover([](const json& call) { return success_for(call, nullptr); }))},
      {"lsp-late-request-wrong-code", breaks("lsp-after-shutdown-request"), kContentLength,
       "A request after shutdown is refused with -32601.",
       from("shutdown", with_hover([](const json& call) { return failure_for(call, -32601); }))},
      {"lsp-late-request-dropped", breaks("lsp-after-shutdown-request"), kContentLength,
       "A request after shutdown is not answered.",
       from("shutdown", with_hover([](const json&) { return Reply(); }))},
      {"lsp-late-document-read", breaks("lsp-after-shutdown-notification"), kContentLength,
       "A document that is opened after shutdown is looked at.", from("shutdown", with_document)},
      {"lsp-late-document-kills", breaks("rob-survives"), kContentLength,
       "A document that is opened after shutdown ends the process.",
       from("shutdown", dying_of_document)},
      {"lsp-configuration-ends-later", breaks("rob-survives"), kContentLength,
       "The process ends at the answer to the call behind a notification of configuration.",
       ending_behind(ending_behind_configuration)},
      {"lsp-second-initialize-kills", breaks("lsp-answer-every-request"), kContentLength,
       "A second initialize ends the process.", at_second_initialize(die)},
      {"lsp-second-initialize-ends", breaks("lsp-answer-every-request"), kContentLength,
       "The process ends by itself a moment after a second initialize.",
       at_second_initialize(end_a_moment_later)},
      {"lsp-second-initialize-ends-later", breaks("lsp-answer-every-request"), kContentLength,
       "The process ends at the second call behind a second initialize.",
       ending_behind_second_initialize},
      {"lsp-folder-needed", breaks("lsp-init-null-root"), kContentLength,
       "initialize with a rootUri of null is refused.",
       refuse_call("initialize", has_no_folder, -32600)},
      {"lsp-folders-refused", breaks("lsp-init-answer"), kContentLength,
       "initialize with workspaceFolders of null is refused.",
       refuse_call(
           "initialize",
           [](const json& call) { return at(call, "/params").contains("workspaceFolders"); },
           -32602)},
  };
  return all;
}

}  // namespace jrpcheck::reference
