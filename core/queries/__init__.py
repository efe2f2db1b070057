"""Answers linear queries from a history of noisy answers: estimate, distribution of its error, interval, and the
lowest rate of new noise for a target width.
"""
