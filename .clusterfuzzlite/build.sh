#!/bin/bash
# What ClusterFuzzLite runs in its container.
exec "$SRC/jrpcheck/fuzz/oss-fuzz/build.sh"
