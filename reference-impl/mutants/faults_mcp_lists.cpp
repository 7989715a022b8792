// Defects of an MCP server in the form of what it gives.
#include "reference-impl/mutants/mcp_edits.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

/// Edits the first item of each page of a list.
Behaviour first_of(std::string method, std::string name, EditValue edit) {
  return edit_result(std::move(method), [name, edit](json& result) {
    if (result.contains(name) && !result[name].empty()) edit(result[name][0]);
  });
}

Behaviour tool(EditValue edit) { return first_of("tools/list", "tools", std::move(edit)); }
Behaviour resource(EditValue edit) {
  return first_of("resources/list", "resources", std::move(edit));
}

/// Edits the result of tools/call that has such a block first.
Behaviour block(std::size_t index, EditValue edit) {
  return edit_result("tools/call", [index, edit](json& result) {
    if (result["content"].size() > index) edit(result["content"][index]);
  });
}

Behaviour called(EditValue edit) { return edit_result("tools/call", std::move(edit)); }
Behaviour opening(EditValue edit) { return edit_result("initialize", std::move(edit)); }

Behaviour prompt_message(EditValue edit) {
  return edit_result("prompts/get", [edit](json& result) { edit(result["messages"][0]); });
}

Behaviour pages_repeat() {
  return edit_result("tools/list", [](json& each) {
    each["tools"].push_back({{"name", "on_each_page"}, {"inputSchema", {{"type", "object"}}}});
  });
}

bool has_picture(const json& item) { return item.value("type", "") == "image"; }

}  // namespace

