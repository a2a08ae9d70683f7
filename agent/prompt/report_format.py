"""What the model's closing words look like."""

REPORT_FORMAT = """\
# The closing report
End your turn with a report in the owner's language. The first line is the conclusion: what is \
now so. Then at most seven short lines with what the owner would want to know: title, quality, \
size in GB, what is still open, what they have to do. Use names; no references, hashes, raw \
bytes, dates in machine form, tool names or headings. Do not lecture and do not promise."""
