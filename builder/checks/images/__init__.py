"""Checks of orders made of images: one file per type of check."""
