#include "cli/completion.hpp"

#include <algorithm>
#include <optional>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "cli/commands.hpp"
#include "cli/parse_words.hpp"
#include "reports/report.hpp"

namespace jrpcheck::cli {
namespace {

bool stands_for_itself(std::string_view piece) {
  return !piece.empty() && std::ranges::all_of(piece, [](char c) {
    return is_lower(c) || is_digit(c) || c == '-' || c == '.';
  });
}

// The sentence up to where it goes into detail.
std::string first_words(const std::string& sentence) {
  return sentence.substr(0, std::min(sentence.find("; "), sentence.find(": ")));
}

// Gathers what begins as the word does.
class Offer {
 public:
  // `option`: "--name=", where the value stands behind it in one word.
  Offer(std::string typed, std::string option) : typed_(std::move(typed)) {
    completion_.start = std::move(option);
  }

  void add(const std::string& word, const std::string& meaning = {}) {
    if (word.starts_with(typed_)) completion_.words.emplace_back(completion_.start + word, meaning);
  }

  // One piece of what an option takes.
  void add_value(std::string_view piece) {
    if (piece == "FILE") completion_.kinds += 'f';
    if (piece == "DIR") completion_.kinds += 'd';
    if (piece == "PROGRAM") completion_.kinds += 'p';
    if (piece == "FORMAT=PATH") add_formats();
    if (stands_for_itself(piece)) add(std::string(piece));
    if (piece == "PROFILE" || piece == "ID" || piece == "PATTERN") add_from_corpus(piece);
  }

  Completion take() { return std::move(completion_); }

 private:
  // Behind the format's name comes a file.
  void add_formats() {
    const auto equals = typed_.find('=');
    if (equals != std::string::npos) {
      completion_.start += typed_.substr(0, equals + 1);
      completion_.kinds = "f";
    }
    for (const auto& format : reports::kFormats) {
      add(std::string(format.name) + "=", std::string(format.summary));
    }
  }

  void add_from_corpus(std::string_view piece) {
    const auto corpus = load_corpus({});
    if (!corpus) return;
    if (piece == "PROFILE") {
      for (const auto& profile : corpus->profiles) add(profile.name, profile.title);
      return;
    }
    for (const auto& one : corpus->cases) add(one.id, one.title);
    for (const auto& each : corpus->ledger.requirements()) add(each.id, each.text);
  }

  std::string typed_;
  Completion completion_;
};

void add_values(std::string_view value, Offer& offer) {
  while (!value.empty()) {
    const auto bar = value.find('|');
    offer.add_value(value.substr(0, bar));
    value.remove_prefix(bar == std::string_view::npos ? value.size() : bar + 1);
  }
}

void add_names(const CommandForm& form, Offer& offer) {
  for (const auto& option : form.options) {
    for (const auto& name : option.names) offer.add(name, first_words(option.about));
  }
  if (form.takes_program) offer.add("--", "the program to start follows");
}

// Nothing: the name is of no option that takes a value.
std::optional<std::string> value_of_option(const CommandForm& form, const std::string& name) {
  for (const auto& option : form.options) {
    const bool is_named = contains(option.names, name);
    if (is_named && !option.value.empty()) return option.value;
  }
  return std::nullopt;
}

Completion complete_command(const std::string& typed) {
  Offer offer(typed, "");
  for (const auto& command : all_commands()) {
    offer.add(std::string(command.name), std::string(command.summary));
  }
  offer.add("help", "print what jrpcheck is, or what a command takes");
  offer.add("--help", "print what jrpcheck is");
  offer.add("--version", "print the version");
  return offer.take();
}

}  // namespace

Completion complete(const std::vector<std::string>& words) {
  if (words.size() < 2) return complete_command(words.empty() ? "" : words.front());
  if (words.front() == "help")
    return words.size() == 2 ? complete_command(words.back()) : Completion{};
  const auto& commands = all_commands();
  const auto command = std::ranges::find_if(
      commands, [&](const Command& each) { return each.name == words.front(); });
  if (command == commands.end()) return {};
  const CommandForm form = form_of(*command);
  const std::string& last = words.back();
  const auto equals = last.find('=');
  if (last.starts_with("--") && equals != std::string::npos) {
    Offer offer(last.substr(equals + 1), last.substr(0, equals + 1));
    add_values(value_of_option(form, last.substr(0, equals)).value_or(""), offer);
    return offer.take();
  }
  Offer offer(last, "");
  if (const auto value = value_of_option(form, words[words.size() - 2])) {
    add_values(*value, offer);
  } else if (last.starts_with("-")) {
    add_names(form, offer);
  } else {
    for (const auto& operand : form.operands) add_values(operand.value, offer);
  }
  return offer.take();
}

std::string to_text(const Completion& completion) {
  std::string text = completion.kinds + "\n" + completion.start + "\n";
  for (const auto& [word, meaning] : completion.words) {
    text.append(word).append("\t").append(meaning).append("\n");
  }
  return text;
}

}  // namespace jrpcheck::cli
