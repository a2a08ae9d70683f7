"""What the owner can hand to somebody who helps, with nothing in it that opens a door."""
