// RUN: not mlt-opt %s --convert-vc-to-raw-send=registers=-1 2>&1 | %filecheck %s

// CHECK: error: expected option 'registers' to be 0 or more, got -1
module {
}
