"""``python -m mltc`` is the same command as ``mltc``."""

from mltc.cli.main import main

if __name__ == "__main__":
    main()
