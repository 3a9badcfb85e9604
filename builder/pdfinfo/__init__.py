"""Read finished PDF files and images as typed facts."""
