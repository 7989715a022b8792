// A server that answers every call of an unknown method in one wrong way.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.hpp"
#include "dialogue/exchange.hpp"
#include "result/run.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::run {

/// The method that each step of the case calls first; empty where it calls none.
std::vector<std::string> methods_called(const corpus::Case& bound);

/// What the server was given before it was called, so that it does not lack that.
struct GivenFirst {
  bool handshake = false;
  bool authorization = false;  ///< a header field that tells who calls
  bool any_field = false;      ///< a header field, whatever it tells
};

/// The answer that calibration has charged. Where it comes back in another case about how a Request
/// is taken, that is no new fault, and no sign that the Request was refused for what is wrong with
/// it: such a case tells nothing.
class ConstantAnswer {
 public:
  /// Takes in what two calls of an unknown method or more were answered, and what was called.
  /// Nothing is constant where they were answered rightly, or differently.
  static std::optional<ConstantAnswer> of(const std::vector<dialogue::Exchange>& exchanges,
                                          const std::vector<std::string>& methods);

  /// The requirement that it breaks where it answers a call of an unknown method.
  std::string_view charged_to() const;

  /// Of the error that it is; nothing where it is none.
  std::optional<long long> code() const;

  /// What may help where it is what many a server says to who has not told who he is, or what
  /// else it wants to be told, but for what was given; else empty.
  std::string hint(const wire::Binding& binding, const GivenFirst& given = {}) const;

  /// Takes the verdict out of a case that shows nothing but this answer.
  void withdraw_from(const corpus::Case& bound, const std::vector<dialogue::Exchange>& exchanges,
                     result::CaseResult& result) const;

 private:
  /// Takes back what is charged to it although another requirement is the subject: it is the same
  /// fault. Whether there was any.
  bool withdraw_charge(const std::vector<dialogue::Exchange>& exchanges,
                       result::CaseResult& result) const;

  explicit ConstantAnswer(std::string content) : content_(std::move(content)) {}

  std::string content_;  // the Response but for its id and the name of the method
};

/// A server that answers whatever it is called by that something is to come first (error -32002, as
/// LSP has it, or words to that effect), and nothing else anywhere, wants a handshake that nobody
/// here knows: that it says so of an unknown method is taken back.
void take_back_before_handshake(std::vector<result::CaseResult>& cases,
                                const std::vector<result::StoredDialogue>& dialogues);

}  // namespace jrpcheck::run
