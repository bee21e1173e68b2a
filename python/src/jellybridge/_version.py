"""The version of wheel and jars. The Gradle build reads this file, so it is said here only."""

__version__ = "0.1.0"
