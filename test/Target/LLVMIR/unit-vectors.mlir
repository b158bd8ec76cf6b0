// RUN: mlt-translate --mlt-to-llvmir %s | %filecheck %s

// SPIR-V has no vectors of one element.

// CHECK: declare spir_func float @f(float)
// CHECK-LABEL: define spir_func float @values(float %0, <4 x float> %1)
// CHECK: %[[P:.+]] = phi float
// CHECK: %[[E:.+]] = extractelement <4 x float> %1, i32 2
// CHECK: %[[A:.+]] = fadd float %[[E]], %[[P]]
// CHECK: %[[C:.+]] = fadd float %[[A]], 2.0
// CHECK: call spir_func float @f(float %[[C]])
// CHECK-NOT: <1 x
llvm.func spir_funccc @f(vector<1xf32>) -> vector<1xf32>
llvm.func spir_funccc @values(%v: vector<1xf32>, %w: vector<4xf32>) -> vector<1xf32> {
  llvm.br ^bb1(%v : vector<1xf32>)
^bb1(%p: vector<1xf32>):
  %two = llvm.mlir.constant(dense<2.0> : vector<1xf32>) : vector<1xf32>
  %e = llvm.shufflevector %w, %w [2] : vector<4xf32>
  %a = llvm.fadd %e, %p : vector<1xf32>
  %c = llvm.fadd %a, %two : vector<1xf32>
  %r = llvm.call spir_funccc @f(%c) : (vector<1xf32>) -> vector<1xf32>
  %i = llvm.bitcast %r : vector<1xf32> to vector<1xi32>
  %j = llvm.bitcast %i : vector<1xi32> to f32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %u = llvm.mlir.poison : vector<1xf32>
  %k = llvm.insertelement %j, %u[%zero : i32] : vector<1xf32>
  %more = llvm.fcmp "olt" %k, %v : vector<1xf32>
  %m = llvm.extractelement %more[%zero : i32] : vector<1xi1>
  llvm.cond_br %m, ^bb1(%k : vector<1xf32>), ^bb2
^bb2:
  llvm.return %k : vector<1xf32>
}

// CHECK-LABEL: define spir_func <2 x i16> @join(i16 %0, i16 %1)
// CHECK: %[[L:.+]] = insertelement <2 x i16> poison, i16 %0, i32 0
// CHECK: insertelement <2 x i16> %[[L]], i16 %1, i32 1
llvm.func spir_funccc @join(%a: vector<1xi16>, %b: vector<1xi16>) -> vector<2xi16> {
  %0 = llvm.shufflevector %a, %b [0, 1] : vector<1xi16>
  llvm.return %0 : vector<2xi16>
}

// CHECK-LABEL: define spir_func void @memory(ptr addrspace(1) %0)
// CHECK: load half, ptr addrspace(1) %0, align 2
// CHECK: getelementptr half, ptr addrspace(1) %0, i32 3
llvm.func spir_funccc @memory(%p: !llvm.ptr<1>) {
  %0 = llvm.load %p {alignment = 2 : i64} : !llvm.ptr<1> -> vector<1xf16>
  %1 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, vector<1xf16>
  llvm.store %0, %1 {alignment = 2 : i64} : vector<1xf16>, !llvm.ptr<1>
  llvm.return
}
