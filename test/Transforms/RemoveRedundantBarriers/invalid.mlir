// RUN: not mlt-opt %s --remove-redundant-barriers 2>&1 | %filecheck %s
// CHECK: error: {{.*}}'nowhere'
module attributes {mlt.target = "nowhere"} {
  tt.func public @k() {
    mlt.barrier
    tt.return
  }
}
