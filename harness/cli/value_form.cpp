#include "cli/value_form.hpp"

#include <algorithm>

#include "cli/parse_words.hpp"
#include "reports/report.hpp"

namespace jrpcheck::cli {
namespace {

bool stands_for_itself(std::string_view piece) {
  return !piece.empty() && std::all_of(piece.begin(), piece.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

void add_profiles(std::vector<std::string>& words) {
  const auto corpus = load_corpus({});
  if (!corpus) return;
  for (const auto& profile : corpus->profiles) words.push_back(profile.name);
}

void add(std::string_view piece, ValueForm& form) {
  form.files = form.files || piece == "FILE";
  form.folders = form.folders || piece == "DIR";
  form.programs = form.programs || piece == "PROGRAM";
  form.ids = form.ids || piece == "ID" || piece == "PATTERN";
  if (piece == "PROFILE") add_profiles(form.words);
  if (piece == "FORMAT=PATH") {
    for (const auto& format : reports::all_formats()) form.formats.emplace_back(format.name);
  }
  if (stands_for_itself(piece)) form.words.emplace_back(piece);
}

}  // namespace

ValueForm value_form(std::string_view word) {
  ValueForm form;
  while (!word.empty()) {
    const auto bar = word.find('|');
    add(word.substr(0, bar), form);
    word.remove_prefix(bar == std::string_view::npos ? word.size() : bar + 1);
  }
  return form;
}

}  // namespace jrpcheck::cli
