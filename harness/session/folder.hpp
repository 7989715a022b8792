// Messages that name an empty folder, for servers that do not open without one.
#pragma once

#include <string>

#include "corpus/case.hpp"
#include "corpus/profile.hpp"

namespace jrpcheck::session {

/// The message with the folder's URI where it is a call of that method and has null there;
/// otherwise as it was.
std::string with_folder(const std::string& message, const corpus::OpeningPlace& place,
                        const std::string& uri);

/// The URI that the message has there, where it is a call of that method; empty where none is.
std::string folder_in(const std::string& message, const corpus::OpeningPlace& place);

/// Names the folder in what a step sends, but for one that is to stay as it stands.
void name_folder(corpus::Step& step, const corpus::OpeningPlace& place, const std::string& uri);

}  // namespace jrpcheck::session
