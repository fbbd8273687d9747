"""From stored games and searches to tables: data frames in, data frames out, nothing drawn."""
