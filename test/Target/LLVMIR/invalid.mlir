// RUN: mlt-translate --mlt-to-llvmir %s -split-input-file -verify-diagnostics

// expected-error@below {{function 'f': bfloat is f16 to older device compilers; use i16 and conversions}}
module {
  llvm.func @f(%x: bf16) -> f32 {
    %0 = llvm.fpext %x : bf16 to f32
    llvm.return %0 : f32
  }
}

// -----

// expected-error@below {{function 'g': integers have 1, 8, 16, 32 or 64 bits in SPIR-V}}
module {
  llvm.func @g(%x: i24) -> i24 {
    %0 = llvm.add %x, %x : i24
    llvm.return %0 : i24
  }
}

// -----

// expected-error@below {{invalid LLVM IR: Intrinsic has incorrect argument type!}}
module {
  llvm.func @llvm.sqrt.f32(i32) -> f32
  llvm.func @h(%x: i32) -> f32 {
    %0 = llvm.call @llvm.sqrt.f32(%x) : (i32) -> f32
    llvm.return %0 : f32
  }
}
