#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/bytes.hpp"
#include "run/endpoint.hpp"
#include "run/framing_discovery.hpp"
#include "session/stream_conversation.hpp"
#include "session/stream_source.hpp"

namespace jrpcheck::run {
namespace {

class StdioEndpoint : public Endpoint {
 public:
  StdioEndpoint(const Options& options, session::Patience& patience, transport::Guardian& guardian)
      : options_(options), patience_(patience), guardian_(guardian) {
    settings_.opening = options.opening;
    settings_.control = unknown_control_call();
  }

  Result<bool> reach() override {
    if (options_.framing) {
      settings_.framing = *options_.framing;
    } else if (options_.opening_name == "lsp") {
      settings_.framing = wire::FramingKind::content_length;
    } else if (options_.opening_name != "mcp") {
      const Deadline deadline = Deadline::in(patience_.for_start());
      const auto found = discover_framing(options_.command, options_.opening, settings_.control,
                                          guardian_, deadline);
      if (!found) return found.error();
      // That it comes up has been waited for, and in vain: once is enough.
      if (deadline.passed()) patience_.note_first_sign();
      settings_.framing = *found;
    }
    return true;
  }

  std::unique_ptr<session::Conversation> converse() override {
    return session::make_stream_conversation(
        session::make_process_source(options_.command, guardian_), settings_, patience_);
  }

  std::string_view transport() const override { return wire::name_of(settings_.framing); }
  bool is_stream() const override { return true; }
  bool is_shared() const override { return false; }
  bool serves_several() override { return true; }
  std::string text() const override { return quoted_command(); }
  std::string reproduce(const corpus::Case& bound) const override;
  void use_control_call(session::ControlCall call) override { settings_.control = std::move(call); }

 private:
  std::string quoted_command() const {
    std::vector<std::string> words;
    for (const auto& word : options_.command) words.push_back(shell_quote(word));
    return fmt::format("{}", fmt::join(words, " "));
  }

  const Options& options_;
  session::Patience& patience_;
  transport::Guardian& guardian_;
  session::StreamSettings settings_;
};

// Standard input stays open for a moment, because many programs leave at its end without answering.
std::string StdioEndpoint::reproduce(const corpus::Case& bound) const {
  const auto framing = wire::make_framing(settings_.framing);
  std::string bytes;
  for (const auto& message : settings_.opening.messages) bytes += framing->encode(message);
  for (const auto& step : bound.steps) {
    for (const auto& message : step.messages) {
      bytes += step.raw ? message : framing->encode(message);
    }
  }
  return fmt::format("{{ {}; sleep 1; }} | {}", shell_printer(bytes), quoted_command());
}

}  // namespace

std::unique_ptr<Endpoint> make_stdio_endpoint(const Options& options, session::Patience& patience,
                                              transport::Guardian& guardian) {
  return std::make_unique<StdioEndpoint>(options, patience, guardian);
}

}  // namespace jrpcheck::run
