"""What stored results say about each claim of the papers.

`results` reads what is stored, `findings` turns numbers into verdicts, `table2`, `figure5`,
`searches`, `complexity`, `fh_emcts` and `enhancements` hold a judge for each claim, `page` makes
the table and the page. A new claim needs an entry in `paper_numbers.json` and a judge,
registered by its id.
"""
