"""Whatever happens to a model file, loading it gives a model or a clear error, nothing else."""

import copy
import json
import random
import re
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sugeno
from mixed_models import mixed_classifier
from ordinal_models import GRADES, ordinal_rows, random_ordinal_model
from random_models import card_of_ordered_classes, random_card, random_model
from random_sums import mixed_sum, ordered_sum, random_sum, sums_per_class
from small_rules import classifier_of
from sugeno import ModelFileError, OrdinalRuleClassifier, RuleClassifier
from sugeno.model.fitted import any_model_of
from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass

SCHEMA = json.loads(files("sugeno").joinpath("_format/schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
GOLDEN = Path(__file__).parent / "golden"
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[-+.eE\d]*|true|false|null|[][{},:]')
#: Mutations of each drawn example: with the profile "ci" 10,000 in all, "nightly" 200,000.
EACH = 20
NASTY = (
    *("NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e-999", "-0.0", "-0", "0", "1", "-1"),
    *("9" * 21, "9" * 5000, "9007199254740993", "2.5", "1.0", "0.5", "1e308", "null", "true"),
    *('""', '"inf"', '"-inf"', '"nan"', '"\\ud800"', '"\\u0000"', '"str65536"', '"str0"'),
    *('"object"', '"float16"', '"uint8"', '"cnf"', '"a" : 1, "a"', "[]", "{}", "[[]]", "[null]"),
    *("[" * 40, "[" * 100_000, '{"a":' * 5000, "\x00", "\ufeff", "'", "//", "0x10", "01", "+1"),
)
VALUES = (
    *(None, True, False, 0, 1, -1, 2, 10**6, 2**53, 2**63, 2**64, -(2**63), 0.5, -0.5, 1.5, 1e308),
    *("", "inf", "-inf", "x0", "dnf", "cnf", "object", "str1", "float32", "int8", "\x00", "\ud800"),
    *([], {}, [0], [0, 0], [1, 0], [[]], {"a": 1}, [0.1, 0.2], ["a", "a"], ["a", "b"], [True]),
)


@cache
def originals():
    models = [random_model(seed) for seed in range(12)]
    texts = [sugeno.dumps(classifier_of(model)) for model in models]
    ordinal = [OrdinalRuleClassifier.of(random_ordinal_model(seed)) for seed in range(6)]
    texts += [sugeno.dumps(clf) for clf in ordinal]
    cards = [Model.of_two_classes(random_card(seed)) for seed in range(4)]
    cards += [card_of_ordered_classes(seed, GRADES[:3]) for seed in range(2)]
    texts += [sugeno.dumps(RuleClassifier.of(model)) for model in cards]
    texts += [sugeno.dumps(mixed_classifier(seed)) for seed in range(4)]
    sums = [*map(random_sum, range(4)), *map(mixed_sum, range(2)), sums_per_class(0)]
    sums += [*map(ordered_sum, range(2))]
    texts += [sugeno.dumps(RuleClassifier.of(model)) for model in sums]
    return [*texts, *(path.read_text(encoding="utf-8") for path in sorted(GOLDEN.glob("*/*.json")))]


def places(value, path=()):
    """Paths to all values inside a value."""
    yield path
    if isinstance(value, dict | list):
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(entry, (*path, key))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def flip_bytes(text, draw):
    content = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(draw.randint(1, 4)):
        content[draw.randrange(len(content))] = draw.randrange(256)
    return bytes(content)


def cut(text, draw):
    first, last = sorted(draw.randrange(len(text)) for _ in range(2))
    if draw.random() < 0.3:
        return text[:first].encode()
    last = min(last, first + draw.choice([1, 5, 50, len(text)]))
    return (text[:first] + text[last:]).encode()


def swap_tokens(text, draw):
    tokens = list(TOKEN.finditer(text))
    one, other = sorted(draw.sample(tokens, 2), key=lambda token: token.start())
    middle = text[one.end() : other.start()]
    return (text[: one.start()] + other[0] + middle + one[0] + text[other.end() :]).encode()


def replace_token(text, draw):
    token = draw.choice(list(TOKEN.finditer(text)))
    return (text[: token.start()] + draw.choice(NASTY) + text[token.end() :]).encode()


def edit(text, draw):
    """Change, copy, move, add or drop values, and keep it JSON."""
    whole = json.loads(text)
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        path = draw.choice([path for path in places(whole) if path])
        parent, key = at(whole, path[:-1]), path[-1]
        kind = draw.randrange(6)
        if kind == 0:
            del parent[key]
        elif kind == 1:
            parent[key] = draw.choice(VALUES)
        elif kind == 2:
            parent[key] = copy.deepcopy(at(whole, draw.choice(list(places(whole)))))
        elif kind == 3 and isinstance(parent[key], float | int):
            parent[key] = np.nextafter(parent[key], draw.choice([-1, 1]) * np.inf).item()
        elif kind == 4 and isinstance(parent, list):
            parent.insert(key, parent[key])
        elif isinstance(parent, list):
            draw.shuffle(parent)
        else:
            parent["more"] = parent[key]
        whole = json.loads(json.dumps(whole))  # no value is there twice
    return json.dumps(whole).encode()


MUTATIONS = (flip_bytes, cut, swap_tokens, replace_token, edit, edit, edit)


def assert_decides(model):
    if isinstance(model, ModelPerClass):
        for one in model.models:
            assert_decides(one)
        return
    if model.adds_up:
        assert model.verify_monotone()
    rows = ordinal_rows(model, 0, 5)
    passed = [one.accepted(rows) for one in model.boundaries]
    assert all((higher <= lower).all() for lower, higher in pairwise(passed))
    assert model.passed(rows).tolist() == (model.at_least(rows) > model.cuts).sum(axis=1).tolist()


def check(content):
    """Load it; a model must work, be within the schema, and come back."""
    try:
        loaded = sugeno.loads(content)
    except ModelFileError as error:
        message = str(error)
        assert "\n" not in message
        assert len(message) < 400
        return False
    assert_decides(any_model_of(loaded))
    assert isinstance(str(getattr(loaded, "rules_", loaded.model_)), str)
    assert sugeno.dumps(sugeno.loads(sugeno.dumps(loaded))) == sugeno.dumps(loaded)
    VALIDATOR.validate(json.loads(content))
    return True


@given(seed=st.integers(0, 2**32))
def test_a_mutated_file_gives_a_model_or_a_clear_error(seed):
    draw = random.Random(seed)
    for _ in range(EACH):
        text = draw.choice(originals())
        check(draw.choice(MUTATIONS)(text, draw))


def test_some_mutations_are_models_and_some_are_not():
    draw = random.Random(0)
    found = {check(edit(draw.choice(originals()), draw)) for _ in range(300)}
    assert found == {True, False}


def changed(path, value, text=None):
    """The golden file of shared levels with one value changed; a function changes the old one."""
    golden = (GOLDEN / "protocol-1" / "shared.json").read_text(encoding="utf-8")
    whole = json.loads(text or golden)
    parent = at(whole, path[:-1])
    parent[path[-1]] = value(parent[path[-1]]) if callable(value) else value
    return json.dumps(whole)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "must be JSON"),
        ("[]", 'must be a JSON object with "format"'),
        ('{"format": "sugeno-model"}', "protocol must be a whole number from 1 to 6. Got None"),
        (changed(["protocol"], 7), "of a later version of sugeno; install that"),
        (changed(["protocol"], 1.0), "Got 1.0 instead"),
        (changed(["protocol"], True), "Got True instead"),
        (changed(["k"], 2)[:-1], "must be JSON"),
        (b"\xff\xfe{}", "must be text in UTF-8"),
        ("\ufeff{}", "must be JSON"),
        ("NaN", "must not have NaN"),
        ('{"a": -Infinity}', "must not have -Infinity"),
        ("[1e999]", "numbers that a double can hold. Got 1e999"),
        ("[" + "9" * 10**5 + "]", "whole numbers of at most 20 digits. Got 999"),
        ('{"a": 1, "b": 2, "a": 3}', "must not have a key twice. Got 'a'"),
        ("[" * 10**6, "nested deeper than 16 levels"),
        ('{"a":' * 10**5, "nested deeper than 16 levels"),
        ("[" + "0," * (2**23 + 1) + "0]", f"at most {2**23} entries"),
        ('"' + '\\"' * 10**6 + "\\", "must be JSON"),
        (changed(["more"], 1, '{"format": "sugeno-model", "protocol": 1, "more": 0}'), "key 'cl"),
        (changed(["criteria", 0, "direction"], 0), r"criteria[0].direction must be 1 or -1. Got 0"),
        (changed(["criteria", 0, "name"], "x1"), "names of their own"),
        (changed(["criteria", 0, "name"], "\ud800"), "a string of whole characters"),
        (changed(["criteria", 0, "name"], 3), "criteria[0].name must be a string. Got 3"),
        (changed(["criteria", 0, "labels"], ["a", "a"]), "different strings"),
        (changed(["criteria", 0, "labels"], []), "an array of 1… entries. Got 0 entries"),
        (changed(["literals"], lambda found: found[::-1]), "harder to reach"),
        (changed(["literals", 1, "criterion"], 7), "a whole number from 0 to 2. Got 7"),
        (changed(["literals", 0, "level"], None), 'a number, "inf" or "-inf". Got None'),
        (changed(["literals", 0, "level"], 1e9), "a level beyond the worse value"),
        (changed(["literals", 0, "worse"], None), "a level beyond the worse value"),
        (changed(["literals", 0, "worse"], "nan"), "\"-inf\", or null. Got 'nan'"),
        (changed(["literals", 0, "gain"], 0.5), "literals[0].gain must be a whole number"),
        (changed(["literals", 0, "gain"], 2**53), "sum up to at most"),
        (changed(["boundaries"], []), "an array of 1 entries. Got 0 entries"),
        (changed(["boundaries", 0, "form"], "xor"), "'cnf' or 'points'. Got 'xor'"),
        (changed(["boundaries", 0, "rules"], {}), "boundaries[0].rules must be an array. Got an"),
        (changed(["boundaries", 0, "rules"], lambda rules: rules * 2), "a redundant literal"),
        (changed(["boundaries", 0, "rules", 0, "literals"], [1, 0]), "ascending numbers"),
        (changed(["boundaries", 0, "rules", 0, "literals"], [3]), "from 0 to 2. Got 3"),
        (changed(["boundaries", 0, "rules", 0, "support"], -1), "support must be a number from 0"),
        (changed(["boundaries", 0, "rules", 0, "precision"], 1.5), "a number from 0.0 to 1.0"),
        (changed(["boundaries", 0, "rules", 0, "unique"], None), "or a number for all rules. Got"),
        (changed(["boundaries", 0, "counted"], False), "null where the rows were not counted"),
        (changed(["boundaries", 0, "rejected", "values"], lambda v: v[::-1]), "never falling"),
        (changed(["boundaries", 0, "accepted", "values", 0], 0.5), "0.5000000000000001 to 1.0"),
        (changed(["boundaries", 0, "rejected", "starts", 0], 1e9), "starts must be ascending"),
        (changed(["boundaries", 0, "rejected", "starts"], [1]), "as many starts as values"),
        (changed(["threshold"], 1), "threshold must be a number between 0 and 1"),
        (changed(["missing"], "guess"), "'optimistic' or 'interval'. Got 'guess'"),
        (changed(["normalized"], 1), "normalized must be true or false. Got 1"),
        (changed(["classes", "labels"], [1, 1]), "must be different labels that fit into int64"),
        (changed(["classes", "labels"], [0, 2**63]), "labels that fit into int64"),
        (changed(["classes", "labels"], [0, True]), "a label of type int64. Got True"),
        (changed(["classes", "type"], "U7"), "a type of labels such as"),
        (changed(["classes", "type"], "str70000"), "a type of labels such as"),
        (changed(["classes"], {"type": "str2", "labels": ["no", "yes"]}), "fit into U2"),
        (changed(["utility", "total"], 0), "utility.total must be a whole number from 1"),
        (changed(["utility", "knots"], lambda k: k[:2]), "an array of 3 entries. Got 2"),
        (changed(["utility", "knots", 0, "ranks"], [1]), "as many values as ranks"),
        (changed(["utility", "knots", 0, "ranks", 0], 10**6), "an array of whole numbers from 1"),
        (changed(["utility", "knots", 0, "values", 0], 1e9), "values must be ascending"),
        (changed(["utility", "knots", 0, "values", 0], "1"), "an array of numbers. Got '1'"),
        (changed(["literals"], lambda found: found[:2]), "must"),
    ],
)
def test_the_error_says_where_and_what(content, message):
    with pytest.raises(ModelFileError, match=re.escape(message)):
        sugeno.loads(content)


