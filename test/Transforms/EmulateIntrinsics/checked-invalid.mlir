// RUN: mlt-opt %s --emulate-intrinsics=checked=true -verify-diagnostics

llvm.func spir_funccc @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x1cPU3AS1viiiDv2_i(!llvm.ptr<1>, i32, i32, i32, vector<2xi32>)
llvm.func spir_funccc @f(%a: !llvm.ptr<1>, %i: i32, %xy: vector<2xi32>) {
  // expected-error@below {{checked block messages have to be in a kernel; 'f' is not one: inline it first}}
  llvm.call spir_funccc @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x1cPU3AS1viiiDv2_i(%a, %i, %i, %i, %xy) : (!llvm.ptr<1>, i32, i32, i32, vector<2xi32>) -> ()
  llvm.return
}
