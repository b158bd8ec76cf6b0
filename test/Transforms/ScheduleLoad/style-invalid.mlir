// RUN: not mlt-opt %s --schedule-load=style=lanes 2>&1 | %filecheck %s
// RUN: not mlt-opt %s --defer-reduce=style=lanes 2>&1 | %filecheck %s

// CHECK: error: expected option 'style' to be 'simt' or 'simd', got 'lanes'
module {
}
