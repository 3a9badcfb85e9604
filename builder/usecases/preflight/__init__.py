"""Check finished PDF files, images and orders against a print shop's specification."""
