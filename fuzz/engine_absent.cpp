// Built where libFuzzer's runtime was not found.
#include "fuzz/engine.hpp"

namespace jrpcheck::fuzz {

Result<bool> has_engine() {
  return Error{
      "this jrpcheck was built without libFuzzer's runtime. Install clang (Debian: apt-get install "
      "clang libclang-rt-14-dev) and build again; CMake then says where it has found "
      "libclang_rt.fuzzer_no_main"};
}

Result<bool> run_engine(const EngineOptions&, Tester&, transport::Guardian&) {
  return has_engine();
}

}  // namespace jrpcheck::fuzz
