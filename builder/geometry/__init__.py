"""Pure geometry in mm: boxes, imposition, gauges."""
