#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/bytes.hpp"
#include "result/secrets.hpp"
#include "run/endpoint.hpp"
#include "run/mixed_up_calls.hpp"
#include "session/http_conversation.hpp"
#include "session/http_server.hpp"

namespace jrpcheck::run {
namespace {

// A server that serves one connection at a time leaves a second one waiting; one that serves
// several answers it within any ordinary round trip.
constexpr milliseconds kSecondConnection{1000};

class HttpEndpoint : public Endpoint {
 public:
  HttpEndpoint(const Options& options, session::Patience& patience, transport::Guardian& guardian)
      : options_(options),
        patience_(patience),
        settings_{options.headers, options.opening, unknown_control_call()},
        server_(options.command.empty() ? std::make_unique<session::HttpServer>(*options.target)
                                        : std::make_unique<session::HttpServer>(
                                              *options.target, options.command, guardian)) {}

  Result<bool> reach() override {
    const auto begin = Clock::now();
    auto started = server_->start(Deadline::in(patience_.for_start()));
    if (started && !options_.command.empty()) {
      patience_.learn_start_up(std::chrono::duration_cast<microseconds>(Clock::now() - begin));
    }
    return started;
  }

  std::unique_ptr<session::Conversation> converse() override {
    return session::make_http_conversation(*server_, settings_, patience_);
  }

  std::string_view transport() const override { return "http"; }
  bool is_stream() const override { return false; }
  bool is_shared() const override { return true; }
  bool serves_several() override;
  std::optional<std::string> find_mixed_up_calls() override {
    const auto begin_one = [this] { return converse(); };
    auto stale = run::find_mixed_up_calls(begin_one, settings_.control);
    if (stale) server_->note_mixed_up_calls();
    return stale;
  }
  std::optional<pid_t> process_group() const override { return server_->process_group(); }
  std::string text() const override { return options_.target->redacted; }
  std::string reproduce(const corpus::Case& bound) const override;
  void use_control_call(session::ControlCall call) override { settings_.control = std::move(call); }

 private:
  std::string curl(const corpus::HttpDetails& details, std::string_view message) const;

  const Options& options_;
  session::Patience& patience_;
  session::HttpSettings settings_;
  std::unique_ptr<session::HttpServer> server_;
};

// Two connections open at once, the first idle but alive: is the second one served? Beside them the
// run's own may be open, so that the first may wait in vain as well; neither may cost the server
// its life or the run its patience.
bool HttpEndpoint::serves_several() {
  session::Patience short_patience(std::min<microseconds>(kSecondConnection, patience_.timeout()));
  short_patience.note_first_answer();
  corpus::Step call;
  call.messages.push_back(settings_.control.text(1));
  const auto is_served = [&call](session::Conversation& conversation) {
    dialogue::Transcript aside;
    return conversation.open(aside) &&
           conversation.exchange(call, aside).ending == dialogue::Ending::settled;
  };
  const auto first = session::make_http_conversation(*server_, settings_, short_patience);
  const auto second = session::make_http_conversation(*server_, settings_, short_patience);
  return is_served(*first) && is_served(*second);
}

// curl sends these by itself, so that leaving them out has to be said.
constexpr std::array<std::string_view, 2> kSentByCurl = {"Accept", "Content-Type"};

const std::string* find_field(const wire::HttpFields& fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const auto& field) { return field.first == name; });
  return found == fields.end() ? nullptr : &found->second;
}

std::string HttpEndpoint::curl(const corpus::HttpDetails& details, std::string_view message) const {
  std::string line = shell_printer(message) + " | curl -sS -i -X " + details.method;
  const auto fields =
      session::http_request_fields(*options_.target, options_.headers, details, message.size());
  const auto add_header = [&line](const std::string& header) {
    line += " -H " + shell_quote(header);
  };
  // A variable counts within double quotes.
  const auto add_secret_header = [&line](const std::string& name) {
    line += " -H \"" + name + ": ${" + result::variable_named(name) + "}\"";
  };
  for (const auto& [name, value] : fields) {
    if (name == "Host" || name == "User-Agent" || name == "Content-Length") continue;
    // A header given by the user is a secret until proven otherwise.
    const bool secret = name == "Authorization" || find_field(options_.headers, name) != nullptr;
    if (secret && !result::is_public_header(name)) {
      add_secret_header(name);
    } else {
      add_header(fmt::format("{}: {}", name, value));
    }
  }
  for (const auto name : kSentByCurl) {
    if (find_field(fields, name) == nullptr) add_header(std::string(name) + ":");
  }
  if (details.method != "GET") line += " --data-binary @-";
  return line + " " + shell_quote("http://" + options_.target->authority + options_.target->path);
}

std::string HttpEndpoint::reproduce(const corpus::Case& bound) const {
  std::string lines;
  for (const auto& step : bound.steps) {
    for (const auto& message : step.messages) {
      if (!lines.empty()) lines += "; ";
      lines += curl(step.http, message);
    }
  }
  return lines;
}

}  // namespace

std::unique_ptr<Endpoint> make_http_endpoint(const Options& options, session::Patience& patience,
                                             transport::Guardian& guardian) {
  return std::make_unique<HttpEndpoint>(options, patience, guardian);
}

}  // namespace jrpcheck::run
