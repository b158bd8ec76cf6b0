// RUN: mlt-opt %s --place-load --verify-diagnostics --split-input-file

// expected-error @below {{unknown target 'none', expected one of 'pvc'}}
module attributes {mlt.target = "none"} {
}
