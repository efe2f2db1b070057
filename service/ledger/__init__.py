"""The ledger. `budget_changes` and `debit` write its entries. The other modules decide charges, link and sign entries,
and verify them.
"""
