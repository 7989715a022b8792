#include "reference-impl/mutants/probes_for_testing.hpp"

#include <functional>
#include <utility>

#include "reference-impl/methods.hpp"
#include "reference-impl/mutants/mutated_server.hpp"
#include "reference-impl/mutants/probe_messages_for_testing.hpp"

namespace jrpcheck::reference {

namespace {

using wire::HttpFields;
using wire::MakeFraming;

// More than what a mutant that cuts long replies leaves of them.
constexpr std::size_t kShown = 310'000;

/// What `action` says, or that it ends the process. Behaviours do not do that themselves.
std::string outcome(const std::function<std::string()>& action) {
  try {
    return action().substr(0, kShown);
  } catch (const Catastrophe& catastrophe) {
    return "ends in manner " + std::to_string(static_cast<int>(catastrophe.manner));
  }
}

class Probing {
 public:
  explicit Probing(const Behaviour& behaviour)
      : behaviour_(behaviour),
        dispatcher_(make_reference_dispatcher(behaviour.limits.value_or(Limits{}))) {}

  std::vector<std::string> take_transcript_of_large_messages() {
    for (const std::string& message : large_probes()) probe_reply(message);
    return std::move(transcript_);
  }

  std::vector<std::string> take_transcript() {
    for (const std::string& message : probe_messages()) probe_reply(message);
    probe_http();
    probe_foreign_host();
    probe_framing(wire::make_lines);
    probe_framing(wire::make_content_length);
    probe_stream();
    return std::move(transcript_);
  }

 private:
  void note(const std::function<std::string()>& action) { transcript_.push_back(outcome(action)); }

  void probe_reply(const std::string& message) {
    const ProperReply proper = [this](std::string_view text) {
      return Reply(dispatcher_.handle(text));
    };
    note([&] {
      const Reply reply = behaviour_.reply ? behaviour_.reply(message, proper) : proper(message);
      std::string said = reply ? "" : "silence";
      for (const std::string& each : reply.messages()) said += each + "\n";
      return said;
    });
  }

  // As the hooks of a mutant answer, but for the end of the process.
  HttpAnswer answer(const wire::HttpMessage& request) const {
    const ProperAnswer proper = [&](const wire::HttpMessage& each) {
      return proper_http_answer(dispatcher_, each);
    };
    return behaviour_.answer ? behaviour_.answer(request, proper) : proper(request);
  }

  void probe_request(const std::string& method, HttpFields fields, const std::string& body) {
    wire::HttpReader reader(wire::HttpReader::Role::server);
    fields.insert(fields.begin(), {"Host", "localhost"});
    if (fields.back().first != "Transfer-Encoding") {
      fields.emplace_back("Content-Length", std::to_string(body.size()));
    }
    reader.feed(wire::http_request(method, "/", fields, body));
    note([&] {
      const auto given = answer(*reader.next());
      return given.bytes + (given.keep_alive ? "kept" : "closed");
    });
  }

