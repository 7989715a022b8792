// The rules of the Model Context Protocol about what a server gives: lists, tools, resources.
#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/base64.hpp"
#include "base/letter_case.hpp"
#include "dialogue/message.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/mirrored_arguments.hpp"
#include "judge/rules/rules.hpp"
#include "schema/schema.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

// Whether a page of tools has one name twice, with which another rule charges it.
bool has_tool_twice(const RuleCall& call, const Spoken& page) {
  const bool is_asked = std::ranges::any_of(
      call.law.profile.rules, [](const auto& each) { return each.name == "tool-names-unique"; });
  const json::Value* tools = is_asked ? page.at("/result/tools") : nullptr;
  std::set<std::string> names;
  for (std::size_t i = 0; tools != nullptr && i < tools->size(); ++i) {
    const std::string name = json::text_of(tools->children()[i].find("name"));
    if (!name.empty() && !names.insert(name).second) return true;
  }
  return false;
}

// Whether a page gives the cursor that was refused. Where each is another, it is known of the first
// page by the page alone.
bool gives_refused_cursor(const Spoken& page, const corpus::ListCall& list,
                          const corpus::Catalogue& catalogue) {
  const auto refused = catalogue.refused_cursors.find(list.name);
  const json::Value* next = page.at("/result" + list.next);
  if (next == nullptr || refused == catalogue.refused_cursors.end()) return false;
  const bool is_first_page = json::at(*page.call, "/params/" + list.cursor) == nullptr;
  return json::write(*next) == refused->second.cursor ||
         (is_first_page && refused->second.behind.empty() && !next->is(Kind::null));
}

// Following the cursors of a list ends, repeats nothing, and none of them is refused.
void list_repeats_nothing(const RuleCall& call) {
  if (call.law.catalogue == nullptr) return;
  for (const auto& list : call.law.profile.lists) {
    const auto found = call.law.catalogue->lists.find(list.name);
    if (found == call.law.catalogue->lists.end()) continue;
    std::set<std::string> seen;
    bool repeats = false;
    for (const auto& item : found->second.children()) {
      repeats = repeats || !seen.insert(json::write(item)).second;
    }
    for (const auto& each : call.heard.all()) {
      const bool is_page = each.by_server && each.called() == list.method && each.at("/result");
      if (!is_page) continue;
      call.exercise();
      // server/utilities/pagination: it is what the next page is had with.
      if (gives_refused_cursor(each, list, *call.law.catalogue)) {
        call.charge(each, "/result" + list.next, "A cursor that this list gives is refused.",
                    "the next page");
        break;
      }
      if (!repeats) continue;
      if (has_tool_twice(call, each)) break;
      call.charge(each, "/result" + list.items, "The pages of the list hold something twice.",
                  "each item once");
      break;
    }
  }
}

const json::Value* listed_tools(const Spoken& each) {
  const json::Value* tools =
      each.by_server && each.called() == "tools/list" ? each.at("/result/tools") : nullptr;
  return tools != nullptr && tools->is(Kind::array) ? tools : nullptr;
}

void tool_names_unique(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    const json::Value* tools = listed_tools(each);
    if (tools == nullptr) continue;
    call.exercise();
    std::set<std::string> names;
    for (const auto& tool : tools->children()) {
      const json::Value* name = tool.find("name");
      if (name == nullptr || !name->is(Kind::string)) continue;
      if (!names.insert(name->text()).second) {
        call.charge(each, "/result/tools", "Two tools have one name: " + name->text() + ".",
                    "names that are unique");
      }
    }
  }
}

// server/tools § Tool Names.
bool is_plain_name(const json::Value& name) {
  constexpr std::size_t kLongest = 128;
  const std::string& text = name.text();
  return !text.empty() && text.size() <= kLongest &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-' || c == '.';
         });
}

