"""Backups, and what happens to a database that was restored from one: it is noticed, stopped, brought up to date, and
let go again.

A restored database has forgotten charges. It must not forget that it did: anything drawn from it before the forgotten
charges are back would overspend, and a forgotten release drawn again under its key would show the data twice for one
charge. So:

1. *Notice* (`notice`, `watch`). A copy made by `private-posterior backup` carries a mark; any other is noticed by the
   witness (`service.ledger.witness`) or by a signed receipt that the database does not know. From then on every debit
   is refused, and releases that were paid and not yet drawn are lost: they may have been drawn after the backup was
   taken. Every budget's ledger says what was kept and what is known to have been: its gap (`gaps`).
2. *Reconcile* (`reconcile`). Every receipt that callers or owners still have is charged again, once, and its
   idempotency key is bound to a release that is lost.
3. *Write off* (`write_offs`). For what no receipt tells, the owner states an amount, also nothing.
4. *Unfreeze* (`gaps.end`). Debits are possible again, once every budget is accounted for or frozen by itself.

Nothing here opens counts. Every function but those of `watch` and `backup` works inside the caller's transaction.
"""
