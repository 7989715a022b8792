# re2::re2, for those who build jrpcheck and for those who link its library. Debian's package has no
# configuration for CMake.
find_package(re2 CONFIG QUIET)
if(NOT TARGET re2::re2)
  set(name re2)
  if(JRPCHECK_PORTABLE)
    set(name libre2.a)
  endif()
  find_library(JRPCHECK_RE2_LIBRARY ${name} REQUIRED)
  add_library(re2::re2 INTERFACE IMPORTED)
  set_target_properties(re2::re2 PROPERTIES INTERFACE_LINK_LIBRARIES ${JRPCHECK_RE2_LIBRARY})
endif()
