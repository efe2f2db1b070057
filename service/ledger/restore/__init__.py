"""Backups, and the recovery of a database that was restored from one.

A restored database has lost charges. A release before they are charged again would overspend the budget. A lost release
drawn again under its key would disclose the data twice for one charge. So a restore has four steps:

1. *Notice* (`notice`, `watch`). A copy made by `private-posterior backup` has a mark. Any other restore is noticed by
   the witness (`service.ledger.witness`), or by a signed receipt that the database does not know. Then every debit is
   refused. Releases that were paid and not drawn become lost, since they may have been drawn after the backup. Each
   budget's ledger records its gap (`gaps`): the last entry kept, and the last entry known to have existed.
2. *Reconcile* (`reconcile`). Each receipt that callers or owners still have is charged again, once. Its idempotency key
   is bound to a lost release.
3. *Write off* (`write_offs`). For losses without a receipt the owner states an amount, which may be zero.
4. *Unfreeze* (`gaps.end`). Debits are possible again once every gap is settled or its budget is frozen.

Nothing here decrypts counts. Every function works inside the caller's transaction, except in `watch` and `backup`.
"""
