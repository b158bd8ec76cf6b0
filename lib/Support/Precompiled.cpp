// Only exists so that the precompiled header has an owner.
