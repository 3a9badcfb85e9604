"""Checks of orders made of images: one file a sort of check."""