void tool_names_plain(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    const json::Value* tools = listed_tools(each);
    for (std::size_t i = 0; tools != nullptr && i < tools->size(); ++i) {
      const json::Value* name = tools->children()[i].find("name");
      if (name == nullptr || !name->is(Kind::string)) continue;
      call.exercise();
      if (is_plain_name(*name)) continue;
      call.charge(each, "/result/tools/" + std::to_string(i) + "/name",
                  "The name of a tool has other characters than is advised, or too many.",
                  "1 to 128 letters, digits, _, - and .");
    }
  }
}

void tool_schemas_not_null(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    const json::Value* tools = listed_tools(each);
    for (std::size_t i = 0; tools != nullptr && i < tools->size(); ++i) {
      const json::Value* schema = tools->children()[i].find("inputSchema");
      if (schema == nullptr) continue;
      call.exercise();
      if (!schema->is(Kind::null)) continue;
      call.charge(each, "/result/tools/" + std::to_string(i) + "/inputSchema",
                  "The inputSchema of a tool is null.", R"({"type":"object"})");
    }
  }
}

// Whether an annotation stands where no chain of `properties` leads. In what only a $ref may lead
// to, or in what is data, it says nothing.
bool holds_misplaced_annotation(const json::Value& schema, bool is_reachable, std::size_t depth) {
  constexpr std::size_t kDeepestSchema = 20;
  if (!schema.is(Kind::object) || depth > kDeepestSchema) return false;
  const json::Value* own = schema.find("x-mcp-header");
  if (!is_reachable && own != nullptr && own->is(Kind::string)) return true;
  for (std::size_t i = 0; i < schema.size(); ++i) {
    const std::string& keyword = schema.names()[i];
    const bool leads_on = keyword == "properties";
    const bool is_list = keyword == "allOf" || keyword == "anyOf" || keyword == "oneOf";
    const json::Value& member = schema.children()[i];
    if (keyword == "items" && holds_misplaced_annotation(member, false, depth + 1)) return true;
    if ((!leads_on || !member.is(Kind::object)) && (!is_list || !member.is(Kind::array))) continue;
    const bool is_any = std::ranges::any_of(member.children(), [&](const json::Value& each) {
      return holds_misplaced_annotation(each, is_reachable && leads_on, depth + 1);
    });
    if (is_any) return true;
  }
  return false;
}

// What is wrong with the annotations of a tool; empty where nothing is.
std::string fault_of_annotations(const json::Value& schema, const MirroredArguments& mirrored) {
  constexpr std::string_view kField = "Mcp-Param-";
  std::set<std::string> names;
  for (const auto& each : mirrored.all) {
    const std::string name = each.field.substr(kField.size());
    if (name.empty() || !wire::is_token(name)) return "An x-mcp-header is no name of a field.";
    if (!names.insert(in_lower_case(name)).second) return "Two x-mcp-header have one name.";
    if (each.type == "number" || each.type == "object" || each.type == "array") {
      return "An x-mcp-header stands at what is " + each.type + ".";
    }
  }
  return holds_misplaced_annotation(schema, true, 0)
             ? "An x-mcp-header stands where no chain of properties leads."
             : "";
}

// server/tools § x-mcp-header: clients leave out a tool that breaks this.
void header_annotations(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    const json::Value* tools = listed_tools(each);
    for (std::size_t i = 0; tools != nullptr && i < tools->size(); ++i) {
      const json::Value* schema = tools->children()[i].find("inputSchema");
      if (schema == nullptr) continue;
      const auto mirrored = mirrored_by(tools->children()[i]);
      const std::string fault = fault_of_annotations(*schema, mirrored);
      if (!mirrored.all.empty() || !fault.empty()) call.exercise();
      if (fault.empty()) continue;
      call.charge(each, "/result/tools/" + std::to_string(i) + "/inputSchema", fault,
                  "tokens, each once, at a string, an integer or a boolean");
    }
  }
}

void completion_at_most_a_hundred(const RuleCall& call) {
  constexpr std::size_t kMost = 100;
  for (const auto& each : call.heard.all()) {
    const json::Value* values = each.by_server && each.called() == "completion/complete"
                                    ? each.at("/result/completion/values")
                                    : nullptr;
    if (values == nullptr || !values->is(Kind::array)) continue;
    call.exercise();
    if (values->size() > kMost) {
      call.charge(each, "/result/completion/values", "A completion has more than a hundred values.",
                  "at most 100");
    }
  }
}

