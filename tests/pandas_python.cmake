# A Python with pandas, for tests that read records with it: the first python3 that has it, as the system's may not be the first in PATH.
# BUSBAR_PYTHON is that one, or else the interpreter of the other tests.
function(has_pandas result python)
  execute_process(COMMAND "${python}" -c "import pandas" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(NOT status EQUAL 0)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()
find_program(BUSBAR_PANDAS_PYTHON NAMES python3 PATHS /usr/bin VALIDATOR has_pandas DOC "Python with pandas, for tests of python/")
set(BUSBAR_PYTHON "$<IF:$<BOOL:${BUSBAR_PANDAS_PYTHON}>,${BUSBAR_PANDAS_PYTHON},$<TARGET_FILE:Python3::Interpreter>>")