#: Where the criteria stand, and the form of the first boundary.
CRITERIA = ("models", 0, "criteria")
FORM = ("models", 0, "boundaries", 0, "form")
COUNTS = ("models", 0, "learned", "held_out", "counts")


def latest(name, *path, value):
    """A golden file of the latest protocol with one value changed."""
    (golden,) = GOLDEN.glob(f"protocol-[45]/{name}.json")
    text = golden.read_text(encoding="utf-8")
    return changed(path, value, text)


def sum_of(*path, value):
    """The golden file of a sum with one value changed."""
    return latest("sum", "models", 0, *path, value=value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (sum_of("slope", value=0), "slope must be a number from"),
        (sum_of("units", value=0.5), "units must be a number from"),
        (sum_of("constant", value=0.5), "constant must be a whole number"),
        (sum_of("constant", value=2**52), "models[0] must be a sum of at most"),
        (sum_of("steps", value=[]), "steps must be an array of 4 entries"),
        (sum_of("steps", 0, "levels", value=lambda found: found[::-1]), "levels beyond the worse"),
        (sum_of("steps", 0, "levels", 0, value=None), "levels[0] must be a number"),
        (sum_of("steps", 0, "worse", value=[]), "worse must be an array of 2 entries"),
        (sum_of("steps", 0, "adds", 0, value=-(2**40)), "a sum that never falls"),
        (sum_of("steps", 0, "adds", value=[2**52, 2**52]), "numbers that sum up to at most"),
        (sum_of("pairs", 0, "criteria", value=[1, 0]), "a later pair of ascending criteria"),
        (sum_of("pairs", 1, "criteria", value=[0, 1]), "a later pair of ascending criteria"),
        (sum_of("pairs", 0, "adds", 0, value=0), "numbers other than 0 at ascending places"),
        (sum_of("pairs", 0, "adds", value=[1, 2]), "as many numbers as places"),
        (sum_of("pairs", 0, "first", 0, value=99), "whole numbers from 0 to"),
        (sum_of("pairs", 1, "first", value=lambda found: found[::-1]), "at ascending places"),
        (sum_of("importances", 0, value=2), "importances[0] must be a number from 0.0 to 1.0"),
        (sum_of("importances", value=[1.0]), "an array of 4 entries"),
        (latest("sums", "models", 0, "named", value=False), "read alike. Got another"),
    ],
)
def test_a_sum_is_checked_as_well(content, message):
    with pytest.raises(ModelFileError, match=re.escape(message)):
        sugeno.loads(content)


