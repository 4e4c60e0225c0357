r"""Text: the str accessor, regular expressions of `re` and `regex`, Unicode, dates out of free text, word counts, fuzzy matches, templates."""

import collections
import difflib
import json
import re
import textwrap
import unicodedata

import numpy as np
import pandas as pd
import regex
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

LETTERS = """\
From: Ana Müller <ana.mueller@example.com>; tel +49 30 1234-567; invoice #A-1001 of 2024-03-05: EUR 1,250.00
from: bob@example.org; Tel. (030) 765 43 21; INVOICE #B-17 of 5 March 2024: usd 99
From: Chloé Dubois <chloe@example.fr>; no phone; invoices #A-1002, #A-1003 of 05/03/2024: EUR 15.5 and EUR 20
Re: nothing to see here
"""
mail = pd.Series(LETTERS.splitlines(), name="text")
parts = mail.str.extract(r"(?i)^from:\s*(?:(?P<name>[^<;]+?)\s*<)?(?P<address>[\w.]+@[\w.]+)", expand=True)
print(parts.to_string(na_rep="-"))
print(mail.str.findall(r"#([A-Z]-\d+)").tolist(), mail.str.count(r"(?i)invoice").tolist())
money = mail.str.extractall(r"(?i)\b(?P<currency>EUR|USD)\s(?P<amount>[\d,]+(?:\.\d+)?)").droplevel("match")
money["amount"] = pd.to_numeric(money["amount"].str.replace(",", ""))
print(money.groupby(money["currency"].str.upper())["amount"].agg(["sum", "count"]).to_dict("index"))
print("digits of the phones:", mail.str.extract(r"(?i)tel[.\s]*([+()\d\s-]{7,})")[0].str.replace(r"\D", "", regex=True).fillna("").tolist())
print(mail.str.contains("invoice", case=False).tolist(), mail.str.startswith("From").tolist(), mail.str.len().tolist())
hidden = mail.str.replace(r"([\w.]+)@([\w.]+)", lambda match: f"{match[1][0]}***@{match[2]}", regex=True)
print(hidden[0][:40], "|", hidden[1][:22])

# --- The accessor: split, pad, slice, translate, missing values.
names = pd.Series(["  ada LOVELY ", "grace b. holm", None, "björk", "STRASSE straße"])
clean = names.str.strip().str.casefold()
print(clean.fillna("?").tolist(), clean.str.title().iloc[[0, 1]].tolist(), clean.isna().tolist())
print(clean.str.split(" ", n=1, expand=True).fillna("").to_numpy().tolist(), clean.str.split().str[-1].fillna("").tolist())
print(clean.str.pad(8, side="both", fillchar=".").str.slice(0, 8).tolist()[:2], clean.str.zfill(6).iloc[3], clean.str.get(0).str.cat(sep="", na_rep="_"))
print(clean.str.get_dummies(sep=" ").sum().sum(), names.str.isupper().fillna(False).tolist(), pd.Series(["a", "b"]).str.repeat([2, 3]).tolist())
print(pd.Series(["b10", "b9", "a2"]).sort_values(key=lambda s: s.str.extract(r"(\d+)")[0].astype("int64")).tolist())

# --- Unicode.
word = "Zürich, ﬁne №\uff15 İstanbul"
plain = "".join(letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter))
print(plain, len("é"), len(unicodedata.normalize("NFD", "é")), unicodedata.name("☃"), [unicodedata.category(letter) for letter in "aA5 ,"])
print(pd.Series(["é"]).str.normalize("NFD").str.encode("ascii", "ignore").str.decode("ascii").tolist(), "日本語".encode("shift_jis").hex())
print("naïve".encode().decode("latin-1"))

# --- What `re` cannot and `regex` can; and what both can.
print(regex.findall(r"\p{Lu}\p{Ll}+", "Ünal Ñandú Žižek ABC"), regex.findall(r"\X", "e\u0301a👍🏽") == ["e\u0301", "a", "👍🏽"])
print(regex.search(r"(?b)\b(?:receive){e<=2}\b", "you will recieve it").group(), regex.findall(r"\((?:[^()]|(?R))*\)", "f(a(b)c) and (d)"))
print(regex.split(r"(?V1)(?<=[a-z])(?=[A-Z])", "camelCaseWord"))
print(re.sub(r"(?<=\d)(?=(\d{3})+$)", " ", "1234567"), re.match(r"(?P<y>\d{4})-(?P<m>\d\d)", "2024-05").groupdict(), re.split(r"[;,]\s*", "a, b;c"))
forms = ["%Y-%m-%d", "%d %B %Y", "%d/%m/%Y"]
found = mail.str.extract(r"of ([\d/-]{10}|\d+ \w+ \d{4})")[0]
dates = pd.concat([pd.to_datetime(found, format=form, errors="coerce") for form in forms], axis=1, keys=forms).bfill(axis=1)[forms[0]]
print("one date in three forms:", dates.dropna().dt.date.nunique(), dates.iloc[0].date())

# --- Words: counts, n-grams, tf-idf, similar names.
story = "The cat sat on the mat. The dog sat on the log; the cat saw the dog, and the dog saw the cat."
words = re.findall(r"[a-z]+", story.lower())
print(collections.Counter(words).most_common(3), pd.Series(words).value_counts().sort_index().head(3).to_dict())
counts = CountVectorizer(ngram_range=(2, 2)).fit([story])
print("pairs", len(counts.vocabulary_), "sat on" in counts.vocabulary_, int(counts.transform(["sat on the mat, sat on"]).sum()))
corpus = ["red apple and green apple", "green tea and red wine", "stock market and wine price"]
weights = TfidfVectorizer().fit_transform(corpus)
print("similarity", np.round((weights @ weights.T).toarray(), 3).tolist()[0])
print(TfidfVectorizer(stop_words="english").fit(corpus).get_feature_names_out().tolist()[:4])
cities = ["Amsterdam", "Rotterdam", "Utrecht"]
print([difflib.get_close_matches(name, cities, n=1) for name in ("Amstredam", "Roterdam", "Paris")])
print(round(difflib.SequenceMatcher(None, "kitten", "sitting").ratio(), 3))

# --- Out again.
records = parts.dropna(subset=["address"]).assign(amount=money.groupby(level=0)["amount"].sum())
print(records.to_json(orient="records", force_ascii=False))
print(json.loads(records.to_json(orient="split"))["columns"], records.to_csv(index=False, sep="\t", na_rep="NULL").splitlines()[2])
print(textwrap.fill(story, 40, subsequent_indent="    "))
for row in records.fillna({"name": "?"}).itertuples():
    print(f"{row.name:<14}{row.address:>28}{row.amount:>12,.2f}")
