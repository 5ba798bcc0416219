# Finds Cairo, which draws figures as PDF, SVG and PNG (busbar figure). Optional. Sets BUSBAR_CAIRO_MISSING (empty:
# found) to a description of what is missing; busbar also shows it to users. If found, PkgConfig::CAIRO is the library.
# Hints: PKG_CONFIG_PATH or CMAKE_PREFIX_PATH, BUSBAR_CAIRO=OFF to omit it.
option(BUSBAR_CAIRO "Draw figures as PDF, SVG and PNG where Cairo is found" ON)
set(BUSBAR_CAIRO_MISSING "")
if(NOT BUSBAR_CAIRO)
  set(BUSBAR_CAIRO_MISSING "Cairo was left out when it was built (BUSBAR_CAIRO=OFF)")
else()
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(CAIRO QUIET IMPORTED_TARGET GLOBAL cairo>=1.16 cairo-pdf cairo-svg cairo-png)
  endif()
  if(NOT TARGET PkgConfig::CAIRO)
    set(BUSBAR_CAIRO_MISSING "Cairo 1.16 or newer was not found when it was built (Debian: libcairo2-dev and pkg-config)")
  endif()
endif()
if(BUSBAR_CAIRO_MISSING)
  message(STATUS "Without Cairo: ${BUSBAR_CAIRO_MISSING}")
endif()
