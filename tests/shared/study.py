"""The compiler study: three builds under three compilers."""

COMPILERS = ("8.10.7", "9.2", "9.6.2")
BUILDS = ("baseline", "SplitUMElem", "NoFailT")
