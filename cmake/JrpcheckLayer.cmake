# jrpcheck_layer(NAME [PURE] [COLD] SOURCES ... [USES ...] [PRIVATE_LINKS ...] [TESTS ...] [TEST_USES ...])
#
# One library per folder, named after it, that links only to the layers it USES. These calls are the
# table of layers: harness/testing/layering_test.cpp is given them by jrpcheck_write_layers and holds
# the includes and the link lines against them.
# PURE: neither it nor any layer below it opens sockets, starts processes or waits.
# COLD: nothing there is done for each byte or each input of a fuzzer, so it is optimised less and built sooner.
# TESTS become one GoogleTest program per layer, `<name>_test`, known to CTest case by case; TEST_USES
# are layers that only they use.
include(GoogleTest)

function(jrpcheck_layer name)
  cmake_parse_arguments(LAYER "PURE;COLD" "" "SOURCES;USES;PRIVATE_LINKS;TESTS;TEST_USES" ${ARGN})
  foreach(used IN LISTS LAYER_USES)
    if(NOT TARGET jrpcheck_${used})
      message(FATAL_ERROR "${name} uses ${used}, which does not stand above it")
    endif()
  endforeach()
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  list(JOIN LAYER_USES " " uses)
  list(JOIN LAYER_TEST_USES " " test_uses)
  set(links "$<JOIN:$<TARGET_PROPERTY:jrpcheck_${name},LINK_LIBRARIES>, >")
  set_property(GLOBAL APPEND_STRING PROPERTY JRPCHECK_LAYERS
    "layer ${name}\nfolder ${folder}\npure ${LAYER_PURE}\nuses ${uses}\ntest-uses ${test_uses}\nlinks ${links}\n")
  list(TRANSFORM LAYER_USES PREPEND jrpcheck::)
  add_library(jrpcheck_${name} STATIC ${LAYER_SOURCES})
  add_library(jrpcheck::${name} ALIAS jrpcheck_${name})
  target_include_directories(jrpcheck_${name} PUBLIC ${PROJECT_SOURCE_DIR}/harness ${PROJECT_SOURCE_DIR})
  target_link_libraries(jrpcheck_${name} PUBLIC ${LAYER_USES}
    PRIVATE jrpcheck_compile_options ${LAYER_PRIVATE_LINKS})
  if(LAYER_COLD)
    target_compile_options(jrpcheck_${name} PRIVATE ${JRPCHECK_COLD})
  endif()
  jrpcheck_precompiled(jrpcheck_${name})
  set_target_properties(jrpcheck_${name} PROPERTIES UNITY_BUILD ${JRPCHECK_UNITY_BUILD})
  # What is made while building is data and an object of its own, which others take without the rest.
  set(made ${LAYER_SOURCES})
  list(FILTER made INCLUDE REGEX "^/")
  set_source_files_properties(${made} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(LAYER_TESTS AND BUILD_TESTING)
    list(TRANSFORM LAYER_TEST_USES PREPEND jrpcheck::)
    jrpcheck_test(${name}_test SOURCES ${LAYER_TESTS} LINKS jrpcheck::${name} ${LAYER_TEST_USES}
      PREFIX ${name}.)
  endif()
endfunction()

# jrpcheck_write_layers(FILE): one line for each thing that was said of a layer, and one for each source
# that any target compiles. Call it last.
function(jrpcheck_write_layers file)
  get_property(text GLOBAL PROPERTY JRPCHECK_LAYERS)
  jrpcheck_sources_below(${PROJECT_SOURCE_DIR} sources)
  foreach(source IN LISTS sources)
    string(APPEND text "source ${source}\n")
  endforeach()
  file(GENERATE OUTPUT ${file} CONTENT "${text}")
endfunction()

function(jrpcheck_sources_below folder result)
  set(found "")
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
      get_filename_component(source "${source}" ABSOLUTE BASE_DIR ${folder})
      list(APPEND found ${source})
    endforeach()
  endforeach()
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    jrpcheck_sources_below(${subfolder} more)
    list(APPEND found ${more})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# GCC takes more for uninitialised where it looks less.
set(JRPCHECK_COLD $<$<CONFIG:RelWithDebInfo>:-O1> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
# Beside a fuzzer the rest is always optimised.
if(JRPCHECK_FUZZERS AND NOT BUILD_TESTING AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND JRPCHECK_COLD -O1)
endif()

# Reading headers takes longer than compiling what most files hold. Those of the standard library and of
# fmt are read once for all targets that are optimised alike; with them nlohmann's for those that are
# optimised less, and CLI11's for those that link to it. No target may rely on what it does not include:
# the builds without precompiled headers tell.
function(jrpcheck_precompiled target)
  get_target_property(links ${target} LINK_LIBRARIES)
  get_target_property(options ${target} COMPILE_OPTIONS)
  set(headers <algorithm> <array> <chrono> <cstdint> <functional> <map> <memory> <mutex> <optional> <set>
    <sstream> <string> <string_view> <thread> <utility> <variant> <vector> <fmt/format.h>)
  set(name jrpcheck_headers)
  set(libraries fmt::fmt)
  set(cold "")
  if("$<$<CONFIG:RelWithDebInfo>:-O1>" IN_LIST options)
    set(cold ${JRPCHECK_COLD})
    string(APPEND name _cold)
    if("CLI11::CLI11" IN_LIST links)
      list(APPEND headers <CLI/CLI.hpp>)
      list(APPEND libraries CLI11::CLI11)
      string(APPEND name _CLI11)
    else()
      list(APPEND headers <nlohmann/json.hpp>)
      list(APPEND libraries nlohmann_json::nlohmann_json)
    endif()
  endif()
  if(NOT TARGET ${name})
    set(source ${PROJECT_BINARY_DIR}/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "")
    add_library(${name} OBJECT ${source})
    target_compile_options(${name} PRIVATE ${cold})
    target_link_libraries(${name} PRIVATE jrpcheck_compile_options ${libraries})
    target_precompile_headers(${name} PRIVATE ${headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
  # The compiler takes them only where they were read with the same macros.
  target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
endfunction()

# What a test is compiled with. What is tested is optimised as it is for users; optimising the tests
# only makes them slow to build.
function(jrpcheck_test_options name)
  target_compile_options(${name} PRIVATE -O0)
  target_link_libraries(${name} PRIVATE jrpcheck_compile_options GTest::gtest_main rapidcheck
    Threads::Threads)
endfunction()

# GoogleTest's header takes longer to read than most tests: it is read once for all of them.
function(jrpcheck_test_headers)
  set(source ${PROJECT_BINARY_DIR}/test_headers.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(jrpcheck_test_headers OBJECT ${source})
  jrpcheck_test_options(jrpcheck_test_headers)
  target_precompile_headers(jrpcheck_test_headers PRIVATE <gtest/gtest.h> <algorithm> <map>
    <string> <string_view> <vector>)
endfunction()

# jrpcheck_test(NAME SOURCES ... LINKS ... PREFIX prefix): one GoogleTest program.
function(jrpcheck_test name)
  cmake_parse_arguments(TEST "" "PREFIX" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  if(NOT TARGET jrpcheck_test_headers)
    jrpcheck_test_headers()
  endif()
  jrpcheck_test_options(${name})
  target_link_libraries(${name} PRIVATE ${TEST_LINKS})
  target_precompile_headers(${name} REUSE_FROM jrpcheck_test_headers)
  # Each test file has a namespace of its own, named after it, so that several are compiled as one.
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${JRPCHECK_UNITY_BUILD})
  gtest_discover_tests(${name} TEST_PREFIX ${TEST_PREFIX} DISCOVERY_TIMEOUT 60)
endfunction()
