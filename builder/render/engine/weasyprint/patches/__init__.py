"""Shorter ways through the engine, one module per part of it; `fastpath` puts them in place."""
