"""What every room needs and none is about: errors, files, git, HTTP, names, patterns, words."""
