"""Finished files judged by what a print shop takes."""
