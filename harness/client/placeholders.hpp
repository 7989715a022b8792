// Placeholders: what stands in the answers of a scenario for what a call and its good answer have.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "client/answer.hpp"
#include "corpus/scenario.hpp"

namespace jrpcheck::client {

/// What is put in their places: by the number of a call its id, as it is spelled, and its good
/// Response.
struct Blanks {
  std::array<std::string, kCalls + 1> ids = {};
  std::array<std::string, kCalls + 1> goods = {};
  std::size_t subject = kSubject;  ///< whose ${id}, ${good} and ${value} are
  std::string value = {};          ///< its result, in JSON
};

/// What goes out in place of the good answer to the subject.
Answer answer_of(const corpus::Scenario& scenario, const Blanks& blanks);

/// Why nothing can be told where the calls have those ids; empty: something can. An id that the
/// scenario spells out, for it is to be of no call, may be that of the subject, and calls that come
/// one after another may have one id, by which nobody can tell them apart.
std::string hindrance_of_ids(const corpus::Scenario& scenario, const Blanks& blanks);

/// A Response in its plainest form; `result` in JSON.
std::string plain_response(const std::string& result, const std::string& id);

}  // namespace jrpcheck::client