bool is_base64(const json::Value& value) {
  return value.is(Kind::string) && from_base64(value.text()).has_value();
}

void charge_unless_base64(const RuleCall& call, const Spoken& each, const json::Value* data,
                          const std::string& at) {
  if (data == nullptr || !data->is(Kind::string)) return;
  call.exercise();
  if (!is_base64(*data)) call.charge(each, at, "Binary data is not in Base64.", "Base64");
}

void data_is_base64(const RuleCall& call, const Spoken& each, const json::Value& block,
                    const std::string& at, std::string_view wanted) {
  if (json::text_of(block.find("type")) != wanted) return;
  charge_unless_base64(call, each, block.find("data"), at + "/data");
}

void image_is_base64(const RuleCall& call, const Spoken& each, const json::Value& block,
                     const std::string& at) {
  data_is_base64(call, each, block, at, "image");
}

void audio_is_base64(const RuleCall& call, const Spoken& each, const json::Value& block,
                     const std::string& at) {
  data_is_base64(call, each, block, at, "audio");
}

void embedded_blob_is_base64(const RuleCall& call, const Spoken& each, const json::Value& block,
                             const std::string& at) {
  const json::Value* resource = block.find("resource");
  if (resource == nullptr) return;
  charge_unless_base64(call, each, resource->find("blob"), at + "/resource/blob");
}

using JudgeBlock = void (*)(const RuleCall&, const Spoken&, const json::Value& block,
                            const std::string& at);

template <JudgeBlock judge>
void each_block_of_tools(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called() != "tools/call") continue;
    const json::Value* content = each.at("/result/content");
    for (std::size_t i = 0; content != nullptr && i < content->size(); ++i) {
      judge(call, each, content->children()[i], "/result/content/" + std::to_string(i));
    }
  }
}

template <JudgeBlock judge>
void each_block_of_prompts(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called() != "prompts/get") continue;
    const json::Value* messages = each.at("/result/messages");
    for (std::size_t i = 0; messages != nullptr && i < messages->size(); ++i) {
      const json::Value* content = messages->children()[i].find("content");
      if (content == nullptr) continue;
      judge(call, each, *content, "/result/messages/" + std::to_string(i) + "/content");
    }
  }
}

void resource_blob_is_base64(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called() != "resources/read") continue;
    const json::Value* contents = each.at("/result/contents");
    for (std::size_t i = 0; contents != nullptr && i < contents->size(); ++i) {
      charge_unless_base64(call, each, contents->children()[i].find("blob"),
                           "/result/contents/" + std::to_string(i) + "/blob");
    }
  }
}

// A schema of the tool that a result is of; null where there is none.
const json::Value* schema_of_tool(const RuleCall& call, const Spoken& each,
                                  std::string_view which) {
  if (!each.by_server || each.called() != "tools/call" || call.law.catalogue == nullptr) {
    return nullptr;
  }
  const json::Value* name = json::at(*each.call, "/params/name");
  for (const auto* tool : call.law.catalogue->items("tools")) {
    const json::Value* own = tool->find("name");
    if (name != nullptr && own != nullptr && own->text() == name->text()) {
      return tool->find(which);
    }
  }
  return nullptr;
}

bool is_failure(const Spoken& each) {
  const json::Value* flag = each.at("/result/isError");
  const json::Value* type = each.at("/result/resultType");
  const bool is_partial = type != nullptr && type->is(Kind::string) && type->text() != "complete";
  return each.at("/result") == nullptr || is_partial || (flag != nullptr && flag->as_boolean());
}

void structured_content_fits(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    const json::Value* wanted = schema_of_tool(call, each, "outputSchema");
    if (wanted == nullptr || is_failure(each) || each.at("/result/task") != nullptr) continue;
    const auto schema = schema::Schema::compile(*wanted);
    if (!schema) continue;  // whether it is a schema is another rule's
    call.exercise();
    const json::Value* content = each.at("/result/structuredContent");
    if (content == nullptr) {
      call.charge(each, "/result",
                  "A tool that declares an outputSchema gives no structuredContent.",
                  "structuredContent that fits the outputSchema");
    } else if (const auto violation = schema->violation(*content)) {
      call.charge(each, "/result/structuredContent" + violation->at,
                  "structuredContent does not fit the outputSchema of the tool: " + violation->what,
                  "structuredContent that fits");
    }
  }
}