  void probe_http() {
    const HttpFields usual = {{"Accept", "*/*"}, {"Content-Type", "application/json"}};
    for (const std::string& body :
         {call_with_id("1"), call_with_id("2"), call_with(R"("method":"get_data")"),
          call_with(R"("method":"get_data","params":[1])"),
          notification_with(R"("method":"update")"), std::string()}) {
      probe_request("POST", usual, body);
    }
    for (const std::string& body : {call_with("\"method\":\"\xFF\""), std::string(2000, '['),
                                    call_with_id("\"" + std::string(70'000, 'x') + "\""),
                                    call_with(R"("method":"initialize")")}) {
      probe_request("POST", usual, body);
    }
    probe_request("GET", {{"Accept", "text/html"}}, "");
    probe_request("GET", usual, call_with_id("1"));
    probe_request("POST", {{"Origin", "http://foreign.example"}}, call_with_id("1"));
    probe_request("POST", {{"Content-Type", "text/plain"}}, call_with_id("1"));
    probe_request("POST", {{"Content-Type", "application/JSON;charset=utf-8"}}, call_with_id("1"));
    probe_request("POST", {{"Transfer-Encoding", "chunked"}},
                  wire::http_chunked(call_with_id("1"), 5));
  }

  void probe_pieces(MakeFraming kind, const std::vector<std::string>& pieces) {
    auto framing = kind({});
    if (behaviour_.framing) framing = behaviour_.framing(std::move(framing));
    note([&] {
      std::string seen;
      for (const std::string& piece : pieces) {
        framing->feed(piece);
        while (const auto frame = framing->next()) {
          seen += frame->violation + "<" + frame->payload + ">";
        }
      }
      framing->end_of_input();
      while (const auto frame = framing->next()) seen += frame->violation + " at the end";
      return seen;
    });
    note([&] {
      return framing->encode("{\"result\":\"Ã©\",\"c\":\"a\\nb\",\"error\":\"\xF0\x9F\x94\x91\"}");
    });
  }

  void probe_foreign_host() {
    wire::HttpReader reader(wire::HttpReader::Role::server);
    reader.feed(wire::http_request("POST", "/",
                                   {{"Host", "foreign.example"}, {"Content-Length", "0"}}, ""));
    note([&] { return answer(*reader.next()).bytes; });
  }

  void probe_framing(MakeFraming kind) {
    const auto proper = kind({});
    const std::string one = proper->encode("{\"id\":\"Ã©\"}");
    const std::string broken = proper->encode("{\"id\":");
    const std::string two = proper->encode("{\"id\":2}");
    probe_pieces(kind, {one + two});
    probe_pieces(kind, {broken + two});
    probe_pieces(kind, {one.substr(0, one.size() - 6), one.substr(one.size() - 6), two});
    probe_pieces(kind, {one.substr(0, one.size() - 4), one.substr(one.size() - 4), two});
    probe_pieces(kind, {one.substr(0, 3), one.substr(3), two});
    probe_pieces(kind, {proper->encode(std::string(70'000, 'x'))});
    probe_pieces(kind, {"content-length: 2\r\n\r\n{}\n"});
    probe_pieces(kind, {"Content-Length: 2\r\nX-Other: 1\r\n\r\n{}\n"});
    probe_pieces(kind, {"X-Other: 1\r\nContent-Length: 2\r\n\r\n{}\n"});
    probe_pieces(kind, {"Content-Type: x\r\nContent-Length: 2\r\n\r\n{}\n"});
    probe_pieces(kind, {"Content-Length: -1\r\n\r\n{}\n"});
    probe_pieces(kind, {"Content-Length: -1\r\n\r\n{}\n" + one});
    probe_pieces(kind, {one, two.substr(0, two.size() - 3)});
  }

  void probe_stream() {
    note([&] { return behaviour_.greeting + behaviour_.first_message; });
    note([&] {
      if (behaviour_.end_of_stream) behaviour_.end_of_stream();
      return std::string();
    });
    note([&] {
      std::string written;
      const ProperWrite write = [&written](std::string_view piece) {
        written.append(piece).append("|");
        return written.size() < kShown;
      };
      if (behaviour_.writing) behaviour_.writing("{\"result\":1}\n", write);
      return written;
    });
    for (const char* bytes : {"{}\r\n", "{\"id\":\"\xD0", "POST / HTTP/1",
                              "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n",
                              "GET / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"}) {
      note([&] { return behaviour_.arriving ? behaviour_.arriving(bytes) : bytes; });
    }
  }

  const Behaviour& behaviour_;
  const Dispatcher dispatcher_;
  std::vector<std::string> transcript_;
};

}  // namespace

std::vector<std::string> transcript_of(const Behaviour& behaviour) {
  return Probing(behaviour).take_transcript();
}

std::vector<std::string> transcript_of_large_messages(const Behaviour& behaviour) {
  return Probing(behaviour).take_transcript_of_large_messages();
}

}  // namespace jrpcheck::reference
