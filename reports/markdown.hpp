// Texts of servers and of cases inside Markdown, where they must stay text.
#pragma once

#include <string>
#include <string_view>

#include "result/run.hpp"

namespace jrpcheck::reports {

/// A symbol and a word.
std::string markdown_symbol(result::Verdict verdict);
std::string markdown_symbol(result::RunVerdict verdict);

/// Plain text: nothing in it formats, links, ends a table cell or calls anybody by @name.
std::string escape_markdown(std::string_view text);

/// Text as code on one line, in as many backticks as it takes.
std::string markdown_code(std::string_view text);

/// Text as a block of code, which nothing in it ends.
std::string markdown_block(std::string_view text, std::string_view language = "text");

}  // namespace jrpcheck::reports
