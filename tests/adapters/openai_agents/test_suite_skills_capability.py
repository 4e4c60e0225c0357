"""The SDK's tests of the capability `Skills`, whose files are written into a sandbox."""

from _scripted import SkillsSession
from _suite import bind

bind("capabilities.test_skills_capability", globals(), _SkillsSession=SkillsSession)
