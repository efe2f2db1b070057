"""The exponential mechanism over posteriors, scored by Hellinger distance: its calibration, proofs and draw."""
