// What one answer shows of the method that has given it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "corpus/dialect.hpp"
#include "json/value.hpp"

namespace jrpcheck::run {

/// One call of a method, and what it gives if the method plays the role.
struct Proof {
  enum class Kind {
    equals,      ///< a result equal to `expected`
    any_result,  ///< any result
    own_error,   ///< an error whose code the specification does not define
  };

  std::string params;  ///< JSON text; empty for none
  Kind kind = Kind::any_result;
  std::string expected = {};  ///< JSON text
};

/// Whether the Response is what the proof asks for.
bool comes_true(const Proof& proof, const json::Value& response, corpus::Dialect dialect);

/// Whether a result shows that the params were not read at all: where they were, it is the due one
/// with another sign at least.
bool ignores_the_numbers(const Proof& proof, const json::Value& response);

/// Whether it says that the method does not take its params so. It need not take them both by
/// position and by name: it says so with the code for invalid params (JSON-RPC 2.0 §5.1), with a
/// code of its own, or with the one for an exception that got out. That the method is unknown, or
/// the Request invalid, is no way to say it.
bool declines_params(const json::Value& response);

/// Whether a method fails as `kNobodysMethod` does: with the same code, or the same words but for
/// the name. In 1.0 an unknown method fails as any other.
bool fail_alike(const json::Value& own, std::string_view method, const json::Value& nobody);

/// The code of the error, where it has one.
std::optional<long long> code_in(const json::Value& response);

bool is_error(const json::Value& response);

}  // namespace jrpcheck::run
