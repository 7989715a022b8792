// The kinds of rewriting that deviations are made of.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/deviations/behaviour.hpp"
#include "reference-impl/deviations/json_text.hpp"

namespace jrpcheck::reference {

/// Rewrites each message before the server sees it.
Behaviour on_message(std::function<std::string(std::string_view message)> rewrite);

/// Rewrites each reply before the peer sees it; `nullopt` on either side is silence.
Behaviour on_reply(std::function<Reply(std::string reply)> rewrite);
Behaviour on_message_and_reply(std::function<Reply(std::string_view message, Reply reply)> rewrite);

/// Rewrites each Response, alone or in a batch.
Behaviour on_response(std::function<void(ObjectText& response)> rewrite);
/// Likewise, but gives any text in its place.
Behaviour on_response_text(std::function<std::string(const ObjectText& response)> rewrite);
Behaviour on_success(std::function<void(ObjectText& response)> rewrite);
Behaviour on_error(std::function<void(ObjectText& response, ObjectText& error)> rewrite);
/// Only the errors of that code.
Behaviour on_error_of(int code,
                      std::function<void(ObjectText& response, ObjectText& error)> rewrite);

/// Gives each id that is not null another text.
Behaviour on_id(std::function<std::string(const std::string& id)> rewrite);
/// Only ids that are Strings, as what they say.
Behaviour on_string_id(std::function<std::string(const std::string& value)> rewrite);

/// What should be a Request, as it stands in a message that is JSON.
struct ElementText {
  std::string text;
  std::optional<ObjectText> object;

  bool has(std::string_view name) const { return object && object->has(name); }
  bool is(std::string_view name, std::string_view value) const {
    return object && object->is(name, value);
  }
  /// The method's name; empty when there is none.
  std::string method() const;
  /// An Object of version 2.0 that names a method and has no id.
  bool is_notification() const;
};

/// Answers each element of a message, alone or in a batch; what is not JSON and the empty batch
/// have the proper reply. `proper` takes an element, and an Array is no batch to it.
Behaviour on_element(
    std::function<Reply(const ElementText& element, const ProperReply& proper)> answer);
/// Rewrites each Object that a message is or has in a batch.
Behaviour on_object(std::function<void(ObjectText& object)> rewrite);

/// Rewrites what is not JSON, in the hope that it will be.
Behaviour on_malformed(std::function<std::string(std::string_view text)> mend);
/// Answers what is not JSON.
Behaviour answering_malformed(std::function<Reply(const std::string& proper_reply)> answer);

/// Rewrites the response to each HTTP request. Its Content-Length, where it has one, is made right
/// again afterwards when the body has changed.
Behaviour on_http_response(
    std::function<void(const wire::HttpMessage& request, wire::HttpMessage& response)> rewrite);
/// Answers each HTTP request.
Behaviour on_http_request(
    std::function<HttpAnswer(const wire::HttpMessage& request, const ProperAnswer& proper)> answer);

/// An HTTP answer taken apart, and put together again.
wire::HttpMessage http_message_of(const HttpAnswer& answer);
std::string http_text_of(const wire::HttpMessage& response);
void set_field(wire::HttpMessage& message, std::string_view name, std::string value);
void remove_field(wire::HttpMessage& message, std::string_view name);

/// Writes each message, framing and all, in another way.
Behaviour on_writing(
    std::function<std::string(const wire::Framing& proper, std::string_view payload)> encode);
/// Rewrites each frame that was read; nothing loses it.
Behaviour on_frame(std::function<std::optional<wire::Frame>(wire::Frame frame)> rewrite);

/// An error Response that no part of the proper server gives.
std::string error_text(int code, std::string_view message, std::string_view id = "null");

/// The code of an error Response as text; empty when it is none.
std::string code_of(const ObjectText& response);

}  // namespace jrpcheck::reference
