# {fmt}, CLI11, nlohmann/json and Boost.Math: from the system, except
#   -DBUSBAR_HEADERS=FOLDER  all are in FOLDER/include, from scripts/fetch-headers
#   -DBUSBAR_FETCH=ON        CMake downloads missing ones and checks the hashes below. Without a network,
#                            FETCHCONTENT_SOURCE_DIR_FMT, _CLI11, _JSON and _MATH name unpacked sources
# In all cases, targets have the names from their own packages.
option(BUSBAR_FETCH "Download header-only libraries that the system does not have" OFF)
set(BUSBAR_HEADERS "" CACHE PATH "Folder with include/fmt, include/CLI, include/nlohmann and include/boost")

function(busbar_add_headers target folder)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE "${folder}")
  target_compile_definitions(${target} INTERFACE ${ARGN})
endfunction()

# Declares an archive by name and hash. Only its headers are used, so it is not configured.
function(busbar_fetch name target url hash)
  include(FetchContent)
  message(STATUS "Fetching ${name} for ${target}")
  FetchContent_Declare(${name} URL "${url}" URL_HASH SHA256=${hash} SOURCE_SUBDIR none DOWNLOAD_EXTRACT_TIMESTAMP OFF)
  FetchContent_MakeAvailable(${name})
  busbar_add_headers(${target} "${${name}_SOURCE_DIR}/include" ${ARGN})
endfunction()

if(BUSBAR_HEADERS)
  foreach(header fmt/core.h CLI/CLI.hpp nlohmann/json.hpp boost/math/distributions/students_t.hpp)
    if(NOT EXISTS "${BUSBAR_HEADERS}/include/${header}")
      message(FATAL_ERROR "BUSBAR_HEADERS: no ${BUSBAR_HEADERS}/include/${header}; scripts/fetch-headers ${BUSBAR_HEADERS} puts it there")
    endif()
  endforeach()
  busbar_add_headers(CLI11::CLI11 "${BUSBAR_HEADERS}/include")
  busbar_add_headers(nlohmann_json::nlohmann_json "${BUSBAR_HEADERS}/include")
  busbar_add_headers(Boost::headers "${BUSBAR_HEADERS}/include" BOOST_MATH_STANDALONE=1)
  busbar_add_headers(fmt::fmt "${BUSBAR_HEADERS}/include" FMT_HEADER_ONLY=1)
  return()
endif()

set(required REQUIRED)
if(BUSBAR_FETCH)
  set(required QUIET)
endif()
find_package(CLI11 ${required})
find_package(nlohmann_json ${required})
find_package(fmt ${required})
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)  # use Boost's BoostConfig.cmake: CMake 3.30 and newer have no FindBoost
endif()
find_package(Boost ${required})
if(NOT BUSBAR_FETCH)
  return()
endif()
if(NOT TARGET CLI11::CLI11)
  busbar_fetch(cli11 CLI11::CLI11 https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.3.2.tar.gz
               aac0ab42108131ac5d3344a9db0fdf25c4db652296641955720a4fbe52334e22)
endif()
if(NOT TARGET nlohmann_json::nlohmann_json)
  busbar_fetch(json nlohmann_json::nlohmann_json https://github.com/nlohmann/json/archive/refs/tags/v3.11.2.tar.gz
               d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273)
endif()
if(NOT TARGET fmt::fmt)
  busbar_fetch(fmt fmt::fmt https://github.com/fmtlib/fmt/archive/refs/tags/9.1.0.tar.gz
               5dea48d1fcddc3ec571ce2058e13910a0d4a6bab4cc09a809d8b1dd1c88ae6f2 FMT_HEADER_ONLY=1)
endif()
if(NOT TARGET Boost::headers)
  busbar_fetch(math Boost::headers https://github.com/boostorg/math/archive/refs/tags/boost-1.84.0.tar.gz
               8c98eea939158bcdc5f857a10f590aae836b7f35b55d5bb695343e1f5cc0bd93 BOOST_MATH_STANDALONE=1)
endif()
