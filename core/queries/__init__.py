"""Answers linear queries from a history of noisy answers: estimate, law of its error, interval, and the least new
noise that meets a width.
"""
