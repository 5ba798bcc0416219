# BUSBAR_REVISION: the git revision of the sources, with "-dirty" if files differ from it, or "unknown" outside a
# checkout. Written into revision.cpp at build time, so an incremental build never contains an old one.
set(revision_source "${CMAKE_CURRENT_BINARY_DIR}/revision.cpp")
add_custom_target(busbar_revision
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DOUT=${revision_source}
          -P "${CMAKE_CURRENT_SOURCE_DIR}/scripts/cmake/WriteRevision.cmake"
  BYPRODUCTS "${revision_source}"
  COMMENT "Reading the git revision")
