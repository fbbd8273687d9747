"""Agents plan a whole turn; see `heroacademy.agents.base` for what one is."""
