"""Cards to files: sheets, screens, orders for print shops, gauges."""
