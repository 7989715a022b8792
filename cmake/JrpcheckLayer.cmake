# jrpcheck_layer(NAME FOLDER folder SOURCES ... USES ... TESTS ... [PRIVATE_LINKS ...])
#
# One library per folder, named after it, that links only to the layers it says it uses;
# harness/testing/layering_test.cpp reads the includes against the same table.
# TESTS become one GoogleTest program per layer, `<name>_test`, known to CTest case by case.
include(GoogleTest)

function(jrpcheck_layer name)
  cmake_parse_arguments(LAYER "" "FOLDER" "SOURCES;USES;PRIVATE_LINKS;TESTS;TEST_USES" ${ARGN})
  set(target jrpcheck_${name})
  list(TRANSFORM LAYER_SOURCES PREPEND ${LAYER_FOLDER}/)
  list(TRANSFORM LAYER_USES PREPEND jrpcheck::)
  if(LAYER_SOURCES)
    add_library(${target} STATIC ${LAYER_SOURCES})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/harness ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} PUBLIC ${LAYER_USES} PRIVATE jrpcheck_warnings ${LAYER_PRIVATE_LINKS})
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR}/harness ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} INTERFACE ${LAYER_USES})
  endif()
  add_library(jrpcheck::${name} ALIAS ${target})

  if(LAYER_TESTS AND BUILD_TESTING)
    list(TRANSFORM LAYER_TESTS PREPEND ${LAYER_FOLDER}/)
    list(TRANSFORM LAYER_TEST_USES PREPEND jrpcheck::)
    add_executable(${name}_test ${LAYER_TESTS})
    target_link_libraries(${name}_test PRIVATE jrpcheck::${name} ${LAYER_TEST_USES} jrpcheck_warnings
      jrpcheck_test_support)
    gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
