"""JSON Schemas of kinds, and values checked against them."""
