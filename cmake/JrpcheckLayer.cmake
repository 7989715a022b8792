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

# jrpcheck_test(NAME SOURCES ... LINKS ... PREFIX prefix): one GoogleTest program.
function(jrpcheck_test name)
  cmake_parse_arguments(TEST "" "PREFIX" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  # What is tested is optimised as it is for users; optimising the tests only makes them slow to build.
  target_compile_options(${name} PRIVATE -O0 -g1)
  target_link_libraries(${name} PRIVATE ${TEST_LINKS} jrpcheck_compile_options GTest::gtest_main
    rapidcheck Threads::Threads)
  gtest_discover_tests(${name} TEST_PREFIX ${TEST_PREFIX} DISCOVERY_TIMEOUT 60)
endfunction()
