// The methods of the reference server.
#pragma once

#include "reference-impl/dispatcher.hpp"

namespace jrpcheck::reference {

/// A dispatcher with the methods that the examples of JSON-RPC 2.0 §7 call, and one for each role
/// that the corpus knows (cases/README.md). `foobar` is left out: the examples need it unknown.
Dispatcher make_reference_dispatcher(Limits limits = {});

}  // namespace jrpcheck::reference
