"""Mail: messages, those of Outlook, and mailboxes, read into one record and written as documents."""

from __future__ import annotations

from pincite.parse.mail.document import parse_mail

__all__ = ["parse_mail"]
