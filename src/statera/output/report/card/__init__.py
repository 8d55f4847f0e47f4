"""The answer of a report as a picture that stands alone: a card for a page or a chat, and a badge."""
