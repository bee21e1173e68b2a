"""Runs the command line as ``python -m jellybridge``."""

from .cli import run

if __name__ == "__main__":
    run()
