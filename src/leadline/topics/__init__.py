"""What is wanted: topics, their judges, and the critics that use them."""

from leadline.topics.critic import CRITICS, BaseCritic, TopicCritic, make_critic
from leadline.topics.judges import KEYWORDS, KeywordTopic, open_topic

__all__ = [
    "CRITICS",
    "KEYWORDS",
    "BaseCritic",
    "KeywordTopic",
    "TopicCritic",
    "make_critic",
    "open_topic",
]
