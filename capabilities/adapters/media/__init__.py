"""What a media file is, read from the file itself."""
