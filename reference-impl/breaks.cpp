#include "reference-impl/breaks.hpp"

namespace jrpcheck::reference {

std::string with_commas(const std::vector<std::string>& texts) {
  std::string all;
  for (const auto& text : texts) all.append(all.empty() ? "" : ",").append(text);
  return all.empty() ? "-" : all;
}

std::string certain_of(const Breaks& breaks) {
  return with_commas({breaks.certain.begin(), breaks.certain.end()});
}

std::string possible_of(const Breaks& breaks) {
  std::vector<std::string> all(breaks.possible.begin(), breaks.possible.end());
  for (const auto& beginning : breaks.beginnings) all.push_back(std::string(beginning) + "*");
  if (breaks.anywhere) all.emplace_back("*");
  return with_commas(all);
}

}  // namespace jrpcheck::reference