void arguments_are_validated(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    const json::Value* schema = schema_of_tool(call, each, "inputSchema");
    const json::Value* arguments =
        schema != nullptr ? json::at(*each.call, "/params/arguments") : nullptr;
    if (arguments == nullptr) continue;
    const auto how = corpus::how_arguments_break(*schema, *arguments);
    if (!how) continue;
    call.exercise();
    // A task that was begun may still fail of them.
    if (is_failure(each) || each.at("/result/task") != nullptr) continue;
    call.charge(each, "/result", "Arguments that break the inputSchema are served: " + *how + ".",
                "an error, or a result with isError true");
  }
}

// The official SDK for Python gives what is no Object as {"result": ...}, and its text without
// that.
bool is_wrapped(const json::Value& structured) {
  return structured.is(Kind::object) && structured.size() == 1 &&
         structured.names().front() == "result";
}

bool is_serialized(const json::Value& structured, const json::Value& block) {
  const json::Value* text = block.find("text");
  if (text == nullptr || !text->is(Kind::string)) return false;
  if (is_wrapped(structured)) return true;
  const auto parsed = json::parse(text->text(), dialogue::kMessageLimits);
  return parsed && json::equal(*parsed.value, structured);
}

// server/tools § Structured Content: "the serialized JSON in a TextContent block".
void structured_content_as_text(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called() != "tools/call" || is_failure(each)) continue;
    const json::Value* structured = each.at("/result/structuredContent");
    const json::Value* content = each.at("/result/content");
    if (structured == nullptr || content == nullptr || !content->is(Kind::array)) continue;
    call.exercise();
    const bool is_there = std::ranges::any_of(content->children(), [&](const json::Value& block) {
      return is_serialized(*structured, block);
    });
    if (!is_there) {
      call.charge(each, "/result/content", "Structured content is not given as text as well.",
                  "a text block with the serialized JSON");
    }
  }
}

constexpr std::array kMcpContentRows = {
    RuleRow{"list-repeats-nothing", &list_repeats_nothing},
    RuleRow{"tool-names-unique", &tool_names_unique, Needs::message},
    RuleRow{"tool-names-plain", &tool_names_plain, Needs::message},
    RuleRow{"tool-schemas-not-null", &tool_schemas_not_null, Needs::message},
    RuleRow{"header-annotations", &header_annotations, Needs::message},
    RuleRow{"completion-at-most-a-hundred", &completion_at_most_a_hundred, Needs::message},
    RuleRow{"tool-image-is-base64", &each_block_of_tools<&image_is_base64>, Needs::message},
    RuleRow{"tool-audio-is-base64", &each_block_of_tools<&audio_is_base64>, Needs::message},
    RuleRow{"tool-blob-is-base64", &each_block_of_tools<&embedded_blob_is_base64>, Needs::message},
    RuleRow{"prompt-image-is-base64", &each_block_of_prompts<&image_is_base64>, Needs::message},
    RuleRow{"prompt-audio-is-base64", &each_block_of_prompts<&audio_is_base64>, Needs::message},
    RuleRow{"prompt-blob-is-base64", &each_block_of_prompts<&embedded_blob_is_base64>,
            Needs::message},
    RuleRow{"resource-blob-is-base64", &resource_blob_is_base64, Needs::message},
    RuleRow{"structured-content-fits", &structured_content_fits, Needs::session},
    RuleRow{"structured-content-as-text", &structured_content_as_text, Needs::message},
    RuleRow{"arguments-are-validated", &arguments_are_validated, Needs::session},
};

}  // namespace

std::span<const RuleRow> mcp_content_rules() { return kMcpContentRows; }

}  // namespace jrpcheck::judge
