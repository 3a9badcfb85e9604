"""Convert finished faces for print shops: bleed, inks, standards, images."""
