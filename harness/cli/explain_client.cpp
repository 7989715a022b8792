#include "cli/explain_client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/join.hpp"
#include "cli/explain.hpp"
#include "cli/parse_words.hpp"
#include "client/door.hpp"
#include "judge/traffic/traffic_judge.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::cli {
namespace {

using corpus::Dialogue;
using corpus::Requirement;
using corpus::Scenario;
using selftest::Mutant;

// "--door ws " where the usual one does not do.
std::string door_option(const std::vector<std::string>& doors, const client::Door& usual) {
  if (doors.empty() || contains(doors, usual.kind)) return "";
  return "--door " + doors.front() + " ";
}

std::string door_of_dialogue(const Dialogue& one) {
  return door_option(one.doors, client::usual_door(true));
}

std::string door_of_scenario(const Scenario& one) {
  return door_option(one.doors, client::usual_door(false));
}

// What holds of all that a client says needs no scenario of its own: no id is selected.
std::string client_command(const std::string& options, const std::string& id) {
  return "jrpcheck client " + options + (id.empty() ? "" : "--select " + id + " ") + "-- ";
}

// The reference client with that fault, by a door through which it shows.
std::string faulty_client(const Mutant& fault, const std::string& selected,
                          const corpus::Corpus& corpus, const std::string& cases) {
  const std::string door = fault.transports.front().substr(selftest::kClientTransport.size());
  const bool is_plain = fault.profile == corpus::kDefaultProfile;
  std::string words = "jrpcheck-reference --client ";
  for (const auto& profile : corpus.profiles) {
    if (profile.name != fault.profile) continue;
    const auto own = selftest::words_to_speak(profile).value_or(std::vector<std::string>());
    for (const auto& word : own) words += word + " ";
  }
  words += "--fault " + fault.name + (door == client::usual_door(true).name ? " -- {server}" : "");
  const bool is_usual = door == client::usual_door(!is_plain).name;
  const std::string options = (is_plain ? "--driver " : "--profile " + fault.profile + " ") +
                              (is_usual ? "" : "--door " + door + " ");
  return client_command(cases + options, selected) + words;
}

void add_faults_of_client(const Requirement& requirement, const std::set<std::string>& claimed,
                          const corpus::Corpus& corpus, const std::vector<Mutant>& mutants,
                          const std::string& cases, TextLayout& page) {
  std::string_view label = "Shown by";
  const Mutant* first = nullptr;
  std::set<std::string> named;
  for (const auto& each : mutants) {
    const bool shows = each.is_of_client() && each.kind == Mutant::Kind::fault &&
                       contains(each.requirements, requirement.id);
    if (!shows || !named.insert(each.name).second) continue;
    if (first == nullptr) first = &each;
    page.entry(label, "the fault " + each.name + ": " + each.about);
    label = "";
  }
  if (first == nullptr) return;
  page.gap();
  // What none of its scenarios claims shows in another.
  const std::string selected = claimed.contains(first->name) ? requirement.id : "";
  page.verbatim("See it fail", faulty_client(*first, selected, corpus, cases));
}

// What stands in two columns beside "Tested by".
using Rows = std::vector<std::pair<std::string, std::string>>;

void add_rows(const Rows& rows, bool is_first, TextLayout& page) {
  std::size_t width = 0;
  for (const auto& [id, title] : rows) width = std::max(width, id.size());
  for (auto [id, title] : rows) {
    id.resize(width + 2, ' ');
    page.verbatim(is_first ? "Tested by" : "", id + title);
    is_first = false;
  }
}

// The requirement's dialogues, and the profile and door by which the first is met.
struct Met {
  Rows rows;
  std::set<std::string> claimed;  // faults that these notice
  std::string options;
};

Met dialogues_with(const Requirement& requirement,
                   const std::vector<DialogueOfProfile>& dialogues) {
  Met met;
  for (const auto& each : dialogues) {
    if (!contains(each.dialogue.requirements, requirement.id)) continue;
    if (met.rows.empty()) {
      met.options = "--profile " + each.profile + " " + door_of_dialogue(each.dialogue);
    }
    met.rows.emplace_back(each.dialogue.id, each.dialogue.title);
    met.claimed.insert(each.dialogue.kills.begin(), each.dialogue.kills.end());
  }
  return met;
}

Met scenarios_with(const Requirement& requirement, const corpus::Corpus& corpus) {
  Met met;
  for (const auto& each : corpus.scenarios) {
    if (!contains(each.requirements, requirement.id)) continue;
    if (met.rows.empty()) met.options = "--driver " + door_of_scenario(each);
    met.rows.emplace_back(each.id, each.title);
    met.claimed.insert(each.kills.begin(), each.kills.end());
  }
  return met;
}

void add_caught(const std::vector<std::string>& kills, const std::vector<Mutant>& mutants,
                TextLayout& page) {
  std::string_view label = "Catches";
  for (const auto& name : kills) {
    const auto found = std::ranges::find_if(
        mutants, [&](const auto& each) { return each.is_of_client() && each.name == name; });
    page.entry(label, "the fault " + name + (found == mutants.end() ? "" : ": " + found->about));
    label = "";
  }
}

std::string text_of_outcome(corpus::CallOutcome outcome) {
  using corpus::CallOutcome;
  switch (outcome) {
    case CallOutcome::value:
      return "value: its own result";
    case CallOutcome::error:
      return "error";
    case CallOutcome::wrong:
      return "wrong: another result";
    case CallOutcome::nothing:
      return "nothing: success without a result";
    case CallOutcome::waits:
      return "waits: it goes on waiting";
    case CallOutcome::died:
      return "died: the program ends first";
  }
  return {};
}

// What goes out in place of the good answer.
void add_odd_answer(const Scenario& one, TextLayout& page) {
  std::string_view label = one.is_of_notification ? "Notification" : "Answer";
  const auto add = [&](const std::string& text) {
    page.verbatim(std::exchange(label, ""), to_visible(text, 300));
  };
  for (const auto& each : one.answer) add(each);
  for (const auto& each : one.frames) {
    add("[" + wire::text_of(each.details) + "] " + each.payload);
  }
  if (one.is_unanswered) add("none");
  if (one.answer.empty() && one.frames.empty() && !one.is_unanswered) {
    add(one.then.empty() ? "nothing" : "nothing, then a " + one.then);
  } else if (!one.then.empty()) {
    page.entry("", "then a " + one.then);
  }
  if (one.cut > 0) page.entry("", fmt::format("without the last {} bytes", one.cut));
  if (one.in_one_write) page.entry("", "in one write");
  if (one.in_two_writes) page.entry("", "in two writes, with a moment between them");
  if (one.http_status != 200) page.entry("", fmt::format("over HTTP with {}", one.http_status));
  if (one.http_type != "application/json") {
    page.entry("", "over HTTP " +
                       (one.http_type.empty() ? "without Content-Type" : "as " + one.http_type));
  }
  if (one.http_chunk > 0) {
    page.entry("", fmt::format("over HTTP in chunks of {} bytes", one.http_chunk));
  }
}

void add_accepted(const Scenario& one, const corpus::Ledger& ledger, TextLayout& page) {
  std::string_view label = "Accepts";
  for (const auto each : one.accept) {
    page.entry(std::exchange(label, ""), "pass  " + text_of_outcome(each));
  }
  for (const auto each : one.warn_over_http) {
    page.entry("", "warn  " + text_of_outcome(each) + ", over HTTP");
  }
  for (const auto each : one.warn) page.entry("", "warn  " + text_of_outcome(each));
  const auto* requirement = ledger.find(one.requirements.front());
  const bool warns = requirement != nullptr && requirement->level == corpus::Level::should;
  page.entry("", warns ? "warn  anything else (that it dies fails)" : "fail  anything else");
  if (one.others_may_fail) page.entry("", "the calls around it may fail as well");
  page.entry("Because", one.because);
}

std::string doors_text(const std::vector<std::string>& doors) {
  return doors.empty() ? "every door" : joined(doors);
}

void add_what_it_says(const Dialogue& one, TextLayout& page) {
  std::string_view label = "Says";
  for (const auto& each : one.say) page.verbatim(std::exchange(label, ""), to_visible(each, 300));
  label = "Answers";
  for (const auto& [method, members] : one.answers) {
    page.verbatim(std::exchange(label, ""), method + "  " + to_visible(members, 300));
  }
  for (const auto& [method, several] : one.in_turn) {
    for (const auto& each : several) {
      page.verbatim(std::exchange(label, ""), method + "  " + to_visible(each, 300));
    }
  }
  for (const auto& each : {one.first, one.refuses_stateless}) {
    if (!each.empty()) page.verbatim(std::exchange(label, ""), to_visible(each, 300));
  }
  label = "Wants";
  for (const auto& [id, owed] : one.owed) {
    page.entry(std::exchange(label, ""),
               "an answer to " + id +
                   (owed.items ? fmt::format(" with {} items", *owed.items) : "") +
                   (owed.may_stay_away ? ", or none where a person is asked" : ""));
  }
  if (one.goes_on) page.entry(std::exchange(label, ""), "what the client does in the control");
  if (one.leaves) page.entry(std::exchange(label, ""), "that the client says nothing more");
  if (!one.awaits.empty()) {
    page.entry(std::exchange(label, ""),
               "a call of " + one.awaits + (one.awaits_surely ? "" : ", which counts if it comes"));
  }
  page.entry("Needs", one.needs.empty() ? "" : "a client that declares " + one.needs);
}

}  // namespace

