#include "cli/captures.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/contains.hpp"
#include "base/join.hpp"
#include "cli/commands.hpp"
#include "cli/kept_secrets.hpp"
#include "traffic/account.hpp"
#include "traffic/capture.hpp"
#include "transport/target.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::size_t kBeginning = 200;  // the schema is the first member

Error unreadable(const std::string& file) {
  return Error{file + ": cannot be read: " + std::strerror(errno)};
}

std::string skipped_text(const traffic::Capture& capture) {
  std::string text = std::to_string(capture.skipped_count) +
                     (capture.skipped_count == 1 ? " part of it was" : " parts of it were") +
                     " passed over, and no call is said to be unanswered for want of ";
  text += capture.skipped_count == 1 ? "it: " : "them: ";
  return text + joined(capture.skipped, "; ") + ".";
}

// Others' recordings hold the credentials of those who were recorded, and a server may repeat them.
void add_secrets(const traffic::HttpHead& head, std::vector<result::Secret>& secrets) {
  constexpr std::size_t kMostSecrets = 1000;
  for (const auto& [name, value] : head.fields) {
    if (!result::names_secret(name) || secrets.size() >= kMostSecrets) continue;
    for (auto& each : result::secrets_of_header(name, value)) {
      if (!contains(secrets, each)) secrets.push_back(std::move(each));
    }
  }
}

}  // namespace

FileKind kind_of_text(std::string_view text) {
  const auto names = [&](std::string_view what) {
    return text.substr(0, kBeginning).find(what) != std::string_view::npos;
  };
  if (names("\"jrpcheck-finding-")) return FileKind::finding;
  if (names("\"jrpcheck-run-")) return FileKind::run;
  const bool has_schema = names("\"schema\"") && !names("\"jrpcheck-traffic-");
  return has_schema ? FileKind::of_a_schema : FileKind::other;
}

Error no_run_but_a_finding(const std::string& file) {
  return Error{file +
               ": is a finding of jrpcheck fuzz, and no run: jrpcheck replay sends it again, and "
               "jrpcheck promote makes a case of it"};
}

Result<FileKind> kind_of_file(const std::string& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return unreadable(file);
  std::string text(kBeginning, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad() || std::filesystem::is_directory(file)) {
    errno = errno == 0 ? EISDIR : errno;
    return unreadable(file);
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return kind_of_text(text);
}

Result<result::RedactedRun> judge_capture(const std::string& file, const corpus::Corpus& corpus) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return unreadable(file);
  std::unique_ptr<traffic::Account> account;
  bool on_sockets = false;
  const auto carried = [&](const wire::Binding& binding) -> const wire::Binding& {
    return on_sockets ? wire::on_sockets(binding) : binding;
  };
  const auto begin = [&](const traffic::Capture& capture) {
    traffic::Origin origin;
    origin.target = capture.target.empty() ? file : capture.target;
    origin.transport = capture.transport;
    on_sockets = transport::scheme_named(capture.transport) != nullptr;
    origin.binding = &carried(*capture.binding);
    origin.is_from_the_beginning = capture.is_from_the_beginning;
    account = std::make_unique<traffic::Account>(corpus, std::move(origin));
  };
  std::vector<result::Secret> secrets;
  const auto capture = traffic::read_capture(
      stream, file, begin, [&](const dialogue::TrafficEvent& event) { account->take(event); },
      [&](const traffic::HttpHead& head) {
        add_secrets(head, secrets);
        account->take_head(head);
      },
      [&](const wire::Binding& binding, std::size_t connection) {
        account->use(carried(binding), connection);
      });
  if (!capture) return capture.error();
  if (capture->messages == 0) {
    return Error{file + ": there is no message of JSON-RPC in it, read as " + capture->format};
  }
  account->end();
  auto run = account->run();
  run.tool_version = kVersion;
  run.name = std::filesystem::path(file).stem().string();
  run.notes.push_back("Read as " + capture->format + ": " + account->summary());
  if (capture->skipped_count > 0) run.notes.push_back(skipped_text(*capture));
  // Who was recorded may be a command, and others' recordings hold it as it was.
  for (auto& each : result::secrets_of_command({capture->target})) {
    secrets.push_back(std::move(each));
  }
  for (auto& each : secrets_of_own_environment()) secrets.push_back(std::move(each));
  return result::RedactedRun(std::move(run), secrets);
}

}  // namespace jrpcheck::cli
