"""All disk access for data: YAML, JSON Schema, packs, rosters, releases, atomic output."""
