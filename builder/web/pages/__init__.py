"""What a browser asks for, one concern a file; `builder.web.urls` has their addresses."""
