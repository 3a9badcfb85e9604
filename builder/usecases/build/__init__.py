"""Build files from cards: sheets, pictures, orders for print shops, gauges."""
