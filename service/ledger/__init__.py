"""The ledger: acts, the debit and its decision, the hash chain, receipts, witness and verification."""
