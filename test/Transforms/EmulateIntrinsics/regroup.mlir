// RUN: mlt-opt %s --emulate-intrinsics | %filecheck %s

// What lane l gets is l / 4 * 8 + 4 + l % 4 over both registers.

// CHECK-LABEL: llvm.func spir_kernelcc @regroup
// CHECK: %[[ID:.+]] = llvm.call spir_funccc @_Z22get_sub_group_local_idv()
// CHECK: %[[MASK:.+]] = llvm.mlir.constant(-4 : i32)
// CHECK: %[[GROUP:.+]] = llvm.and %[[ID]], %[[MASK]]
// CHECK: %[[PLACE:.+]] = llvm.add %[[ID]], %[[GROUP]]
// CHECK: %[[FOUR:.+]] = llvm.mlir.constant(4 : i32)
// CHECK: %[[SOURCE:.+]] = llvm.add %[[PLACE]], %[[FOUR]]
// CHECK: %[[FIFTEEN:.+]] = llvm.mlir.constant(15 : i32)
// CHECK: %[[LANE:.+]] = llvm.and %[[SOURCE]], %[[FIFTEEN]]
// CHECK: %[[FIRST:.+]] = llvm.extractelement %arg1
// CHECK: %[[A:.+]] = llvm.call spir_funccc @_Z30__spirv_GroupNonUniformShuffleifj(%{{.+}}, %[[FIRST]], %[[LANE]])
// CHECK: %[[SECOND:.+]] = llvm.extractelement %arg1
// CHECK: %[[B:.+]] = llvm.call spir_funccc @_Z30__spirv_GroupNonUniformShuffleifj(%{{.+}}, %[[SECOND]], %[[LANE]])
// CHECK: %[[IN:.+]] = llvm.icmp "slt" %[[SOURCE]], %{{.+}} : i32
// CHECK: %[[R:.+]] = llvm.select %[[IN]], %[[A]], %[[B]] : i1, f32
// CHECK: llvm.store %[[R]], %arg0
// CHECK-NOT: inline_asm
llvm.func spir_kernelcc @regroup(%p: !llvm.ptr<1>, %v: vector<2xf32>) {
  %0 = llvm.inline_asm "mov (M1_NM, 16) $0(0,0)<1> $1(0,4)<8;4,1>", "=rw,rw" %v : (vector<2xf32>) -> f32
  llvm.store %0, %p : f32, !llvm.ptr<1>
  llvm.return
}
