"""The ledger. `acts` and `debit` write its entries. The other modules decide charges, link and sign entries, and verify
them.
"""
