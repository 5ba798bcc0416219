busbar-profile 1
# a comment
model m
device d
precision fp16
batch 8
sample image
image 32
element_bytes 2
provenance measured
source made up

F conv1 10.5 cut=1024
F fc 2 cut=10 allreduce=4096
B fc 4 1000 10 allreduce=4096
B conv1 20 300
O 1.5
