// RUN: mlt-opt %s --assign-operand-layout --convert-tritongpu-to-llvm | %filecheck %s

// Parts of a descriptor keep their kind in the manifest; a dot decides the
// register mode before anything is compiled.

// CHECK-LABEL: llvm.func spir_kernelcc @parts(
// CHECK-SAME: mlt.kernel = {args = [{addrspace = 1 : i32, kind = "descriptor_base", type = "f16"}, {kind = "descriptor_shape", type = "i64"}, {kind = "descriptor_flag", type = "i1"}, {kind = "scalar", type = "i32"}], has_dot = false,
module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {
  tt.func public @parts(%base: !tt.ptr<f16> {mlt.arg_kind = "descriptor_base"}, %size: i64 {mlt.arg_kind = "descriptor_shape"}, %flag: i1 {mlt.arg_kind = "descriptor_flag"}, %n: i32) {
    tt.return
  }

  // CHECK-LABEL: llvm.func spir_kernelcc @dot(
  // CHECK-SAME: has_dot = true,
  tt.func public @dot(%x: i1) {
    %a = arith.constant dense<1.0> : tensor<8x16xf16>
    %b = arith.constant dense<1.0> : tensor<16x16xf16>
    %c = arith.constant dense<0.0> : tensor<8x16xf32>
    %zero = arith.constant 0 : i32
    scf.if %x {
      %d = tt.dot %a, %b, %c : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
    }
    tt.return
  }
}
