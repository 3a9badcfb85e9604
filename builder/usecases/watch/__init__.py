"""Cards shown as soon as they are saved."""
