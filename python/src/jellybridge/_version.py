"""The version of the wheel and the jars. The Gradle build reads it from here."""

__version__ = "0.1.0"
