// RUN: mlt-translate --mlt-to-llvmir %s | %filecheck %s
// RUN: mlt-translate --mlt-to-llvmir --llvm-opt= %s | %filecheck %s --check-prefix=NOOPT
// RUN: mlt-translate --mlt-to-llvmir --debug-lines %s | %filecheck %s --check-prefix=LINES
// RUN: mlt-translate --mlt-to-llvm-bitcode %s -o %t.bc
// RUN: %python -c "assert open(r'%t.bc', 'rb').read(2) == b'BC'"

// CHECK: target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64"
// CHECK: target triple = "spir64-unknown-unknown"
// CHECK: define spir_kernel void @k(ptr addrspace(1) %0) !reqd_work_group_size ![[LOCAL:[0-9]+]] !intel_reqd_sub_group_size ![[SUBGROUP:[0-9]+]]
// CHECK-NOT: alloca
// CHECK: store <8 x i16> splat (i16 1), ptr addrspace(1) %0
// CHECK: call spir_func void @f(ptr addrspace(1) %0), !spirv.DecorationCacheControlINTEL
// CHECK: ![[LOCAL]] = !{i32 64, i32 1, i32 1}
// CHECK: ![[SUBGROUP]] = !{i32 16}

// NOOPT: alloca [8 x i16]

// LINES: store {{.+}}, !dbg ![[LINE:[0-9]+]]
// LINES: ![[LINE]] = !DILocation(line: 7, column: 3
module attributes {mlt.target = "pvc"} {
  llvm.func spir_funccc @f(!llvm.ptr<1>)
  llvm.func spir_kernelcc @k(%p: !llvm.ptr<1>) attributes {intel_reqd_sub_group_size = 16 : i32, reqd_work_group_size = array<i32: 64, 1, 1>, mlt.kernel = {}} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %v = llvm.mlir.constant(dense<1> : vector<8xi16>) : vector<8xi16>
    %b = llvm.alloca %one x !llvm.array<8 x i16> : (i32) -> !llvm.ptr
    llvm.store %v, %b : vector<8xi16>, !llvm.ptr
    %w = llvm.load %b : !llvm.ptr -> vector<8xi16>
    llvm.store %w, %p : vector<8xi16>, !llvm.ptr<1> loc("k.py":7:3)
    llvm.call spir_funccc @f(%p) {xevm.DecorationCacheControl = [[6442 : i32, 0 : i32, 0 : i32, 0 : i32], [6442 : i32, 1 : i32, 1 : i32, 0 : i32]]} : (!llvm.ptr<1>) -> ()
    llvm.return
  } loc("k.py":1:1)
}
