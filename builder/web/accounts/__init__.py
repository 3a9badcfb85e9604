"""Accounts, devices and rate limits."""
