"""Sheets of gauges as PDF: exact vector outlines and embedded letters, written directly.

Decides nothing.
"""
