// RUN: mlt-opt %s --emulate-intrinsics --verify-diagnostics --split-input-file

llvm.func spir_kernelcc @other_text(%p: !llvm.ptr<1>, %v: vector<2xf32>) {
  // expected-error @below {{expected a move that regroups lanes, got 'mov (M1_NM, 16) $0(0,0)<1> $1(0,4)<8;2,1>', which has no portable form}}
  %0 = llvm.inline_asm "mov (M1_NM, 16) $0(0,0)<1> $1(0,4)<8;2,1>", "=rw,rw" %v : (vector<2xf32>) -> f32
  llvm.store %0, %p : f32, !llvm.ptr<1>
  llvm.return
}

// -----

// The region counts elements of 32 bits.
llvm.func spir_kernelcc @other_type(%p: !llvm.ptr<1>, %v: vector<2xf16>) {
  // expected-error @below {{which has no portable form}}
  %0 = llvm.inline_asm "mov (M1_NM, 16) $0(0,0)<1> $1(0,4)<8;4,1>", "=rw,rw" %v : (vector<2xf16>) -> f16
  llvm.store %0, %p : f16, !llvm.ptr<1>
  llvm.return
}
