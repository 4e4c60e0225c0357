"""Documents as programs exchange them."""

import json

DOCUMENT = {"rows": [{"id": number, "name": f"name {number}", "tags": ["a", "b", str(number)], "price": number / 7,
                      "nested": {"ok": number % 2 == 0, "none": None, "text": "ü \"quoted\" \n line"}} for number in range(200)]}


def work():
    for _ in range(5):
        text = json.dumps(DOCUMENT)
        assert len(json.loads(text)["rows"]) == 200
    return json.dumps(DOCUMENT, indent=2, sort_keys=True)
