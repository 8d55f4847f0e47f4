"""The routes of the API: what they show is what the history holds."""

import json

import httpx
import pytest
from defusedxml import ElementTree