std::span<const McpMutant> mcp_list_faults() {
  static const McpMutant all[] = {
      {{"mcp-server-info-missing", breaks("mcp-init-result"), kLines,
        "initialize is answered without serverInfo.", opening(leaving_out("serverInfo"))}},
      {{"mcp-capability-true", breaks("mcp-init-caps-types"), kLines,
        "A capability is true in place of an object.",
        opening([](json& each) { each["capabilities"]["logging"] = true; })}},
      {{"mcp-subscribe-text", breaks("mcp-init-caps-types"), kLines,
        "A switch of a capability is a text.",
        opening([](json& each) { each["capabilities"]["resources"]["subscribe"] = "yes"; })}},
      {{"mcp-instructions-list", breaks("mcp-init-instructions"), kLines, "instructions is a list.",
        opening(setting("instructions", json::array()))}},
      {{"mcp-meta-list", breaks("mcp-meta-object"), kLines, "_meta is a list.",
        called(setting("_meta", json::array()))}},
      {{"mcp-meta-of-content-list", breaks("mcp-meta-object"), kLines,
        "_meta of a content block is a list.",
        called([](json& each) { each["content"][0]["_meta"] = json::array(); })}},
      {{"mcp-meta-key-bad", breaks("mcp-meta-key-format"), kLines,
        "A key of _meta begins with a hyphen.", called(setting("_meta", {{"-key", 1}}))}},
      {{"mcp-meta-key-reserved", breaks("mcp-meta-key-reserved-2"), kLines,
        "A key of _meta has a reserved prefix.", called(setting("_meta", {{"io.mcp/own", 1}}))}},
      {{"mcp-meta-key-reserved-in-june", breaks("mcp-meta-key-reserved"), kLines,
        "A key of _meta has a reserved prefix.",
        called(setting("_meta", {{"api.mcp.dev/own", 1}}))},
       {kJune}},
      {{"mcp-cursor-number", breaks("mcp-page-cursor").perhaps("mcp-page-walk"), kLines,
        "nextCursor is a number.",
        edit_result("prompts/list",
                    [](json& each) {
                      if (each.contains("nextCursor")) each["nextCursor"] = 2;
                    })}},
      {{"mcp-tools-object", breaks("mcp-tool-list"), kLines, "tools is an object.",
        edit_result("tools/list", setting("tools", json::object()))}},
      {{"mcp-tool-without-schema", breaks("mcp-tool-shape"), kLines, "A tool has no inputSchema.",
        tool(leaving_out("inputSchema"))}},
      {{"mcp-tool-schema-null", breaks("mcp-tool-schema-null").perhaps("mcp-tool-shape"), kLines,
        "A tool's inputSchema is null.", tool(setting("inputSchema", nullptr))}},
      {{"mcp-tool-schema-of-text", breaks("mcp-tool-shape"), kLines,
        "A tool's inputSchema is of type string.",
        tool([](json& each) { each["inputSchema"]["type"] = "string"; })}},
      {{"mcp-tool-schema-invalid", breaks("mcp-schema-valid"), kLines,
        "A tool's inputSchema has a type that does not exist.", tool([](json& each) {
          each["inputSchema"]["properties"] = {{"a", {{"type", "text"}}}};
        })}},
      {{"mcp-tool-name-spaced", breaks("mcp-tool-name").perhaps("mcp-tool-bad-args-3"), kLines,
        "A tool's name has a space.", tool(setting("name", "do it"))}},
      {{"mcp-tool-names-equal",
        breaks("mcp-tool-name-unique").perhaps("mcp-tool-validates", "mcp-tool-structured"), kLines,
        "Two tools have one name.",
        edit_result("tools/list",
                    [](json& each) { each["tools"][1]["name"] = each["tools"][0]["name"]; })}},
      {{"mcp-hint-text", breaks("mcp-tool-annotations"), kLines, "A hint of a tool is a text.",
        tool([](json& each) { each["annotations"]["destructiveHint"] = "no"; })}},
      {{"mcp-task-support-true", breaks("mcp-tool-task-enum"), kLines,
        "A tool's taskSupport is true.", tool(setting("execution", {{"taskSupport", true}}))}},
      {{"mcp-output-schema-of-text",
        breaks("mcp-tool-output-schema").perhaps("mcp-tool-structured"), kLines,
        "An outputSchema is of type string.",
        edit_result("tools/list",
                    [](json& each) {
                      for (auto& one : each["tools"]) {
                        if (one.contains("outputSchema")) one["outputSchema"]["type"] = "string";
                      }
                    })}},
      {{"mcp-icon-without-source", breaks("mcp-icon-shape"), kLines,
        "An icon of a tool has no src.", tool(setting("icons", {{{"mimeType", "image/png"}}}))}},
      {{"mcp-pages-repeat", breaks("mcp-page-walk").perhaps("mcp-tool-name-unique"), kLines,
        "Each page holds what the one before has.", pages_repeat()}},
      {{"mcp-content-missing", breaks("mcp-tool-result"), kLines,
        "The result of a tool has no content.", called(leaving_out("content"))}},
      {{"mcp-content-text", breaks("mcp-tool-result"), kLines, "The content of a result is a text.",
        called(setting("content", "fine"))}},
      {{"mcp-block-unknown", breaks("mcp-tool-result"), kLines,
        "A block of content is of an unknown type.", block(0, setting("type", "video"))}},
      {{"mcp-text-block-empty", breaks("mcp-tool-text").perhaps("mcp-tool-structured-text"), kLines,
        "A text block has no text.", block(0, leaving_out("text"))}},
      {{"mcp-image-without-type", breaks("mcp-tool-image"), kLines, "An image has no mimeType.",
        block(0,
              [](json& each) {
                if (has_picture(each)) each.erase("mimeType");
              })}},
      {{"mcp-image-of-no-type", breaks("mcp-tool-image"), kLines,
        "The mimeType of an image is no MIME type.",
        block(0,
              [](json& each) {
                if (has_picture(each)) each["mimeType"] = "png";
              })}},
      {{"mcp-image-not-base64", breaks("mcp-tool-image"), kLines,
        "The data of an image is not in Base64.",
        block(0,
              [](json& each) {
                if (has_picture(each)) each["data"] = "<svg/>";
              })}},
      {{"mcp-audio-without-data", breaks("mcp-tool-audio"), kLines, "A sound has no data.",
        block(1, leaving_out("data"))}},
      {{"mcp-audio-not-base64", breaks("mcp-tool-audio"), kLines,
        "The data of a sound is not in Base64.", block(1, setting("data", "<svg/>"))}},
      {{"mcp-link-without-name", breaks("mcp-tool-link"), kLines,
        "A link to a resource has no name.",
        block(2,
              [](json& each) {
                each = {{"type", "resource_link"}, {"uri", "reference://text"}};
              })}},
      {{"mcp-embedded-without-uri", breaks("mcp-tool-embedded"), kLines,
        "An embedded resource has no uri.",
        block(2, [](json& each) { each["resource"].erase("uri"); })}},
      {{"mcp-embedded-not-base64", breaks("mcp-tool-embedded"), kLines,
        "The blob of an embedded resource is not in Base64.",
        block(2,
              [](json& each) {
                each["resource"].erase("text");
                each["resource"]["blob"] = "<svg/>";
              })}},
      {{"mcp-error-flag-text", breaks("mcp-tool-iserror"), kLines, "isError is a text.",
        called([](json& each) {
          if (!each.contains("isError")) each["isError"] = "false";
        })}},
      {{"mcp-structured-missing", breaks("mcp-tool-structured"), kLines,
        "A tool with an outputSchema gives no structuredContent.",
        called(leaving_out("structuredContent"))}},
      {{"mcp-structured-wrong", breaks("mcp-tool-structured").perhaps("mcp-tool-structured-text"),
        kLines, "structuredContent does not fit the outputSchema.", called([](json& each) {
          if (each.contains("structuredContent")) each["structuredContent"] = {{"sum", "3"}};
        })}},
      {{"mcp-structured-list",
        breaks("mcp-tool-structured-object")
            .perhaps("mcp-tool-structured", "mcp-tool-structured-text"),
        kLines, "structuredContent is a list.", called([](json& each) {
          if (each.contains("structuredContent")) each["structuredContent"] = json::array({3});
        })},
       {kJune}},
      {{"mcp-structured-alone", breaks("mcp-tool-structured-text"), kLines,
        "Structured content is not given as text.", called([](json& each) {
          if (each.contains("structuredContent")) each["content"] = json::array();
        })}},
      {{"mcp-structured-as-another-text", breaks("mcp-tool-structured-text"), kLines,
        "The text beside structured content is not its JSON.", called([](json& each) {
          if (each.contains("structuredContent")) each["content"][0]["text"] = "done";
        })}},
      {{"mcp-resource-without-name", breaks("mcp-res-shape"), kLines, "A resource has no name.",
        resource(leaving_out("name"))}},
      {{"mcp-resource-priority", breaks("mcp-res-annotations"), kLines,
        "The priority of a resource is 7.", resource(setting("annotations", {{"priority", 7}}))}},
      {{"mcp-resource-modified", breaks("mcp-res-last-modified"), kLines,
        "lastModified is no ISO 8601 time.",
        resource(setting("annotations", {{"lastModified", "yesterday"}}))}},
      {{"mcp-resource-uri-spaced",
        breaks("mcp-res-uri").perhaps("mcp-res-read", "mcp-res-subscribe"), kLines,
        "The URI of a resource has a space.", resource(setting("uri", "file:///my notes"))}},
      {{"mcp-template-hyphened", breaks("mcp-res-template-syntax"), kLines,
        "A variable of a template has a hyphen in its name.",
        first_of("resources/templates/list", "resourceTemplates",
                 setting("uriTemplate", "reference://users/{user-id}"))}},
      {{"mcp-template-without-uri", breaks("mcp-res-templates"), kLines,
        "A template has no uriTemplate.",
        first_of("resources/templates/list", "resourceTemplates", leaving_out("uriTemplate"))}},
      {{"mcp-contents-empty", breaks("mcp-res-read"), kLines,
        "The contents of a resource have neither text nor blob.",
        edit_result("resources/read",
                    [](json& each) {
                      each["contents"][0].erase("text");
                      each["contents"][0].erase("blob");
                    })}},
      {{"mcp-blob-not-base64", breaks("mcp-res-blob"), kLines, "A blob is not in Base64.",
        edit_result("resources/read",
                    [](json& each) {
                      if (each["contents"][0].contains("blob"))
                        each["contents"][0]["blob"] = "<svg/>";
                    })}},
      {{"mcp-prompt-without-name", breaks("mcp-prompt-shape"), kLines, "A prompt has no name.",
        first_of("prompts/list", "prompts", leaving_out("name"))}},
      {{"mcp-prompt-role", breaks("mcp-prompt-get"), kLines,
        "The role of a prompt's message is system.", prompt_message(setting("role", "system"))}},
      {{"mcp-prompt-image-not-base64", breaks("mcp-prompt-image"), kLines,
        "The data of a prompt's image is not in Base64.", prompt_message([](json& each) {
          if (has_picture(each["content"])) each["content"]["data"] = "<svg/>";
        })}},
      {{"mcp-prompt-audio-without-type", breaks("mcp-prompt-audio"), kLines,
        "A sound in a prompt has no mimeType.",
        prompt_message(setting("content", {{"type", "audio"}, {"data", "UklGRg=="}}))}},
      {{"mcp-prompt-audio-not-base64", breaks("mcp-prompt-audio"), kLines,
        "The data of a sound in a prompt is not in Base64.",
        prompt_message(setting(
            "content", {{"type", "audio"}, {"data", "<svg/>"}, {"mimeType", "audio/wav"}}))}},
      {{"mcp-prompt-embedded-not-base64", breaks("mcp-prompt-embedded"), kLines,
        "The blob of a resource in a prompt is not in Base64.", prompt_message([](json& each) {
          each["content"] = {{"type", "resource"},
                             {"resource", {{"uri", "reference://picture"}, {"blob", "<svg/>"}}}};
        })}},
      {{"mcp-completion-values-text", breaks("mcp-compl-shape"), kLines,
        "The values of a completion are one text.",
        edit_result("completion/complete",
                    [](json& each) { each["completion"]["values"] = "Ada"; })}},
      {{"mcp-completion-too-long", breaks("mcp-compl-hundred"), kLines,
        "A completion has 101 values.",
        edit_result("completion/complete",
                    [](json& each) {
                      each["completion"]["values"] = json(std::vector<std::string>(101, "a"));
                    })}},
  };
  return all;
}

}  // namespace jrpcheck::reference
