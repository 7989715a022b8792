// Programs run as processes, with all that they leave behind.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace jrpcheck::testing {

struct ProgramResult {
  int exit_code = -1;  ///< 128 and the signal for a program that was killed
  std::string output;
  std::string error;
  /// Some process that the program started was alive two seconds after it had ended.
  bool left_processes = false;
};

/// A program that runs. Ends it where the test does not.
class RunningProgram {
 public:
  /// `environment` holds NAME=value, beside what the test itself has.
  ///
  /// Every process below it inherits descriptor 9, the writing end of a pipe: when the last of them
  /// has ended the pipe is at its end, and until then whoever likes may write a word into it.
  explicit RunningProgram(const std::vector<std::string>& words,
                          const std::vector<std::string>& environment = {});
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  ~RunningProgram();

  /// Waits until something was written to descriptor 9; false when nothing is within ten seconds.
  bool await_word();
  /// Waits for the first line on its standard error; empty when there is none within ten seconds.
  std::string first_error_line();
  /// Waits until this stands on its standard output; false when it does not within ten seconds in
  /// which nothing comes.
  bool await_output(const std::string& part);
  void send_signal(int signal) const;
  /// SIGKILL to all of its process group.
  void kill_group() const;
  /// Waits for its end, and for that of whatever it started.
  ProgramResult finish();

 private:
  pid_t process_ = -1;
  int output_ = -1;
  int error_ = -1;
  int lifeline_ = -1;
  std::string output_text_;
  std::string error_text_;
};

ProgramResult run_program(const std::vector<std::string>& words,
                          const std::vector<std::string>& environment = {});

/// Whether the text has that part.
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A port on 127.0.0.1 where nothing listens. It lies below those that the system hands out by
/// itself, and tests that run at the same time begin to look in different places.
int free_port();

/// A port on 127.0.0.1 that takes connections and never says a word.
class ListeningPort {
 public:
  ListeningPort();
  ListeningPort(const ListeningPort&) = delete;
  ListeningPort& operator=(const ListeningPort&) = delete;
  ~ListeningPort();

  int number() const { return number_; }

 private:
  int listener_ = -1;
  int number_ = 0;
};

/// A new empty folder, removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  std::string file(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);

}  // namespace jrpcheck::testing
