"""The command line: one module per group of commands, assembled in :mod:`.main`."""
