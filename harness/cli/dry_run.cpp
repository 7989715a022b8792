#include "cli/dry_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/bytes.hpp"
#include "base/join.hpp"
#include "base/number_of.hpp"
#include "result/shard.hpp"
#include "run/control_call.hpp"
#include "run/recognise_protocol.hpp"
#include "run/role_parts.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::size_t kMostShown = 400;
constexpr std::size_t kMostOfNames = 4000;

const wire::Binding* binding_of_run(const run::Options& options) {
  if (!options.target || options.target->scheme->binding.empty()) return options.framing;
  return wire::binding_named(options.target->scheme->binding);
}

std::string section(const std::string& title, const std::vector<std::string>& messages,
                    std::size_t most = kMostShown) {
  if (messages.empty()) return {};
  std::string text = title + "\n";
  for (const auto& message : messages) text += "  " + to_visible(message, most) + "\n";
  return text + "\n";
}

std::vector<std::string> probes_of(const corpus::Profile& profile) {
  std::vector<std::string> messages;
  for (const auto& probe : profile.detection) messages.push_back(probe.message);
  return messages;
}

bool is_looked_for_on_sockets(const corpus::Profile& profile) {
  const auto all = wire::bindings();
  return std::any_of(all.begin(), all.end(), [&](const wire::Binding& each) {
    return each.is_framing() && run::is_looked_for_on(wire::on_sockets(each), profile);
  });
}

// What each profile is recognised by that is looked for there. Which framing is spoken on a stream
// is found out first.
std::vector<std::string> recognition(const run::Options& options) {
  const wire::Binding* binding = binding_of_run(options);
  std::vector<std::string> messages;
  for (const auto& profile : corpus::embedded_profiles()) {
    const bool is_looked_for = binding != nullptr
                                   ? run::is_looked_for_on(*binding, profile)
                                   : !options.target || is_looked_for_on_sockets(profile);
    if (!is_looked_for || !profile.version.empty()) continue;
    for (const auto& probe : profile.detection) {
      if (!probe.where_named) messages.push_back(probe.message);
    }
  }
  return messages;
}

// The names of methods that are called to find one that plays a role.
std::vector<std::string> role_calls(const corpus::Profile& profile, const run::Options& options) {
  std::vector<std::string> lines;
  if (!profile.schemas.empty()) return lines;  // what a protocol on top has is known
  for (const auto& part : run::role_parts()) {
    const std::string role(part.role);
    std::vector<std::string> names;
    if (const auto given = options.roles.find(role); given != options.roles.end()) {
      names = {given->second};
    } else {
      if (const auto own = profile.roles.find(role); own != profile.roles.end())
        names = own->second;
      names.insert(names.end(), part.names.begin(), part.names.end());
      for (const auto name : part.names_of_calculators) {
        names.push_back(std::string(name) + " (of a server that calculates)");
      }
    }
    if (!names.empty()) lines.push_back(fmt::format("{}: {}", role, joined(names)));
  }
  std::set<std::string_view> calculating;
  for (const auto& each : run::calculations()) calculating.insert(each.method);
  lines.push_back("whether it calculates: " + joined(calculating));
  return lines;
}

std::string departures(const corpus::HttpDetails& http) {
  std::string text;
  if (http.method != "POST" || !http.path.empty()) text += http.method + " " + http.path;
  for (const auto& [name, value] : http.headers) {
    text += (text.empty() ? "" : ", ") + (value ? name + ": " + *value : "without " + name);
  }
  return text.empty() ? text : "(" + to_visible(text, kMostShown) + ") ";
}

std::string messages_of(const corpus::Case& one) {
  std::string text;
  for (const auto& step : one.steps) {
    const std::string before = departures(step.http);
    for (const auto& message : step.messages) {
      text += "  " + before + to_visible(message.text(), kMostShown) + "\n";
    }
    if (step.messages.empty()) text += "  " + before + "nothing\n";
  }
  return text;
}

// Which framing is spoken is found out: any may be.
bool applies_there(const corpus::Case& one, const corpus::Corpus& corpus,
                   const wire::Binding* binding) {
  if (binding != nullptr) return corpus.applies(one, *binding);
  const auto all = wire::bindings();
  return std::ranges::any_of(all, [&](const wire::Binding& each) {
    return each.is_framing() && corpus.applies(one, each);
  });
}

bool is_run(const corpus::Case& one, const corpus::Corpus& corpus, const RunOptions& options) {
  const wire::Binding* binding = binding_of_run(options.run);
  return options.run.selection.includes(one) && applies_there(one, corpus, binding) &&
         corpus.profile.exempts_case(one.id) == nullptr &&
         (!options.run.shard || result::is_in_shard(one.id, *options.run.shard));
}

}  // namespace

std::string dry_run(const corpus::Corpus& corpus, const RunOptions& options) {
  const corpus::Profile& profile = corpus.profile;
  run::Options adopted = options.run;
  run::adopt(profile, adopted);
  std::string text =
      fmt::format("Nothing is sent. A run by the profile {} would send this:\n\n", profile.name);
  if (options.recognises) {
    text += section("To recognise a protocol, each also under a method that nobody has:",
                    recognition(options.run));
  }
  const bool asks_for_version =
      !profile.family.empty() && options.profile == profile.family && !profile.versions.empty();
  if (asks_for_version) text += section("To find out the version:", probes_of(profile));
  text += section("First in a session:", adopted.opening.messages);
  text += section("To see whether the server serves:", {run::control_call_of(profile).text(1)});
  std::vector<std::string> lists;
  for (const auto& list : profile.lists) lists.push_back(list.method);
  text += section("Lists that the server gives:", lists);
  text += section("Methods that are called to find what plays a role:",
                  role_calls(profile, options.run), kMostOfNames);
  text += "Cases:\n";
  std::size_t count = 0;
  for (const auto& one : corpus.cases) {
    if (!is_run(one, corpus, options)) continue;
    ++count;
    text += one.id + "\n" + messages_of(one);
  }
  return text + fmt::format(
                    "\n{}. ${{id}} and its like are made in the run; what is about a "
                    "role, or an item of a list, is sent where the server has it.\n",
                    number_of(count, "case"));
}

}  // namespace jrpcheck::cli
