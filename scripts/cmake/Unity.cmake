# Unity build: files of a folder are compiled together, a few at a time, so their includes are parsed and instantiated
# once. It takes a quarter of the CPU time of separate compilation. -DBUSBAR_UNITY=OFF compiles each file by itself, as
# in the preset dev, and so finds missing includes.
option(BUSBAR_UNITY "Compile the files of a folder together (a quarter of the CPU time)" ON)
set(busbar_unity_files 15)  # maximum per batch: enough jobs for four cores, and a change rebuilds only one batch

# busbar_unity(TARGET [ALONE path ...]): compiles the .cpp files of TARGET together, folder by folder. Excluded are
# files that are generated or have their own options, and the files or folders ALONE (relative to the project): those
# whose machine code is measured, and those with duplicate names. Call it after all sources are added.
function(busbar_unity target)
  cmake_parse_arguments(U "" "" "ALONE" ${ARGN})
  if(NOT BUSBAR_UNITY)
    return()
  endif()
  get_target_property(folder_of_target ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder_of_target}" NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR "${path}" is_generated)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    cmake_path(GET path FILENAME name)
    if(NOT name MATCHES "\\.cpp$" OR is_generated OR folder IN_LIST U_ALONE OR "${folder}/${name}" IN_LIST U_ALONE)
      continue()
    endif()
    get_source_file_property(options "${path}" TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
    get_source_file_property(definitions "${path}" TARGET_DIRECTORY ${target} COMPILE_DEFINITIONS)
    if(options OR definitions)
      continue()
    endif()
    string(MAKE_C_IDENTIFIER "${folder}" group)
    list(APPEND groups "${group}")
    list(APPEND paths_${group} "${path}")
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    list(LENGTH paths_${group} count)
    math(EXPR batches "(${count} - 1) / ${busbar_unity_files} + 1")  # of nearly equal size
    set(index 0)
    foreach(path IN LISTS paths_${group})
      math(EXPR batch "${index} * ${batches} / ${count}")
      math(EXPR index "${index} + 1")
      set_source_files_properties("${path}" TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "${group}_${batch}")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
