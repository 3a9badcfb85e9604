"""YAML files read with the location of every value, and edited in place."""
