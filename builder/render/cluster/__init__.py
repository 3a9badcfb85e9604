"""Render faces on a cluster, with dask and fsspec."""
