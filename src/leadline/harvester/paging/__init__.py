"""From one page of an answer to the next ones: turns, jumps, page sizes."""

from leadline.harvester.paging.jump import Jump
from leadline.harvester.paging.jumping import jump_of
from leadline.harvester.paging.sizes import Size, larger_size, largest_size
from leadline.harvester.paging.turning import next_turn, read_next_page

__all__ = ["Jump", "Size", "jump_of", "larger_size", "largest_size", "next_turn", "read_next_page"]
