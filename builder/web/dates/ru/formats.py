"""Days without the abbreviated word for a year, whose full stop would meet that of a sentence."""

DATE_FORMAT = "j E Y"
DATETIME_FORMAT = "j E Y, G:i"
