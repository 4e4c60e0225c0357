"""Text made of pieces."""


def work():
    parts = []
    for number in range(3_000):
        parts.append(f"{number:>6} {number * 1.5:.2f} {'even' if number % 2 == 0 else 'odd'}")
    text = "\n".join(parts)
    grown = ""
    for line in text.splitlines():
        grown += line.strip().replace(" ", ",").title()
    return len(grown.encode()) + grown.count("Even") + len("%s %d" % (grown[:10], 7))
