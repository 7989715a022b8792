# What `cmake --install` and CPack put where. Everything is found relative to the prefix, which may
# be moved afterwards.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What the program says of itself.
set(described ${PROJECT_BINARY_DIR}/described)
add_custom_command(
  OUTPUT ${described}/jrpcheck.1 ${described}/bash ${described}/zsh ${described}/fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${described}
  COMMAND jrpcheck man > ${described}/jrpcheck.1
  COMMAND jrpcheck completion bash > ${described}/bash
  COMMAND jrpcheck completion zsh > ${described}/zsh
  COMMAND jrpcheck completion fish > ${described}/fish
  DEPENDS jrpcheck
  VERBATIM)
add_custom_target(jrpcheck_described ALL DEPENDS ${described}/jrpcheck.1)
install(FILES ${described}/jrpcheck.1 ${PROJECT_SOURCE_DIR}/reference-impl/jrpcheck-reference.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${described}/bash RENAME jrpcheck
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${described}/zsh RENAME _jrpcheck
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${described}/fish RENAME jrpcheck.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

install(TARGETS jrpcheck jrpcheck-reference RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# The program has the corpus built in; these are for whoever reads or extends it, in any language.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cases DESTINATION ${CMAKE_INSTALL_DATADIR}/jrpcheck)
install(FILES ${PROJECT_SOURCE_DIR}/reports/run.schema.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/jrpcheck)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The name under which Debian looks for it.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

# jrpcheck_exported_library(NAME FROM layer... [OBJECTS expression...] [LINKS ...])
#
# The layers are one library for those who embed them: their objects are put together, and their
# headers stay ours.
function(jrpcheck_exported_library name)
  cmake_parse_arguments(LIBRARY "" "" "FROM;OBJECTS;LINKS" ${ARGN})
  set(objects ${LIBRARY_OBJECTS})
  foreach(layer IN LISTS LIBRARY_FROM)
    list(APPEND objects $<TARGET_OBJECTS:jrpcheck_${layer}>)
  endforeach()
  add_library(jrpcheck_exported_${name} STATIC ${objects})
  set_target_properties(jrpcheck_exported_${name} PROPERTIES
    LINKER_LANGUAGE CXX OUTPUT_NAME jrpcheck-${name} EXPORT_NAME ${name})
  target_compile_features(jrpcheck_exported_${name} INTERFACE cxx_std_17)
  target_link_libraries(jrpcheck_exported_${name} PUBLIC ${LIBRARY_LINKS} PRIVATE fmt::fmt OpenSSL::SSL
    ZLIB::ZLIB re2::re2)
  install(TARGETS jrpcheck_exported_${name} EXPORT jrpcheckTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()

set(embed_objects $<TARGET_OBJECTS:jrpcheck_embed>)
set(of_the_corpus "/(corpus|handler_cases)\\.cpp")
jrpcheck_exported_library(corpus FROM base json wire dialogue corpus
  OBJECTS $<FILTER:${embed_objects},INCLUDE,${of_the_corpus}>)
jrpcheck_exported_library(judge FROM schema transport session judge judge_rules result run
  OBJECTS $<FILTER:${embed_objects},EXCLUDE,${of_the_corpus}>
  LINKS jrpcheck_exported_corpus)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/harness/embed/include/jrpcheck
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/jrpcheck)
install(EXPORT jrpcheckTargets NAMESPACE jrpcheck:: DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/jrpcheckConfig.cmake.in
  ${PROJECT_BINARY_DIR}/jrpcheckConfig.cmake
  INSTALL_DESTINATION ${package_folder}
  PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/jrpcheckConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/jrpcheckConfig.cmake
  ${PROJECT_BINARY_DIR}/jrpcheckConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/JrpcheckRe2.cmake
  DESTINATION ${package_folder})

# Packages: `cpack` in the build folder.
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME jrpcheck)
set(CPACK_PACKAGE_VENDOR "jrpcheck")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "conformance suite and fuzzer for JSON-RPC")
set(CPACK_PACKAGE_DESCRIPTION "\
jrpcheck judges JSON-RPC servers over HTTP and standard input and output:
it sends a corpus of cases, holds what comes back against the specification,
and says clause by clause what is kept, what is violated and what was not
exercised. The library judges a handler within a C++ program.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/BeforePackaging.cmake)
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_FILE_NAME jrpcheck-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "the jrpcheck authors <jrpcheck@example.org>")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libfmt-dev, libre2-dev, libgtest-dev, cmake")
include(CPack)
