#include "reference-impl/mutants/rewrites.hpp"

#include <utility>
#include <vector>

#include "reference-impl/error.hpp"
#include "reference-impl/response.hpp"

namespace jrpcheck::reference {

namespace {

using RewriteText = std::function<std::string(const ObjectText&)>;

std::string rewritten(const std::string& response, const RewriteText& rewrite) {
  const auto object = object_of(response);
  return object ? rewrite(*object) : response;
}

ElementText element_of(std::string text) {
  auto object = object_of(text);
  return {std::move(text), std::move(object)};
}

/// The replies to the elements of a batch, put together as a batch is (JSON-RPC 2.0 §6).
Reply batch_of(const std::vector<std::string>& replies) {
  if (replies.empty()) return std::nullopt;
  return array_of(replies);
}

/// The proper reply to one element of a batch.
Reply reply_to_member(std::string_view element, const ProperReply& proper) {
  Reply reply = proper("[" + std::string(element) + "]");
  if (!reply) return reply;
  return elements_of(*reply).front();
}

}  // namespace

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

Behaviour on_message(std::function<std::string(std::string_view)> rewrite) {
  return {
      .reply = [rewrite = std::move(rewrite)](std::string_view message, const ProperReply& proper) {
        return proper(rewrite(message));
      }};
}

Behaviour on_message_and_reply(std::function<Reply(std::string_view, Reply)> rewrite) {
  return {
      .reply = [rewrite = std::move(rewrite)](std::string_view message, const ProperReply& proper) {
        return rewrite(message, proper(message));
      }};
}

Behaviour on_reply(std::function<Reply(std::string)> rewrite) {
  return on_message_and_reply([rewrite = std::move(rewrite)](std::string_view, Reply reply) {
    return reply.messages().size() == 1 ? rewrite(*reply) : reply;
  });
}

Behaviour on_response_text(RewriteText rewrite) {
  return on_reply([rewrite = std::move(rewrite)](const std::string& reply) -> Reply {
    if (!is_array(reply)) return rewritten(reply, rewrite);
    std::vector<std::string> responses = elements_of(reply);
    for (std::string& response : responses) response = rewritten(response, rewrite);
    return array_of(responses);
  });
}

Edit set(std::string name, std::string value) {
  return [=](ObjectText& object) { object.set(name, value); };
}

Edit add(std::string name, std::string value) {
  return [=](ObjectText& object) { object.add(name, value); };
}

Edit remove(std::string name) {
  return [=](ObjectText& object) { object.remove(name); };
}

Edit rename(std::string from, std::string to) {
  return [=](ObjectText& object) { object.rename(from, to); };
}

Edit both(Edit first, Edit second) {
  return [=](ObjectText& object) {
    first(object);
    second(object);
  };
}

Edit where(std::function<bool(const ObjectText&)> applies, Edit edit) {
  return [=](ObjectText& object) {
    if (applies(object)) edit(object);
  };
}

Behaviour response(Edit edit) {
  return on_response_text([edit = std::move(edit)](ObjectText response) {
    edit(response);
    return response.text();
  });
}

Behaviour success(Edit edit) {
  return response(
      where([](const ObjectText& each) { return each.has("result"); }, std::move(edit)));
}

Behaviour error(Edit edit) {
  return response(where([](const ObjectText& each) { return each.has("error"); }, std::move(edit)));
}

Behaviour error(int code, Edit edit) {
  const auto is_of_code = [text = std::to_string(code)](const ObjectText& each) {
    return code_of(each) == text;
  };
  return response(where(is_of_code, std::move(edit)));
}

namespace {

Edit within_error(Edit edit) {
  return [edit = std::move(edit)](ObjectText& response) {
    ObjectText error = *object_of(*response.find("error"));
    edit(error);
    response.set("error", error.text());
  };
}

}  // namespace

Behaviour error_object(Edit edit) { return error(within_error(std::move(edit))); }

Behaviour error_object(int code, Edit edit) { return error(code, within_error(std::move(edit))); }

Behaviour on_id(std::function<std::string(const std::string&)> rewrite) {
  return response([rewrite = std::move(rewrite)](ObjectText& response) {
    const std::string* id = response.find("id");
    if (id != nullptr && *id != "null") response.set("id", rewrite(*id));
  });
}

Behaviour on_string_id(std::function<std::string(const std::string&)> rewrite) {
  return on_id([rewrite = std::move(rewrite)](const std::string& id) {
    return is_string(id) ? encoded(rewrite(decoded(id))) : id;
  });
}

std::string ElementText::method() const {
  const std::string* name = object ? object->find("method") : nullptr;
  return name != nullptr && is_string(*name) ? decoded(*name) : "";
}

bool ElementText::is_notification() const {
  if (!object || object->has("id") || !object->has("method")) return false;
  const std::string* params = object->find("params");
  const bool params_fit = params == nullptr || is_array(*params) || object_of(*params);
  const std::string* version = object->find("jsonrpc");
  return params_fit && version != nullptr && decoded(*version) == "2.0" && is_string(*version) &&
         is_string(*object->find("method"));
}

bool ElementText::is_call() const {
  const std::string* name = object ? object->find("method") : nullptr;
  return name != nullptr && is_string(*name) && has("id") && is("jsonrpc", "\"2.0\"");
}

bool ElementText::is_sound_call() const {
  const std::string given = id();
  const bool is_of_a_type =
      !is_array(given) && !object_of(given) && given != "true" && given != "false";
  return is_call() && is_of_a_type;
}

std::string ElementText::id() const {
  const std::string* id = object ? object->find("id") : nullptr;
  return id != nullptr ? *id : "null";
}

const std::string* ElementText::params() const { return object ? object->find("params") : nullptr; }

Behaviour answer(Applies applies, Answer with) {
  return on_element([=](const ElementText& element, const ProperReply& proper) {
    return applies(element) ? with(element) : proper(element.text);
  });
}

Answer silence() {
  return [](const ElementText&) { return Reply(); };
}

Answer refused(int code, std::string message) {
  return [=](const ElementText& element) { return error_text(code, message, element.id()); };
}

Answer succeeding_with(std::string result) {
  return [=](const ElementText& element) {
    return R"({"jsonrpc":"2.0","result":)" + result + R"(,"id":)" + element.id() + "}";
  };
}

Answer death(Catastrophe::Manner manner) {
  return [manner](const ElementText&) -> Reply { throw Catastrophe{manner}; };
}

Behaviour on_element(std::function<Reply(const ElementText&, const ProperReply&)> answer) {
  return {.reply = [answer = std::move(answer)](std::string_view message,
                                                const ProperReply& proper) -> Reply {
    if (!is_json(message)) return proper(message);
    if (!is_array(message)) return answer(element_of(std::string(stripped(message))), proper);

    std::vector<std::string> elements = elements_of(message);
    if (elements.empty()) return proper(message);
    std::vector<std::string> replies;
    const auto proper_member = [&proper](std::string_view element) {
      return reply_to_member(element, proper);
    };
    for (std::string& element : elements) {
      const Reply reply = answer(element_of(std::move(element)), proper_member);
      replies.insert(replies.end(), reply.messages().begin(), reply.messages().end());
    }
    return batch_of(replies);
  }};
}

Behaviour on_object(std::function<void(ObjectText&)> rewrite) {
  return on_element(
      [rewrite = std::move(rewrite)](const ElementText& element, const ProperReply& proper) {
        if (!element.object) return proper(element.text);
        ObjectText object = *element.object;
        const std::string before = object.text();
        rewrite(object);
        return proper(object.text() == before ? element.text : object.text());
      });
}

Behaviour on_malformed(std::function<std::string(std::string_view)> mend) {
  return on_message([mend = std::move(mend)](std::string_view text) {
    if (is_json(text)) return std::string(text);
    const std::string mended = mend(text);
    return is_json(mended) ? mended : std::string(text);
  });
}

Behaviour answering_malformed(std::function<Reply(const std::string&)> answer) {
  return on_message_and_reply([answer = std::move(answer)](std::string_view text, Reply reply) {
    return is_json(text) || !reply ? reply : answer(*reply);
  });
}

std::string error_text(int code, std::string_view message, std::string_view id) {
  return error_response(RpcError(code, std::string(message)), id);
}

std::string code_of(const ObjectText& response) {
  const std::string* error = response.find("error");
  const auto object = error != nullptr ? object_of(*error) : std::nullopt;
  const std::string* code = object ? object->find("code") : nullptr;
  return code != nullptr ? *code : "";
}

}  // namespace jrpcheck::reference
