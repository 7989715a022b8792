// Generators of Requests and of what stands in their place, for RapidCheck. Costly to include.
#pragma once

#include "fuzz/properties/json_generators.hpp"
#include "fuzz/properties/scenario.hpp"

namespace jrpcheck::properties {

/// The members of a Request as JSON texts. What is empty is left out.
struct Request {
  Text method;
  Text params;
  Text id;
};

Text text_of(const Request& request);

/// Method and params: of an unknown method, or of a known one with params that suit it most of the
/// time, so that results come back. The id is left out.
rc::Gen<Request> notification(Content content, const Words& words);

rc::Gen<Text> id_text(Content content);

/// A call with an id of any shape.
rc::Gen<Request> call(Content content, const Words& words);

/// A call of this method with a plain id and no params yet.
rc::Gen<Request> call_of(const KnownMethod& method);

/// What suits a method that subtracts, by name.
rc::Gen<Text> named_number_pair();

/// A Request with one thing wrong: JSON-RPC 2.0 §4, one kind after the other.
rc::Gen<Text> invalid_request(const Words& words);

/// What is no Object, or no Request, and has no id that could be taken for another's.
rc::Gen<Text> invalid_element(const Words& words);

/// Elements of every kind, as a batch.
rc::Gen<Text> batch(const Words& words);

/// A message of any kind; what is no JSON among them.
rc::Gen<Text> any_message(const Words& words);

/// An Object or Array that is never closed.
rc::Gen<Text> broken_text(const Words& words);

}  // namespace jrpcheck::properties
