"""The command line of Double Solitaire's record, `ds`: no rules and no SQL."""
