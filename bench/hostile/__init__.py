"""Hostile use: kills, failing calls, damage, crafted indexes, readers beside a writer, races, tenants."""
