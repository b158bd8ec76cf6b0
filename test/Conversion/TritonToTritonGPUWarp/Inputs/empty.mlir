module {
  tt.func public @empty() {
    tt.return
  }
}
