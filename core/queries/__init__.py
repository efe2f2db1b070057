"""Linear queries answered from the noisy answers that there are: estimate, law of its error, interval, and the least new noise that meets a width."""
