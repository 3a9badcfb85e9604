"""The cluster that sets faces: what dask and fsspec do not do themselves."""
