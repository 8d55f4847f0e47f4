"""Words of a text."""


def count(text):
    """Count how often each word occurs."""
    words = text.split()
    return {word: words.count(word) for word in set(words)}


def longest(text):
    """Find the longest word."""
    return max(text.split(), key=len)
