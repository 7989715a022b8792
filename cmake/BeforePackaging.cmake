# Run by CPack on the files of a package, before it is made.
find_program(STRIP_PROGRAM strip)
find_program(GZIP_PROGRAM gzip)

# Only programs are stripped by CPack itself; with what debuggers want the libraries are ten times as large.
file(GLOB_RECURSE archives ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.a)
if(STRIP_PROGRAM)
  foreach(archive IN LISTS archives)
    execute_process(COMMAND ${STRIP_PROGRAM} --strip-debug --enable-deterministic-archives ${archive}
      COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endif()

# Debian Policy §12.1, §12.7: manual pages and changelogs are compressed; zsh reads another folder.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
  file(RENAME ${share}/doc/jrpcheck/CHANGELOG.md ${share}/doc/jrpcheck/changelog)
  string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)  # or what SOURCE_DATE_EPOCH says
  file(WRITE ${share}/doc/jrpcheck/changelog.Debian
    "jrpcheck (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
    "  * changelog.gz says what is new in this version.\n\n"
    " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${now}\n")
  execute_process(
    COMMAND ${GZIP_PROGRAM} -9 -n ${share}/man/man1/jrpcheck.1 ${share}/man/man1/jrpcheck-reference.1
      ${share}/doc/jrpcheck/changelog ${share}/doc/jrpcheck/changelog.Debian
    COMMAND_ERROR_IS_FATAL ANY)
  file(MAKE_DIRECTORY ${share}/zsh/vendor-completions)
  file(RENAME ${share}/zsh/site-functions/_jrpcheck ${share}/zsh/vendor-completions/_jrpcheck)
  file(REMOVE_RECURSE ${share}/zsh/site-functions)
endif()
