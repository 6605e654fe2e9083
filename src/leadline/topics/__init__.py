"""What is wanted: topics and the judges that know them."""

from leadline.topics.critic import Critic
from leadline.topics.keywords import KEYWORDS, KeywordTopic
from leadline.topics.opening import open_topic

__all__ = ["KEYWORDS", "Critic", "KeywordTopic", "open_topic"]
