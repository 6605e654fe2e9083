"""Looking after store files: checking, backing up and salvaging them."""
