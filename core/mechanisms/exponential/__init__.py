"""The exponential mechanism over posteriors, scored by Hellinger distance: calibration, proof, draw."""
