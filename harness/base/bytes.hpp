// Bytes made presentable: base64 for reports, visible text for people, words for a shell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jrpcheck {

/// RFC 4648 §4 base64 with padding.
std::string to_base64(std::string_view bytes);

/// `bytes` as one line of text: control characters and bytes that are not UTF-8 become \n, \t,
/// \x00 and the like, and so do characters that are invisible or turn the direction of writing.
/// Backslashes stay as they are, so that JSON stays readable. When that is longer than `max_length`
/// bytes the middle is cut out and the number of bytes left out is said, so that both ends, which
/// carry the evidence, stay.
std::string to_visible(std::string_view bytes, std::size_t max_length = 240);

/// The same line by line, for output of programs that people read: the line feeds stay.
std::string to_visible_lines(std::string_view bytes);

/// The same text, with a backslash in what the log of a CI job would take for a command to it:
/// ::error:: at the beginning of a line, behind white space of any script (GitHub), ##[error] and
/// ##vso[...] (Azure), ##teamcity[...].
std::string without_log_commands(std::string_view text);

/// JSON text that says the same, and in which neither a terminal finds a control nor the log of a
/// CI job a command: what `to_visible` escapes, and a # before another, stand as \u escapes.
std::string inert_json(std::string_view json);

/// `word` quoted for a POSIX shell, so that it arrives as one argument, whatever it holds
/// (but NUL, which no argument can hold).
std::string shell_quote(std::string_view word);

/// The words of a command as the line that makes a POSIX shell start it.
std::string shell_line(const std::vector<std::string>& words);

/// A POSIX shell command that writes exactly `bytes` to standard output, with printf; long runs of
/// one byte are made by head and tr, and of a short text by yes and head, so that a payload nested
/// 100,000 deep stays one short line.
std::string shell_printer(std::string_view bytes);

/// Puts `with` in the place of each `what`; what it puts there is not looked at again.
void replace_all(std::string& text, std::string_view what, std::string_view with);

}  // namespace jrpcheck
