# jrpcheck_fuzz_target(NAME SOURCES ... [LINKS ...] [SEEDS FOLDER...])
#
# A program from sources that hold LLVMFuzzerTestOneInput. Ordinarily it replays files, whatever the
# compiler, and CTest runs it on its seeds and on fuzz/regressions/NAME. With JRPCHECK_FUZZERS it is
# linked to an engine: the one that $LIB_FUZZING_ENGINE names while CMake runs, with the compiler
# flags as they were given, or else libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer.
#
# jrpcheck_add_fuzzer(NAME SOURCES ... [LINKS ...] [SEEDS FOLDER...])
#
# The same for a JSON-RPC handler of your own: sources that define what fuzz/jrpcheck_fuzz.h
# declares. Every reply is held to JSON-RPC 2.0, and the seeds are the messages of the corpus.
#
# Only what is fuzzed is instrumented: the sources and what they link to that is. What judges and mutates
# is optimised and has neither coverage nor sanitizers, or an engine would see little else than that.
option(JRPCHECK_FUZZERS "Link the fuzz targets to a fuzzing engine (clang)" OFF)

set(JRPCHECK_FUZZING_FLAGS "")
set(JRPCHECK_FUZZING_ENGINE "")
if(JRPCHECK_FUZZERS)
  if(DEFINED ENV{LIB_FUZZING_ENGINE})
    set(JRPCHECK_FUZZING_ENGINE $ENV{LIB_FUZZING_ENGINE})
    separate_arguments(JRPCHECK_FUZZING_FLAGS UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(sanitizers address,undefined)
    # Who names no build type is not given a slow fuzzer, or traces without lines.
    set(JRPCHECK_FUZZING_FLAGS $<$<CONFIG:>:-O1> $<$<CONFIG:>:-gline-tables-only> -fsanitize=fuzzer-no-link,${sanitizers}
      -fno-sanitize-recover=all -fno-omit-frame-pointer)
    set(JRPCHECK_FUZZING_ENGINE -fsanitize=fuzzer,${sanitizers})
    add_link_options(-fsanitize=${sanitizers})
  else()
    message(FATAL_ERROR "JRPCHECK_FUZZERS needs clang, or an engine in LIB_FUZZING_ENGINE")
  endif()
  # The tests are to run under the sanitizers with all that they test; the targets have the same flags again.
  if(BUILD_TESTING)
    add_compile_options(${JRPCHECK_FUZZING_FLAGS})
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options(-O2 -fno-sanitize=all)
    if(CMAKE_CXX_FLAGS MATCHES "-fsanitize-coverage=([^ ]+)")
      add_compile_options(-fno-sanitize-coverage=${CMAKE_MATCH_1})
    endif()
  endif()
  # Engines run the targets on other machines, and with another standard library than the packages'.
  add_compile_definitions(FMT_HEADER_ONLY)
  add_link_options(-Wl,--as-needed)
  separate_arguments(JRPCHECK_FUZZING_ENGINE UNIX_COMMAND "${JRPCHECK_FUZZING_ENGINE}")
endif()
# A project that adds this one as a subdirectory does not see its variables.
set_property(GLOBAL PROPERTY JRPCHECK_FUZZING_FLAGS ${JRPCHECK_FUZZING_FLAGS})
set_property(GLOBAL PROPERTY JRPCHECK_FUZZING_ENGINE ${JRPCHECK_FUZZING_ENGINE})
set_property(GLOBAL PROPERTY JRPCHECK_FUZZ_SEEDS ${PROJECT_BINARY_DIR}/fuzz-seeds)

function(jrpcheck_fuzz_target name)
  cmake_parse_arguments(FUZZ "" "" "SOURCES;LINKS;SEEDS" ${ARGN})
  set(fuzz_folder ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../fuzz)
  get_property(flags GLOBAL PROPERTY JRPCHECK_FUZZING_FLAGS)
  get_property(engine GLOBAL PROPERTY JRPCHECK_FUZZING_ENGINE)
  get_property(seeds GLOBAL PROPERTY JRPCHECK_FUZZ_SEEDS)

  add_executable(${name} ${FUZZ_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE ${flags})
  target_link_libraries(${name} PRIVATE ${FUZZ_LINKS} jrpcheck_fuzz_promises)
  set_property(GLOBAL APPEND PROPERTY JRPCHECK_FUZZ_TARGETS ${name})
  # What libFuzzer, AFL++ and ClusterFuzz are told about it.
  get_target_property(folder ${name} RUNTIME_OUTPUT_DIRECTORY)
  if(NOT folder)
    set(folder ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  configure_file(${fuzz_folder}/oss-fuzz/target.options ${folder}/${name}.options COPYONLY)
  configure_file(${fuzz_folder}/json-rpc.dict ${folder}/json-rpc.dict COPYONLY)

  if(JRPCHECK_FUZZERS)
    target_link_libraries(${name} PRIVATE ${engine})
    return()
  endif()
  target_sources(${name} PRIVATE ${fuzz_folder}/targets/replay_main.cpp)
  if(BUILD_TESTING)
    if(NOT FUZZ_SEEDS)
      set(FUZZ_SEEDS ${seeds}/${name})
    endif()
    if(IS_DIRECTORY ${fuzz_folder}/regressions/${name})
      list(APPEND FUZZ_SEEDS ${fuzz_folder}/regressions/${name})
    endif()
    add_test(NAME fuzz.${name} COMMAND ${name} ${FUZZ_SEEDS})
  endif()
endfunction()

function(jrpcheck_add_fuzzer name)
  cmake_parse_arguments(FUZZ "" "" "SOURCES;LINKS;SEEDS" ${ARGN})
  get_property(seeds GLOBAL PROPERTY JRPCHECK_FUZZ_SEEDS)
  jrpcheck_fuzz_target(${name} SOURCES ${FUZZ_SOURCES} $<TARGET_OBJECTS:jrpcheck_fuzz_handler>
    $<TARGET_OBJECTS:jrpcheck_fuzz_mutator>
    LINKS ${FUZZ_LINKS} jrpcheck_fuzz_oracle SEEDS ${seeds}/handler ${FUZZ_SEEDS})
  # Its sources need not wait for the seeds, which come last of all.
  if(CMAKE_GENERATOR MATCHES "Ninja")
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${seeds}/.fuzz-handler-seeds)
  else()
    add_dependencies(${name} jrpcheck_fuzz_handler_seeds)
  endif()
endfunction()
