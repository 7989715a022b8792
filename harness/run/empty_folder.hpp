// An empty folder for servers that do not open without one, and the messages that name it.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "corpus/case.hpp"
#include "corpus/profile.hpp"
#include "dialogue/transcript.hpp"
#include "run/options.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::run {

/// A folder for temporary files, which goes with all that a server has put there.
class EmptyFolder {
 public:
  static Result<std::shared_ptr<const EmptyFolder>> make(transport::Guardian& guardian);
  ~EmptyFolder();
  EmptyFolder(const EmptyFolder&) = delete;
  EmptyFolder& operator=(const EmptyFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string uri() const;

 private:
  explicit EmptyFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

/// The message with the folder's URI where it is a call of that method and has null there;
/// otherwise as it was.
std::string with_folder(const std::string& message, const corpus::FolderPlace& place,
                        const std::string& uri);

/// Whether the last message of the opening was answered by an error that is not about its method.
bool is_opening_refused(const dialogue::Transcript& opening);
bool is_refused_for_its_params(const std::string& answer);

/// Makes a folder and names it in the opening, and in what `name_folder` is given from then on.
/// False where the protocol has no place for one, the opening has no null there, or none could be
/// made.
bool open_with_folder(Options& options, transport::Guardian& guardian);

/// What there is to say of that.
std::string note_of_folder(const Options& options);

/// Names the folder of the options, where there is one, in what a step sends.
void name_folder(const Options& options, corpus::Step& step);

}  // namespace jrpcheck::run
