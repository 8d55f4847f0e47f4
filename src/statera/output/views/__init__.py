"""The outputs, one file each. A view does no arithmetic: numbers get their written form in the compiled part."""
