#include "corpus/case.hpp"

#include <algorithm>

namespace jrpcheck::corpus {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::warn:
      return "warn";
    case Verdict::fail:
      return "fail";
  }
  return "";
}

std::string_view name_of(Outcome::Shape shape) {
  switch (shape) {
    case Outcome::Shape::response:
      return "response";
    case Outcome::Shape::batch:
      return "batch";
    case Outcome::Shape::responses:
      return "responses";
    case Outcome::Shape::silence:
      return "silence";
    case Outcome::Shape::refused:
      return "refused";
    case Outcome::Shape::closed:
      return "closed";
    case Outcome::Shape::status:
      return "status";
    case Outcome::Shape::exited:
      return "exited";
  }
  return "";
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
