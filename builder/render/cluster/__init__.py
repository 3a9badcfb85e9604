"""Faces that several machines share: a store of them, and the cluster that sets them."""
