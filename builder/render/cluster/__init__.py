"""The cluster that renders faces: what dask and fsspec do not do themselves."""
