#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "base/contains.hpp"
#include "base/join.hpp"
#include "cli/commands.hpp"
#include "cli/explain_client.hpp"
#include "cli/parse_words.hpp"
#include "cli/table.hpp"
#include "reports/report.hpp"
#include "selftest/mutant_list.hpp"

namespace jrpcheck::cli {
namespace {

using corpus::Corpus;

struct ListOptions {
  std::string topic;
  std::string folder;
  std::string profile;
  bool as_json = false;
};

Result<Table> list_cases(const Corpus& corpus, const ListOptions&) {
  Table table{{{"id"},
               {"title"},
               {"file", false},
               {"requirements", false},
               {"transports", false},
               {"roles", false},
               {"derived-from", false},
               {"kills", false}},
              {}};
  for (const auto& one : corpus.cases) {
    const std::string from = one.derived_from ? one.derived_from->from : "";
    table.rows.push_back({one.id, one.title, one.file, one.requirements, one.transports, one.roles,
                          from, one.kills});
  }
  return table;
}

// The dialogues that clients of this profile meet.
Result<std::set<std::string>> dialogues_of_profile(const Corpus& corpus,
                                                   const std::string& folder) {
  const auto whole = load_corpus(folder);
  if (!whole) return whole.error();
  const auto files = files_before_built_in(folder);
  if (!files) return files.error();
  const auto dialogues = corpus::dialogues_for(corpus, *files, whole->ledger);
  if (!dialogues) return Error{"--profile: " + dialogues.error().message};
  std::set<std::string> ids;
  for (const auto& each : dialogues->dialogues) ids.insert(each.id);
  return ids;
}

Result<Table> list_scenarios(const Corpus& corpus, const ListOptions& options) {
  Table table{{{"id"},
               {"title"},
               {"file", false},
               {"requirements", false},
               {"doors", false},
               {"kills", false}},
              {}};
  const bool is_plain = options.profile == corpus::kDefaultProfile;
  if (options.profile.empty() || is_plain) {
    for (const auto& one : corpus.scenarios) {
      table.rows.push_back({one.id, one.title, one.file, one.requirements, one.doors, one.kills});
    }
  }
  if (is_plain) return table;
  const auto all = all_dialogues(options.folder);
  if (!all) return all.error();
  std::set<std::string> ids;
  if (!options.profile.empty()) {
    auto of_profile = dialogues_of_profile(corpus, options.folder);
    if (!of_profile) return of_profile.error();
    ids = *std::move(of_profile);
  }
  for (const auto& [profile, file, one] : *all) {
    if (!options.profile.empty() && ids.count(one.id) == 0) continue;
    table.rows.push_back({one.id, one.title, file, one.requirements, one.doors, one.kills});
  }
  return table;
}

std::vector<std::string> cases_of(const Corpus& corpus, const std::string& requirement) {
  std::vector<std::string> ids;
  for (const auto& one : corpus.cases) {
    if (contains(one.requirements, requirement)) ids.push_back(one.id);
  }
  return ids;
}

Result<Table> list_requirements(const Corpus& corpus, const ListOptions&) {
  Table table{{{"id"},
               {"level"},
               {"class"},
               {"clause"},
               {"text"},
               {"note", false},
               {"why", false},
               {"seen", false},
               {"versions", false},
               {"status", false},
               {"cases", false}},
              {}};
  for (const auto& each : corpus.ledger.requirements()) {
    table.rows.push_back({each.id, corpus::name_of(each.level), each.class_name,
                          each.cited_clause(), each.text, each.note, each.why, each.seen,
                          each.versions, each.status, cases_of(corpus, each.id)});
  }
  return table;
}

Result<Table> list_profiles(const Corpus& corpus, const ListOptions&) {
  Table table{{{"name"}, {"about"}, {"classes", false}}, {}};
  for (const auto& profile : corpus.profiles) {
    table.rows.push_back({profile.name, profile.title, profile.classes});
  }
  return table;
}

Result<Table> list_formats(const Corpus&, const ListOptions&) {
  Table table{{{"name"}, {"about"}}, {}};
  for (const auto& format : reports::kFormats) {
    table.rows.push_back({format.name, format.summary});
  }
  return table;
}

Result<Table> list_faults(const Corpus&, const ListOptions&) {
  const auto mutants = selftest::read_mutants(selftest::reference_program_beside_this_one());
  if (!mutants) return mutants.error();
  Table table{{{"name"}, {"requirements"}, {"transports", false}, {"about"}}, {}};
  for (const auto& each : *mutants) {
    if (each.kind != selftest::Mutant::Kind::fault) continue;
    table.rows.push_back({each.name, each.requirements, each.transports, each.about});
  }
  return table;
}

// Of each class of a profile how much there is, and how much of that is tested.
Table count_requirements(const Corpus& corpus) {
  struct Count {
    int all = 0;
    int tested = 0;
    int must = 0;
    int must_tested = 0;
  };
  std::map<std::string, Count> counts;
  for (const auto& each : corpus.ledger.requirements()) {
    Count& count = counts[each.class_name];
    const int tested = each.status.empty() ? 1 : 0;
    const int must = each.level == corpus::Level::must ? 1 : 0;
    count.all += 1;
    count.tested += tested;
    count.must += must;
    count.must_tested += must * tested;
  }
  Table table{{{"class"}, {"requirements"}, {"tested by run"}, {"of them must"}, {"tested"}}, {}};
  for (const auto& name : corpus.profile.classes) {
    const Count& count = counts[name];
    table.rows.push_back({name, std::to_string(count.all), std::to_string(count.tested),
                          std::to_string(count.must), std::to_string(count.must_tested)});
  }
  return table;
}

// The cases and requirements of one profile.
Result<Corpus> of_profile(Corpus corpus, const std::string& name) {
  auto chosen = corpus::with_profile(std::move(corpus), name);
  if (!chosen) return chosen;
  const auto& profile = chosen->profile;
  chosen->ledger.keep_only(
      [&](const corpus::Requirement& each) { return profile.has_class(each.class_name); });
  return chosen;
}

struct Topic {
  std::string_view name;
  std::string_view summary;
  bool needs_corpus;
  Result<Table> (*list)(const Corpus& corpus, const ListOptions& options);
};

// A new topic is a function and a line here.
constexpr Topic kTopics[] = {
    {"cases", "what is sent, and which answers conform", true, &list_cases},
    {"scenarios", "what clients are told, and what they may make of it", true, &list_scenarios},
    {"requirements", "what is required, at which level, by which clause", true, &list_requirements},
    {"profiles", "values of jrpcheck run --profile", true, &list_profiles},
    {"formats", "values of jrpcheck run --report", false, &list_formats},
    {"faults", "values of jrpcheck-reference --fault: one broken rule each", false, &list_faults},
};

std::string names_of_topics(const std::string& between) {
  return joined(kTopics, between, &Topic::name);
}

std::string footer() {
  std::string text;
  for (const auto& topic : kTopics) {
    text += "  " + std::string(topic.name) + std::string(14 - topic.name.size(), ' ') +
            std::string(topic.summary) + "\n";
  }
  return text +
         "\n"
         "  jrpcheck list cases | grep batch\n"
         "  jrpcheck list requirements --json | jq -r '.[] | select(.level == \"must\") | .id'\n"
         "  jrpcheck list requirements --profile mcp    # counts at the end; --json: why one is "
         "not "
         "tested\n\n"
         "jrpcheck explain ID tells all about one case, scenario or requirement.";
}

ExitCode list(const ListOptions& options) {
  const std::string& name = options.topic;

  const auto* topic =
      std::ranges::find_if(kTopics, [&](const Topic& each) { return each.name == name; });
  if (topic == std::end(kTopics)) {
    const std::string wrong =
        name.empty() ? "what is to be listed?" : "there is no '" + name + "';";
    return complain(ExitCode::usage,
                    wrong + " jrpcheck list takes one of " + names_of_topics(", "));
  }
  Corpus corpus;
  if (topic->needs_corpus) {
    auto loaded = load_corpus(options.folder);
    if (!loaded) return complain(ExitCode::usage, loaded.error().message);
    corpus = *std::move(loaded);
    if (!options.profile.empty()) {
      auto chosen = of_profile(std::move(corpus), options.profile);
      if (!chosen) return complain(ExitCode::usage, "--profile: " + chosen.error().message);
      corpus = *std::move(chosen);
    }
  }
  const auto table = topic->list(corpus, options);
  if (!table) return complain(ExitCode::usage, table.error().message);
  std::cout << (options.as_json ? to_json(*table) : to_text(*table));
  if (name == "requirements" && !options.profile.empty() && !options.as_json) {
    std::cout << '\n' << to_text(count_requirements(corpus));
  }
  return ExitCode::ok;
}

}  // namespace

Action declare_list(CLI::App& app) {
  auto options = std::make_shared<ListOptions>();
  app.description(
      "Lists cases, scenarios of clients, requirements, profiles, report formats or faults.");
  app.footer(footer());
  app.add_option("TOPIC", options->topic, names_of_topics(", "))->type_name(names_of_topics("|"));
  app.add_option("--profile", options->profile, "only what is of this profile")
      ->type_name("PROFILE");
  app.add_flag("--json", options->as_json, "print a JSON Array of Objects, with more members");
  declare_cases(app, options->folder);
  return [options](const CommandLine&) { return list(*options); };
}

}  // namespace jrpcheck::cli
