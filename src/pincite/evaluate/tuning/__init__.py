"""Settings chosen by labelled questions: the changes to try, how they are measured, and the verdict."""
