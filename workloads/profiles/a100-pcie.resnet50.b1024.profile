busbar-profile 1
# Published is the total alone. Its parts are an estimate, a roofline for each layer, scaled by one factor to that total.
# A layer is a convolution and the batch norm behind it. In backward: the norm, the gradient of the weights, the
# gradient of the layer's input. cut: the output of the stem (behind its pool) or block, 2 bytes an element.
model resnet50
device a100-pcie
precision fp16
batch 1024
sample image
image 224
element_bytes 2
provenance roofline per layer, scaled to a published total
source One A100 PCIe, 2757.21 img/s: tf_cnn_benchmarks, ResNet-50, synthetic images, batch 1024, in a virtual machine with one GPU (Dell Technologies blog: PowerEdge R750xa, VMware vSphere against bare metal). The layers are those of v1.5 with 1000 classes; which version was run is not said there.
F conv1 6183.962 cut=411041792
F layer1.0.conv1 1845.961
F layer1.0.conv2 2803.350
F layer1.0.conv3 6276.272
F layer1.0.downsample.0 6276.272 cut=1644167168
F layer1.1.conv1 2953.555
F layer1.1.conv2 2803.350
F layer1.1.conv3 6276.272 cut=1644167168
F layer1.2.conv1 2953.555
F layer1.2.conv2 2803.350
F layer1.2.conv3 6276.272 cut=1644167168
F layer2.0.conv1 4430.347
F layer2.0.conv2 2249.565
F layer2.0.conv3 3138.239
F layer2.0.downsample.0 4430.524 cut=822083584
F layer2.1.conv1 1476.880
F layer2.1.conv2 2249.565
F layer2.1.conv3 3138.239 cut=822083584
F layer2.2.conv1 1476.880
F layer2.2.conv2 2249.565
F layer2.2.conv3 3138.239 cut=822083584
F layer2.3.conv1 1476.880
F layer2.3.conv2 2249.565
F layer2.3.conv3 3138.239 cut=822083584
F layer3.0.conv1 2614.931
F layer3.0.conv2 1972.672
F layer3.0.conv3 1861.251
F layer3.0.downsample.0 2614.931 cut=411041792
F layer3.1.conv1 1030.572
F layer3.1.conv2 1972.672
F layer3.1.conv3 1861.251 cut=411041792
F layer3.2.conv1 1030.572
F layer3.2.conv2 1972.672
F layer3.2.conv3 1861.251 cut=411041792
F layer3.3.conv1 1030.572
F layer3.3.conv2 1972.672
F layer3.3.conv3 1861.251 cut=411041792
F layer3.4.conv1 1030.572
F layer3.4.conv2 1972.672
F layer3.4.conv3 1861.251 cut=411041792
F layer3.5.conv1 1030.572
F layer3.5.conv2 1972.672
F layer3.5.conv3 1861.251 cut=411041792
F layer4.0.conv1 2061.145
F layer4.0.conv2 1834.224
F layer4.0.conv3 1307.465
F layer4.0.downsample.0 2061.145 cut=205520896
F layer4.1.conv1 892.126
F layer4.1.conv2 1834.224
F layer4.1.conv3 1307.465 cut=205520896
F layer4.2.conv1 892.126
F layer4.2.conv2 1834.224
F layer4.2.conv3 1307.465 cut=205520896
F fc 30.042
B fc 60.082 1000 2048000
B layer4.2.conv3 922.977 2048 2048
B layer4.2.conv3 753.680 1048576
B layer4.2.conv3 753.680
B layer4.2.conv2 230.744 512 512
B layer4.2.conv2 1695.778 2359296
B layer4.2.conv2 1695.778
B layer4.2.conv1 230.744 512 512
B layer4.2.conv1 753.680 1048576
B layer4.2.conv1 753.680
B layer4.1.conv3 922.977 2048 2048
B layer4.1.conv3 753.680 1048576
B layer4.1.conv3 753.680
B layer4.1.conv2 230.744 512 512
B layer4.1.conv2 1695.778 2359296
B layer4.1.conv2 1695.778
B layer4.1.conv1 230.744 512 512
B layer4.1.conv1 753.680 1048576
B layer4.1.conv1 753.680
B layer4.0.downsample.0 922.977 2048 2048
B layer4.0.downsample.0 1507.358 2097152
B layer4.0.downsample.0 1507.358
B layer4.0.conv3 922.977 2048 2048
B layer4.0.conv3 753.680 1048576
B layer4.0.conv3 753.680
B layer4.0.conv2 230.744 512 512
B layer4.0.conv2 1695.778 2359296
B layer4.0.conv2 1695.778
B layer4.0.conv1 922.977 512 512
B layer4.0.conv1 1507.358 524288
B layer4.0.conv1 1507.358
B layer3.5.conv3 1845.953 1024 1024
B layer3.5.conv3 753.680 262144
B layer3.5.conv3 753.680
B layer3.5.conv2 461.489 256 256
B layer3.5.conv2 1695.778 589824
B layer3.5.conv2 1695.778
B layer3.5.conv1 461.489 256 256
B layer3.5.conv1 753.680 262144
B layer3.5.conv1 753.680
B layer3.4.conv3 1845.953 1024 1024
B layer3.4.conv3 753.680 262144
B layer3.4.conv3 753.680
B layer3.4.conv2 461.489 256 256
B layer3.4.conv2 1695.778 589824
B layer3.4.conv2 1695.778
B layer3.4.conv1 461.489 256 256
B layer3.4.conv1 753.680 262144
B layer3.4.conv1 753.680
B layer3.3.conv3 1845.953 1024 1024
B layer3.3.conv3 753.680 262144
B layer3.3.conv3 753.680
B layer3.3.conv2 461.489 256 256
B layer3.3.conv2 1695.778 589824
B layer3.3.conv2 1695.778
B layer3.3.conv1 461.489 256 256
B layer3.3.conv1 753.680 262144
B layer3.3.conv1 753.680
B layer3.2.conv3 1845.953 1024 1024
B layer3.2.conv3 753.680 262144
B layer3.2.conv3 753.680
B layer3.2.conv2 461.489 256 256
B layer3.2.conv2 1695.778 589824
B layer3.2.conv2 1695.778
B layer3.2.conv1 461.489 256 256
B layer3.2.conv1 753.680 262144
B layer3.2.conv1 753.680
B layer3.1.conv3 1845.953 1024 1024
B layer3.1.conv3 753.680 262144
B layer3.1.conv3 753.680
B layer3.1.conv2 461.489 256 256
B layer3.1.conv2 1695.778 589824
B layer3.1.conv2 1695.778
B layer3.1.conv1 461.489 256 256
B layer3.1.conv1 753.680 262144
B layer3.1.conv1 753.680
B layer3.0.downsample.0 1845.953 1024 1024
B layer3.0.downsample.0 1507.358 524288
B layer3.0.downsample.0 1507.358
B layer3.0.conv3 1845.953 1024 1024
B layer3.0.conv3 753.680 262144
B layer3.0.conv3 753.680
B layer3.0.conv2 461.489 256 256
B layer3.0.conv2 1695.778 589824
B layer3.0.conv2 1695.778
B layer3.0.conv1 1845.953 256 256
B layer3.0.conv1 1507.358 131072
B layer3.0.conv1 1507.358
B layer2.3.conv3 3691.908 512 512
B layer2.3.conv3 923.095 65536
B layer2.3.conv3 923.095
B layer2.3.conv2 922.977 128 128
B layer2.3.conv2 1695.778 147456
B layer2.3.conv2 1695.778
B layer2.3.conv1 922.977 128 128
B layer2.3.conv1 923.095 65536
B layer2.3.conv1 923.095
B layer2.2.conv3 3691.908 512 512
B layer2.2.conv3 923.095 65536
B layer2.2.conv3 923.095
B layer2.2.conv2 922.977 128 128
B layer2.2.conv2 1695.778 147456
B layer2.2.conv2 1695.778
B layer2.2.conv1 922.977 128 128
B layer2.2.conv1 923.095 65536
B layer2.2.conv1 923.095
B layer2.1.conv3 3691.908 512 512
B layer2.1.conv3 923.095 65536
B layer2.1.conv3 923.095
B layer2.1.conv2 922.977 128 128
B layer2.1.conv2 1695.778 147456
B layer2.1.conv2 1695.778
B layer2.1.conv1 922.977 128 128
B layer2.1.conv1 923.095 65536
B layer2.1.conv1 923.095
B layer2.0.downsample.0 3691.908 512 512
B layer2.0.downsample.0 2215.380 131072
B layer2.0.downsample.0 2215.380
B layer2.0.conv3 3691.908 512 512
B layer2.0.conv3 923.095 65536
B layer2.0.conv3 923.095
B layer2.0.conv2 922.977 128 128
B layer2.0.conv2 1695.778 147456
B layer2.0.conv2 1695.778
B layer2.0.conv1 3691.908 128 128
B layer2.0.conv1 2215.203 32768
B layer2.0.conv1 2215.203
B layer1.2.conv3 7383.814 256 256
B layer1.2.conv3 1845.983 16384
B layer1.2.conv3 1845.983
B layer1.2.conv2 1845.953 64 64
B layer1.2.conv2 1695.778 36864
B layer1.2.conv2 1695.778
B layer1.2.conv1 1845.953 64 64
B layer1.2.conv1 1845.983 16384
B layer1.2.conv1 1845.983
B layer1.1.conv3 7383.814 256 256
B layer1.1.conv3 1845.983 16384
B layer1.1.conv3 1845.983
B layer1.1.conv2 1845.953 64 64
B layer1.1.conv2 1695.778 36864
B layer1.1.conv2 1695.778
B layer1.1.conv1 1845.953 64 64
B layer1.1.conv1 1845.983 16384
B layer1.1.conv1 1845.983
B layer1.0.downsample.0 7383.814 256 256
B layer1.0.downsample.0 1845.983 16384
B layer1.0.downsample.0 1845.983
B layer1.0.conv3 7383.814 256 256
B layer1.0.conv3 1845.983 16384
B layer1.0.conv3 1845.983
B layer1.0.conv2 1845.953 64 64
B layer1.0.conv2 1695.778 36864
B layer1.0.conv2 1695.778
B layer1.0.conv1 1845.953 64 64
B layer1.0.conv1 738.389 4096
B layer1.0.conv1 738.389
B conv1 7383.814 64 64
B conv1 1753.672 9408
O 459.098
