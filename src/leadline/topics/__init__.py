"""What is wanted: topics and the judges that know them."""

from leadline.topics.critic import TopicCritic
from leadline.topics.judges import KEYWORDS, KeywordTopic, open_topic

__all__ = ["KEYWORDS", "KeywordTopic", "TopicCritic", "open_topic"]
