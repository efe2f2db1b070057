"""The ledger: acts and the debit write its entries; decision, hash chain, receipts, witness, verification and files
stand behind them.
"""
