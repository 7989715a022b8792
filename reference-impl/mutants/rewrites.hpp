// The kinds of rewriting that mutants are made of.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/mutants/behaviour.hpp"
#include "reference-impl/mutants/json_text.hpp"

namespace jrpcheck::reference {

/// Rewrites each message before the server sees it.
Behaviour on_message(std::function<std::string(std::string_view message)> rewrite);

/// Rewrites each reply before the peer sees it; `nullopt` on either side is silence.
Behaviour on_reply(std::function<Reply(std::string reply)> rewrite);
Behaviour on_message_and_reply(std::function<Reply(std::string_view message, Reply reply)> rewrite);

/// `text` with `by` wherever `what` stood; what was put in is not searched again.
std::string replaced(std::string text, std::string_view what, std::string_view by);

/// A change of an Object.
using Edit = std::function<void(ObjectText& object)>;

// As the members of ObjectText by these names.
Edit set(std::string name, std::string value);
Edit add(std::string name, std::string value);
Edit remove(std::string name);
Edit rename(std::string from, std::string to);
/// One after the other.
Edit both(Edit first, Edit second);
/// Only Objects for which `applies`.
Edit where(std::function<bool(const ObjectText& object)> applies, Edit edit);

/// Edits each Response, alone or in a batch: all of them, those with a result, those with an error,
/// and those with an error of that code.
Behaviour response(Edit edit);
Behaviour success(Edit edit);
Behaviour error(Edit edit);
Behaviour error(int code, Edit edit);
/// Edits the error object of a Response.
Behaviour error_object(Edit edit);
Behaviour error_object(int code, Edit edit);
/// Gives any text in place of a Response.
Behaviour on_response_text(std::function<std::string(const ObjectText& response)> rewrite);

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
  /// It says 2.0, has an id, and its method is a String.
  bool is_call() const;
  /// The same, with an id that may be sent back: a String, a Number or null.
  bool is_sound_call() const;
  /// The id's text; "null" when there is none.
  std::string id() const;
  /// The text of params; nullptr when there are none.
  const std::string* params() const;
};

/// Which elements, and what they are answered with in place of the proper reply.
using Applies = std::function<bool(const ElementText& element)>;
using Answer = std::function<Reply(const ElementText& element)>;

/// Answers each element of a message, alone or in a batch; what is not JSON and the empty batch
/// have the proper reply. `proper` takes an element, and an Array is no batch to it.
Behaviour on_element(
    std::function<Reply(const ElementText& element, const ProperReply& proper)> answer);
/// Answers the elements for which `applies`.
Behaviour answer(Applies applies, Answer with);
Answer silence();
Answer refused(int code, std::string message = "Refused");
Answer succeeding_with(std::string result);
/// The process ends.
Answer death(Catastrophe::Manner manner = Catastrophe::Manner::exit);

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
/// Edits HTTP requests before the server sees them.
Behaviour edit_http_request(std::function<void(wire::HttpMessage& request)> edit);
/// Answers POSTs for which `applies` by this status alone, without doing anything.
Behaviour refuse_http_posts(int status, bool (*applies)(const wire::HttpMessage& request));

/// An HTTP answer taken apart, and put together again.
wire::HttpMessage http_message_of(const HttpAnswer& answer);
std::string http_text_of(const wire::HttpMessage& response);
void set_field(wire::HttpMessage& message, std::string_view name, std::string value);
void remove_field(wire::HttpMessage& message, std::string_view name);

/// Writes so many bytes at a time.
Behaviour in_pieces_of(std::size_t bytes);

/// The process ends so long after its input.
Behaviour ending_late(int milliseconds);

/// Writes each message, framing and all, in another way.
Behaviour on_writing(
    std::function<std::string(wire::Framing& proper, std::string_view payload)> encode);
/// Rewrites each frame that was read; nothing loses it.
Behaviour on_frame(std::function<std::optional<wire::Frame>(wire::Frame frame)> rewrite);

/// Frames whose head is not to the server's liking are not messages to it.
Behaviour reading_heads(bool (*understands)(std::string_view head));
/// A body is read until so many characters have come as its length says, into what follows it.
Behaviour reading_bodies_in_characters();

/// An error Response that no part of the proper server gives.
std::string error_text(int code, std::string_view message, std::string_view id = "null");

/// The code of an error Response as text; empty when it is none.
std::string code_of(const ObjectText& response);

}  // namespace jrpcheck::reference
