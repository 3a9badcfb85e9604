"""A finished PDF read into typed facts; the only place that runs outside tools."""
