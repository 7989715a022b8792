# jrpcheck_layer(NAME SOURCES ... [USES ...] [PRIVATE_LINKS ...] [TESTS ...] [TEST_USES ...])
#
# One library per folder, named after it, that links only to the layers it says it uses;
# harness/testing/layering_test.cpp reads the includes against the same table.
# TESTS become one GoogleTest program per layer, `<name>_test`, known to CTest case by case.
include(GoogleTest)

function(jrpcheck_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;USES;PRIVATE_LINKS;TESTS;TEST_USES" ${ARGN})
  list(TRANSFORM LAYER_USES PREPEND jrpcheck::)
  add_library(jrpcheck_${name} STATIC ${LAYER_SOURCES})
  add_library(jrpcheck::${name} ALIAS jrpcheck_${name})
  target_include_directories(jrpcheck_${name} PUBLIC ${PROJECT_SOURCE_DIR}/harness ${PROJECT_SOURCE_DIR})
  target_link_libraries(jrpcheck_${name} PUBLIC ${LAYER_USES}
    PRIVATE jrpcheck_compile_options ${LAYER_PRIVATE_LINKS})
  if(LAYER_TESTS AND BUILD_TESTING)
    list(TRANSFORM LAYER_TEST_USES PREPEND jrpcheck::)
    jrpcheck_test(${name}_test SOURCES ${LAYER_TESTS} LINKS jrpcheck::${name} ${LAYER_TEST_USES}
      PREFIX ${name}.)
  endif()
endfunction()

# What a test is compiled with. What is tested is optimised as it is for users; optimising the tests
# only makes them slow to build.
function(jrpcheck_test_options name)
  target_compile_options(${name} PRIVATE -O0 -g1)
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
  gtest_discover_tests(${name} TEST_PREFIX ${TEST_PREFIX} DISCOVERY_TIMEOUT 60)
endfunction()