Result<std::vector<DialogueOfProfile>> all_dialogues(const std::string& folder) {
  const auto files = files_before_built_in(folder);
  if (!files) return files.error();
  std::vector<DialogueOfProfile> all;
  std::set<std::string> seen;
  for (const auto& each : *files) {
    if (!corpus::holds_dialogues(each.path) || !seen.insert(each.path).second) continue;
    auto loaded = corpus::load_dialogues(each.path, each.text, nullptr);
    if (!loaded) return loaded.error();
    // "profiles/mcp/client-2026-07-28.json": mcp-2026-07-28.
    std::string name = each.path.substr(corpus::kProfilesPath.size());
    name = name.substr(0, name.rfind(".json"));
    name.erase(name.find("/client"), std::string_view("/client").size());
    for (auto& one : loaded->dialogues) all.push_back({name, each.path, std::move(one)});
  }
  return all;
}

bool is_of_clients(const Requirement& requirement, const corpus::Corpus& corpus) {
  if (requirement.class_name == "client") return true;
  return std::ranges::any_of(corpus.profiles, [&](const auto& profile) {
    return profile.is_of_clients(requirement.class_name);
  });
}

bool add_client_tests(const Requirement& requirement, const corpus::Corpus& corpus,
                      const std::vector<DialogueOfProfile>& dialogues,
                      const std::vector<Mutant>& mutants, const std::string& cases,
                      TextLayout& page) {
  const bool is_plain = requirement.class_name == "client";
  const auto met =
      is_plain ? scenarios_with(requirement, corpus) : dialogues_with(requirement, dialogues);
  const bool by_form =
      is_plain ? judge::shown_by_traffic(dialogue::Side::client).count(requirement.id) != 0
               : met.rows.empty() && corpus::is_asked_by_dialogues(requirement);
  if (by_form) {
    page.entry("Tested by", std::string("all that the client says, in every ") +
                                (is_plain ? "scenario" : "dialogue") + " and by jrpcheck watch");
  }
  add_rows(met.rows, !by_form, page);
  if (!by_form && met.rows.empty()) return false;
  std::string options = met.options;
  if (met.rows.empty()) {
    // The status is the command that asks it, up to the profile's name.
    constexpr std::string_view kCommand = "jrpcheck client ";
    const auto& status = requirement.status;
    options = is_plain
                  ? "--driver "
                  : status.substr(kCommand.size(), status.rfind(" asks") + 1 - kCommand.size());
  }
  page.gap();
  const bool by_url = is_plain || options.find("--door") != std::string::npos;
  const std::string selected = met.rows.empty() ? "" : requirement.id;
  page.verbatim("Try", client_command(cases + options, selected) + "your-client " +
                           (by_url ? "{url}" : "{server}"));
  page.gap();
  add_faults_of_client(requirement, met.claimed, corpus, mutants, cases, page);
  return true;
}

