tt.func public @f(%p: !tt.ptr<f16>) {
  %0 = tt.load %q : !tt.ptr<f16>
  tt.return
}
