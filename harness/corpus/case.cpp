#include "corpus/case.hpp"

#include <algorithm>

#include "base/names.hpp"

namespace jrpcheck::corpus {

std::string_view name_of(Verdict verdict) { return name_at({"pass", "warn", "fail"}, verdict); }

std::string_view name_of(Outcome::Shape shape) {
  return name_at(
      {"response", "batch", "responses", "silence", "refused", "closed", "status", "exited"},
      shape);
}

bool Step::accepts(Outcome::Shape shape) const {
  return std::any_of(accept.begin(), accept.end(),
                     [shape](const Outcome& outcome) { return outcome.shape == shape; });
}

bool Step::demands_reply() const {
  return std::none_of(accept.begin(), accept.end(), [](const Outcome& outcome) {
    const bool nothing_comes = outcome.shape == Outcome::Shape::silence ||
                               outcome.shape == Outcome::Shape::closed ||
                               outcome.shape == Outcome::Shape::exited;
    return nothing_comes && outcome.verdict != Verdict::fail;
  });
}

bool Case::applies_to(std::string_view transport) const {
  return transports.empty() ||
         std::find(transports.begin(), transports.end(), transport) != transports.end();
}

}  // namespace jrpcheck::corpus
