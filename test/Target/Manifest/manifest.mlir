// RUN: mlt-translate --mlt-to-manifest %s | %filecheck %s

// CHECK: {
// CHECK-NEXT: "interface": "builtin",
// CHECK-NEXT: "kernels": [
// CHECK-NEXT: {
// CHECK-NEXT: "args": [
// CHECK-NEXT: {
// CHECK-NEXT: "addrspace": 1,
// CHECK-NEXT: "divisibility": 16,
// CHECK-NEXT: "index": 0,
// CHECK-NEXT: "kind": "pointer",
// CHECK-NEXT: "name": "a_ptr",
// CHECK-NEXT: "type": "f16"
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "index": 1,
// CHECK-NEXT: "kind": "scalar",
// CHECK-NEXT: "type": "i32"
// CHECK-NEXT: }
// CHECK-NEXT: ],
// CHECK-NEXT: "grid_axes": [
// CHECK-NEXT: "x",
// CHECK-NEXT: "y",
// CHECK-NEXT: "z"
// CHECK-NEXT: ],
// CHECK-NEXT: "local_size": [
// CHECK-NEXT: 512,
// CHECK-NEXT: 1,
// CHECK-NEXT: 1
// CHECK-NEXT: ],
// CHECK-NEXT: "name": "k",
// CHECK-NEXT: "num_warps": 32,
// CHECK-NEXT: "preconditions": [
// CHECK-NEXT: {
// CHECK-NEXT: "kind": "block_2d",
// CHECK-NEXT: "loc": "kernels.py:85:29",
// CHECK-NEXT: "width": {
// CHECK-NEXT: "lhs": {
// CHECK-NEXT: "arg": 1
// CHECK-NEXT: },
// CHECK-NEXT: "op": "mul",
// CHECK-NEXT: "rhs": {
// CHECK-NEXT: "const": 2
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: ],
// CHECK-NEXT: "slm_bytes": 0,
// CHECK-NEXT: "sub_group_size": 16
// CHECK-NEXT: }
// CHECK-NEXT: ],
// CHECK-NEXT: "style": "simt",
// CHECK-NEXT: "target": "pvc",
// CHECK-NEXT: "version": 1
// CHECK-NEXT: }
module attributes {mlt.target = "pvc"} {
  llvm.func spir_funccc @_Z16get_sub_group_idv() -> i32
  llvm.func spir_kernelcc @k(%a: !llvm.ptr<1>, %n: i32) attributes {
    intel_reqd_sub_group_size = 16 : i32,
    reqd_work_group_size = array<i32: 512, 1, 1>,
    mlt.kernel = {
      num_warps = 32 : i32, style = "simt", interface = "builtin", sub_group_size = 16 : i32, slm_bytes = 0 : i32,
      args = [{name = "a_ptr", kind = "pointer", type = "f16", addrspace = 1 : i32, divisibility = 16 : i32}, {kind = "scalar", type = i32}],
      preconditions = [{kind = "block_2d", width = {op = "mul", lhs = {arg = 1 : i32}, rhs = {const = 2 : i64}}, loc = "kernels.py:85:29"}]
    }} {
    llvm.return
  }
}
