// RUN: mlt-translate --mlt-to-manifest %s -split-input-file -verify-diagnostics

// expected-error@below {{expected a module attribute 'mlt.target'}}
module {
}

// -----

// expected-error@below {{expected at least one kernel}}
module attributes {mlt.target = "pvc"} {
}

// -----

module attributes {mlt.target = "pvc"} {
  // expected-error@below {{kernel 'k': expected a dictionary 'mlt.kernel'}}
  llvm.func spir_kernelcc @k() {
    llvm.return
  }
}

// -----

module attributes {mlt.target = "pvc"} {
  // expected-error@below {{kernel 'k': expected 'slm_bytes' in 'mlt.kernel'}}
  llvm.func spir_kernelcc @k() attributes {mlt.kernel = {num_warps = 4 : i32, sub_group_size = 16 : i32}} {
    llvm.return
  }
}

// -----

module attributes {mlt.target = "pvc"} {
  // expected-error@below {{kernel 'k': expected 'num_warps' to be a number that is not negative}}
  llvm.func spir_kernelcc @k() attributes {mlt.kernel = {num_warps = "4", sub_group_size = 16 : i32, slm_bytes = 0 : i32}} {
    llvm.return
  }
}

// -----

module attributes {mlt.target = "pvc"} {
  // expected-error@below {{kernel 'k': expected 'args' to describe 1 arguments, got 0}}
  llvm.func spir_kernelcc @k(%a: i32) attributes {intel_reqd_sub_group_size = 16 : i32, reqd_work_group_size = array<i32: 64, 1, 1>, mlt.kernel = {num_warps = 4 : i32, sub_group_size = 16 : i32, slm_bytes = 0 : i32, style = "simt", interface = "builtin", args = []}} {
    llvm.return
  }
}

// -----

module attributes {mlt.target = "pvc"} {
  // expected-error@below {{kernel 'k': expected a work-group of 4 warps x 16 work-items, got 32}}
  llvm.func spir_kernelcc @k() attributes {intel_reqd_sub_group_size = 16 : i32, reqd_work_group_size = array<i32: 32, 1, 1>, mlt.kernel = {num_warps = 4 : i32, sub_group_size = 16 : i32, slm_bytes = 0 : i32, style = "simt", interface = "builtin", args = []}} {
    llvm.return
  }
}

// -----

module attributes {mlt.target = "pvc"} {
  // expected-error@below {{kernel 'k': expected 'intel_reqd_sub_group_size' of 16}}
  llvm.func spir_kernelcc @k() attributes {reqd_work_group_size = array<i32: 64, 1, 1>, mlt.kernel = {num_warps = 4 : i32, sub_group_size = 16 : i32, slm_bytes = 0 : i32, style = "simt", interface = "builtin", args = []}} {
    llvm.return
  }
}

// -----

module attributes {mlt.target = "pvc"} {
  // expected-error@below {{kernel 'k': 'preconditions' holds something that JSON cannot}}
  llvm.func spir_kernelcc @k() attributes {intel_reqd_sub_group_size = 16 : i32, reqd_work_group_size = array<i32: 64, 1, 1>, mlt.kernel = {num_warps = 4 : i32, sub_group_size = 16 : i32, slm_bytes = 0 : i32, style = "simt", interface = "builtin", args = [], preconditions = [affine_map<(d0) -> (d0)>]}} {
    llvm.return
  }
}

// -----

module attributes {mlt.target = "pvc"} {
  llvm.func spir_kernelcc @k() attributes {intel_reqd_sub_group_size = 16 : i32, reqd_work_group_size = array<i32: 64, 1, 1>, mlt.kernel = {num_warps = 4 : i32, sub_group_size = 16 : i32, slm_bytes = 0 : i32, style = "simt", interface = "builtin", args = []}} {
    llvm.return
  }
  // expected-error@below {{expected all kernels of a module to have the same style and interface}}
  llvm.func spir_kernelcc @l() attributes {intel_reqd_sub_group_size = 16 : i32, reqd_work_group_size = array<i32: 64, 1, 1>, mlt.kernel = {num_warps = 4 : i32, sub_group_size = 16 : i32, slm_bytes = 0 : i32, style = "simt", interface = "genisa", args = []}} {
    llvm.return
  }
}
