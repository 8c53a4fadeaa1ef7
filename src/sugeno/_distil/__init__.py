"""From soft verdicts to few rules: targets, candidate levels, the search, a program. Not public.

`targets` says what each row gains if it is accepted, `levels` where literals may stand, `path`
finds rule sets of every size (by `search` over `patterns`, with `pricing` and a `pool`), and
`proof` the best set within the pool. `nesting` makes the rules of several class boundaries nested,
by the gains of each (`boundary_gains`).
"""
