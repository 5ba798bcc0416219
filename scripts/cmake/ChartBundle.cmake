# busbar_chart_bundle: the JavaScript that draws the charts of reports (vega, vega-lite, vega-embed), or empty.
# scripts/chart_bundle.py writes it once from the Python wheel pinned in scripts/requirements.txt; CMake downloads
# nothing. Without that wheel, pass a file that the script wrote elsewhere: -DBUSBAR_CHART_BUNDLE=FILE.
set(BUSBAR_CHART_BUNDLE "" CACHE FILEPATH "JavaScript for the charts of reports, made by scripts/chart_bundle.py")
set(busbar_chart_bundle "")

set(requirements "${CMAKE_SOURCE_DIR}/scripts/requirements.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${requirements}")
file(STRINGS "${requirements}" pinned REGEX "^vl-convert-python==")
string(REGEX REPLACE "^vl-convert-python==([^ ]+).*" "\\1" pinned "${pinned}")

# Writes `out` with the first Python that has the wheel.
function(make_chart_bundle out)
  find_program(BUSBAR_PYTHON NAMES python3 DOC "Python for build-time scripts")
  foreach(python IN ITEMS "${CMAKE_SOURCE_DIR}/.venv/bin/python" "${BUSBAR_PYTHON}")
    if(EXISTS "${python}")
      execute_process(COMMAND "${python}" "${CMAKE_SOURCE_DIR}/scripts/chart_bundle.py" "${out}"
        RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
      if(NOT failed)
        return()
      endif()
    endif()
  endforeach()
endfunction()

if(BUSBAR_CHART_BUNDLE)
  if(NOT EXISTS "${BUSBAR_CHART_BUNDLE}")
    message(FATAL_ERROR "BUSBAR_CHART_BUNDLE: ${BUSBAR_CHART_BUNDLE} does not exist")
  endif()
  file(STRINGS "${BUSBAR_CHART_BUNDLE}" defines_embed REGEX "window\\.vegaEmbed *=" LIMIT_COUNT 1)
  if(NOT defines_embed)
    message(FATAL_ERROR "BUSBAR_CHART_BUNDLE: ${BUSBAR_CHART_BUNDLE} does not set window.vegaEmbed; make it with scripts/chart_bundle.py")
  endif()
  set(busbar_chart_bundle "${BUSBAR_CHART_BUNDLE}")
else()
  set(made "${CMAKE_BINARY_DIR}/chart_bundle-${pinned}.js")
  if(NOT EXISTS "${made}")
    make_chart_bundle("${made}")
  endif()
  if(EXISTS "${made}")
    set(busbar_chart_bundle "${made}")
  endif()
endif()

if(busbar_chart_bundle)
  message(STATUS "Charts in reports: ${busbar_chart_bundle}")
else()
  message(STATUS "Charts in reports: none, pages will have tables only (no Python with vl-convert-python ${pinned}; "
                 "see scripts/requirements.txt, or give -DBUSBAR_CHART_BUNDLE=FILE)")
endif()
