// What a program says as it dies.
#pragma once

#include <string>
#include <string_view>

namespace jrpcheck {

/// Of the end of a program's standard error the line that names the error, and the first frame of a
/// stack trace that is the program's own and no library's, else one of a library that it has
/// brought; where there is no such line, the end.
/// As one line of text, in which line feeds stand as \n.
std::string last_words(std::string_view standard_error);

}  // namespace jrpcheck