def test_levels_of_a_sum_get_harder_to_reach():
    whole = json.loads(latest("sum", "target", value="paid"))
    for step in whole["models"][0]["steps"]:
        nothing = [None] * len(step["levels"])
        step |= {"levels": step["levels"][::-1], "worse": nothing, "better": nothing}
    with pytest.raises(ModelFileError, match="harder and harder to reach"):
        sugeno.loads(json.dumps(whole))


def test_tables_of_pairs_are_measured_before_they_are_made():
    whole, n = json.loads(latest("sum", "target", value="paid")), 1 << 12
    (model,) = whole["models"]
    places = [*range(n)]
    for j, criterion in enumerate(model["criteria"]):
        levels = places[:: criterion["direction"]]
        nothing, adds = [None] * n, [1] * n
        step = {"levels": levels, "worse": nothing, "better": nothing, "adds": adds}
        model["steps"][j] = step
    pair = {"criteria": [0, 1], "first": places, "second": places, "adds": [1] * n}
    model["pairs"] = [pair]
    with pytest.raises(ModelFileError, match="tables with at most 16777216 entries in all"):
        sugeno.loads(json.dumps(whole))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (latest("shared", "target", value=3), "target must be a string. Got 3"),
        (latest("shared", "words", value={}), "words must be an array. Got an object"),
        (latest("shared", "words", value=["yes"]), "an array of 2 entries. Got 1"),
        (latest("clusters", "words", value=["yes", "no"]), "null where there are not two classes"),
        (latest("shared", "classes", "ordered", value=1), "ordered must be true or false"),
        (latest("shared", "classes", "ordered", value=False), "an array of 2 entries. Got 1"),
        (latest("clusters", "classes", "ordered", value=True), "an array of 1 entries. Got 3"),
        (latest("clusters", "models", 1, "missing", value="interval"), "models[1] must be a model"),
        (latest("clusters", "models", 2, "criteria", 0, "name", value="n"), "the same columns"),
        (latest("clusters", "models", 2, "named", value=False), "read alike. Got another"),
        (latest("shared", "models", 0, "criteria", 0, "column", value="x"), "column must be null"),
        (
            latest("shared", "models", 0, "criteria", 0, "labels", value=["a"]),
            "labels must be null",
        ),
        (latest("labels", "models", 0, "criteria", 0, "kind", value="free"), "or 'ordered'. Got"),
        (latest("shared", "models", 0, "utility", value={}), "models[0].utility must be null"),
        (latest("grades", "models", 0, "boundaries", 0, "form", "kind", value="cnf"), "be 'dnf'"),
        (latest("shared", *CRITERIA, 0, "missing", value=2.0), "must be an array of 0 entries"),
        (latest("shared", *CRITERIA, 0, "kind", value="date"), "'number' or 'ordered'. Got 'date'"),
        (latest("shared", "models", 0, "columns", value=[]), "an array of 1 to"),
        (latest("mixed", "models", 0, "columns", value=None), "column must be null. Got 1"),
        (latest("mixed", "models", 0, "columns", 0, "column", value="land"), "a name twice"),
        (latest("mixed", "models", 0, "columns", 0, "kind", value="none"), "or 'constant'. Got"),
        (latest("mixed", *CRITERIA, 0, "column", value=9), "a whole number from 0 to 8"),
        (latest("mixed", *CRITERIA, 0, "column", value=0), "a column of this name and kind"),
        (latest("mixed", *CRITERIA, 0, "kind", value="date"), "a column of this name and kind"),
        (latest("mixed", *CRITERIA, 3, "direction", value=1), "once in each direction"),
        (latest("mixed", *CRITERIA, 0, "places", value={}), "places must be null"),
        (latest("mixed", *CRITERIA, 1, "places", value=None), "places must be an object"),
        (latest("mixed", *CRITERIA, 1, "places", "at", value=[0.0]), "an array of 5 numbers"),
        (latest("mixed", *CRITERIA, 1, "labels", value=None), "labels must be an array"),
        (latest("mixed", *CRITERIA, 0, "missing", value="none"), "must be a number"),
        (latest("mixed", *CRITERIA, 0, "within", value=[2, 1]), "two ascending numbers"),
        (latest("points", *FORM, "needed", value=-1), "needed must be a whole number from 0"),
        (latest("points", *FORM, "points", 0, "points", value=0), "a whole number from 1 to"),
        (latest("points", *FORM, "points", value=[]), "entries. Got 0 entries"),
        (latest("points", *FORM, "chances", value=[0.5]), "numbers, of 0 to"),
        (latest("points", *FORM, "chances", 0, value=0.999), "from 0 to 1 and never falling"),
        (latest("points", *FORM, "kind", value="dnf"), "an object with the key 'rules'"),
        (latest("shared", "models", 0, "learned", value={}), "an object with the key 'kind'"),
        (latest("shared", "models", 0, "learned", "kind", value=0), "kind must be a whole number"),
        (latest("shared", "models", 0, "learned", "teacher", value=3), "teacher must be a string"),
        (latest("shared", "models", 0, "learned", "bounded", value="x"), "with the teacher'. Got"),
        (latest("costs", "models", 0, "costs", value=[]), "an array of 2 entries. Got 0 entries"),
        (latest("costs", "models", 0, "costs", 0, value=[1, 0]), "least where the decision is"),
        (latest("costs", "models", 0, "costs", 0, value=[0, 0]), "least where the decision is"),
        (latest("costs", "models", 0, "costs", 0, 0, value=-1), "must be a number from 0.0"),
        (latest("costs", "models", 0, "costs", value=None), "from 0.5000000000000001 to 1.0"),
        (latest("grades", "models", 0, "costs", value=[]), "where there are more than two classes"),
        (latest("distilled", "models", 0, "learned", "held_out", "error", value=-1), "from 0.0"),
        (latest("distilled", "models", 0, "learned", "held_out", "n_folds", value=0), "from 1 to"),
        (latest("counted", *COUNTS, "confusion", 0, value=[1]), "entries. Got 1 entries"),
        (latest("counted", *COUNTS, "confusion", 0, 0, value=-1), "a number from 0.0"),
        (latest("counted", *COUNTS, "confusion", value=[[0, 0], [0, 0]]), "weights of rows"),
        (latest("counted", *COUNTS, "grades", value=[]), "an array of 1 entries"),
        (latest("counted", *COUNTS, "grades", 0, "chances", 0, value=1), "probabilities that rise"),
        (latest("counted", *COUNTS, "grades", 0, "below", value=[]), "entries. Got 0 entries"),
    ],
)
def test_the_latest_protocol_is_checked_as_well(content, message):
    with pytest.raises(ModelFileError, match=re.escape(message)):
        sugeno.loads(content)


