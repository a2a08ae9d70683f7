"""Media servers: what plays the library, told of new files and asked whether it sees them."""
