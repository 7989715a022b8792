// Text in lines of a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jrpcheck::reports {

inline constexpr std::size_t kScreenWidth = 80;

/// `text`, which has no control characters, in lines that are broken at spaces, else behind a comma
/// or the like; what has neither is broken where the line ends. `first` stands before the first
/// line, and as many spaces before the others. Each line has its end.
std::string wrap(std::string_view first, std::string_view text, std::size_t width = kScreenWidth);

/// The same for a line of shell: a backslash stands at the end of each line but the last, and no
/// word is broken. Empty where a word alone is too long for a line.
std::string wrap_shell(std::string_view first, std::string_view line,
                       std::size_t width = kScreenWidth);

/// As many whole words as there is room for, and "..." where some are left out.
std::string shortened(std::string_view text, std::size_t width);

/// How many columns it takes: of a character of several bytes the first counts.
std::size_t columns_of(std::string_view text);

}  // namespace jrpcheck::reports
