"""Words of a text."""


def count(text):
    """Count how often each word occurs."""
    found = {}
    for word in text.split():
        found[word] = found.get(word, 0) + 1
    return found


def longest(text):
    """Find the longest word."""
    return max(text.split(), key=len)