def test_cards_of_several_boundaries_count_the_same_points():
    whole = json.loads(sugeno.dumps(RuleClassifier.of(card_of_ordered_classes(3, GRADES[:3]))))
    lower, higher = (one["form"] for one in whole["models"][0]["boundaries"])
    for changed_form, key, value in (
        (lower, "needed", higher["needed"] + 1),
        (higher, "points", [one | {"points": one["points"] + 1} for one in higher["points"]]),
    ):
        kept, changed_form[key] = changed_form[key], value
        changed_form["chances"], chances = None, changed_form["chances"]
        with pytest.raises(ModelFileError, match="imply those of the boundary before"):
            sugeno.loads(json.dumps(whole))
        changed_form[key], changed_form["chances"] = kept, chances
    assert sugeno.loads(json.dumps(whole))


def test_utilities_need_one_literal_per_criterion():
    levels = (GOLDEN / "protocol-1" / "levels.json").read_text(encoding="utf-8")
    knots = json.loads((GOLDEN / "protocol-1" / "shared.json").read_text(encoding="utf-8"))
    with pytest.raises(ModelFileError, match="not one literal per criterion"):
        sugeno.loads(changed(["utility"], knots["utility"], levels))


def test_literals_that_read_the_same_are_refused():
    text = sugeno.dumps(classifier_of(random_model(0, form="dnf", m=1, most_levels=1)))
    whole = json.loads(text)
    (model,) = whole["models"]
    (boundary,) = model["boundaries"]
    (literal,) = boundary["literals"]
    sign = model["criteria"][0]["direction"]
    literal |= {"level": 0.75 - 0.25 * sign, "worse": None, "better": None}
    boundary["literals"] = [literal, literal | {"level": 0.75 + 0.25 * sign}]
    model["criteria"][0] |= {"kind": "ordered", "labels": ["low", "high", "top"]}
    with pytest.raises(ModelFileError, match="literals that read differently"):
        sugeno.loads(json.dumps(whole))