std::string explain_scenario(const Scenario& scenario, const corpus::Corpus& corpus,
                             const std::vector<Mutant>& mutants, const std::string& cases) {
  TextLayout page(fmt::format("{}   cases/{}:{}", scenario.id, scenario.file, scenario.line));
  page.gap();
  page.paragraph(scenario.title);
  page.gap();
  add_requirements(scenario.requirements, corpus.ledger, page);
  page.entry("Applies to", "clients, by " + doors_text(scenario.doors));
  page.entry("Calls", scenario.order == corpus::CallOrder::in_turn
                          ? ""
                          : "as JRPCHECK_ORDER=" + std::string(name_of(scenario.order)) + " says");
  page.gap();
  add_odd_answer(scenario, page);
  add_accepted(scenario, corpus.ledger, page);
  page.gap();
  add_caught(scenario.kills, mutants, page);
  page.verbatim("Try",
                client_command(cases + "--driver " + door_of_scenario(scenario), scenario.id) +
                    "your-client {url}");
  return page.text();
}

std::string explain_dialogue(const DialogueOfProfile& one, const corpus::Corpus& corpus,
                             const std::vector<Mutant>& mutants, const std::string& cases) {
  const auto& dialogue = one.dialogue;
  TextLayout page(dialogue.id + "   cases/" + one.file);
  page.gap();
  page.paragraph(dialogue.title);
  page.gap();
  add_requirements(dialogue.requirements, corpus.ledger, page);
  const std::string door = door_of_dialogue(dialogue);
  const bool is_of_streams = door.empty() && !dialogue.doors.empty();
  page.entry("Applies to", "clients of " + one.profile + ", by " +
                               (is_of_streams ? "streams" : doors_text(dialogue.doors)));
  page.gap();
  add_what_it_says(dialogue, page);
  page.gap();
  add_caught(dialogue.kills, mutants, page);
  page.verbatim("Try",
                client_command(cases + "--profile " + one.profile + " " + door, dialogue.id) +
                    "your-client " + (door.empty() ? "{server}" : "{url}"));
  return page.text();
}

}  // namespace jrpcheck::cli
