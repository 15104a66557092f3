"""OpenDocument texts and presentations; spreadsheets are in `sheets/`."""
