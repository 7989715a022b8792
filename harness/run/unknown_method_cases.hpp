// Cases that call a method which the server has not.
#pragma once

#include "corpus/bindings.hpp"
#include "corpus/corpus.hpp"

namespace jrpcheck::run {

/// Whether the error for an unknown method is right in a case.
bool is_owed_unknown_method(const corpus::Case& bound);

/// Whether a case names the method that no server has, or one of the specification's Notifications
/// that plays no role, or is answered rightly by the error for that.
bool calls_unknown_method(const corpus::Case& bound, const corpus::Bindings& bindings);

}  // namespace jrpcheck::run
