# Without SimGrid the simulators say so, in one line.
foreach(program ${BENCH} ${TRAIN})
  run_expect(missing RC 2 ERR "^[^\n]*SimGrid[^\n]*\n$" COMMAND ${program} --platform any.xml allreduce)
endforeach()
