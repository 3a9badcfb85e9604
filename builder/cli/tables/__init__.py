"""Commands for tables: new packs, imports and exports."""
