"""Answers linear queries from a history of noisy answers: estimate, distribution of its error, interval, and the least
new noise for a target width.
"""
