"""Spreadsheets as rows of cells."""
