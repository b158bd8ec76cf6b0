// RUN: mlt-opt %s --emulate-intrinsics | %filecheck %s

// Branches around single accesses become calls of one helper per kind of access,
// and what lay between them one block.
// CHECK-LABEL: llvm.func spir_kernelcc @masked
// CHECK: %[[X:.*]] = llvm.call spir_funccc @mlt_masked_load_i64_f16_a2(%{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NOT: llvm.cond_br
// CHECK: %[[Y:.*]] = llvm.call spir_funccc @mlt_masked_load_i64_f16_a2(%{{.*}}, %{{.*}}, %[[X]])
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.call spir_funccc @mlt_masked_store_i64_f16_a2(%{{.*}}, %{{.*}}, %[[Y]])
// CHECK: llvm.call spir_funccc @mlt_masked_store__llvm_ptr_1__f16_a8(%{{.*}}, %{{.*}}, %[[Y]])
// CHECK-NEXT: llvm.return
llvm.func spir_kernelcc @masked(%a: i64, %b: i64, %p: !llvm.ptr<1>, %c: i1, %d: i1) {
  %zero = llvm.mlir.constant(0.0 : f16) : f16
  llvm.cond_br %c, ^load, ^none
^load:
  %q = llvm.inttoptr %a : i64 to !llvm.ptr<1>
  %v = llvm.load %q {alignment = 2 : i64} : !llvm.ptr<1> -> f16
  llvm.br ^next(%v : f16)
^none:
  llvm.br ^next(%zero : f16)
^next(%x: f16):
  llvm.cond_br %d, ^again, ^done(%x : f16)
^again:
  %r = llvm.inttoptr %b : i64 to !llvm.ptr<1>
  %w = llvm.load %r {alignment = 2 : i64} : !llvm.ptr<1> -> f16
  llvm.br ^done(%w : f16)
^done(%y: f16):
  llvm.cond_br %c, ^store, ^stored
^store:
  %s = llvm.inttoptr %a : i64 to !llvm.ptr<1>
  llvm.store %y, %s {alignment = 2 : i64} : f16, !llvm.ptr<1>
  llvm.br ^stored
^stored:
  llvm.cond_br %d, ^direct, ^end
^direct:
  llvm.store %y, %p {alignment = 8 : i64} : f16, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// More than one access, volatile ones, and loops stay.
// CHECK-LABEL: llvm.func spir_kernelcc @others
// CHECK-COUNT-3: llvm.cond_br
// CHECK: llvm.return
llvm.func spir_kernelcc @others(%p: !llvm.ptr<1>, %c: i1, %v: f32) {
  llvm.cond_br %c, ^two, ^next
^two:
  llvm.store %v, %p : f32, !llvm.ptr<1>
  llvm.store volatile %v, %p : f32, !llvm.ptr<1>
  llvm.br ^next
^next:
  llvm.cond_br %c, ^one, ^loop
^one:
  llvm.store volatile %v, %p : f32, !llvm.ptr<1>
  llvm.br ^loop
^loop:
  llvm.store %v, %p : f32, !llvm.ptr<1>
  llvm.cond_br %c, ^loop, ^end
^end:
  llvm.return
}

// CHECK: llvm.func internal spir_funccc @mlt_masked_load_i64_f16_a2(%[[C:.*]]: i1, %[[A:.*]]: i64, %[[O:.*]]: f16) -> f16 attributes {{.*}}no_inline
// CHECK: llvm.cond_br %[[C]], ^[[THEN:.*]], ^[[END:.*]](%[[O]] : f16)
// CHECK: ^[[THEN]]:
// CHECK: %[[Q:.*]] = llvm.inttoptr %[[A]]
// CHECK: %[[V:.*]] = llvm.load %[[Q]] {alignment = 2 : i64}
// CHECK: llvm.br ^[[END]](%[[V]] : f16)
