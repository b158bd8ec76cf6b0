// RUN: mlt-translate --mlt-to-llvmir --llvm-opt=no-such-pass %s -verify-diagnostics

// expected-error@below {{LLVM pass pipeline 'no-such-pass': unknown pass name 'no-such-pass'}}
module {
}
