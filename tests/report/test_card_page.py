"""The page of a card: one line per criterion, the classes by score, one card for all classes."""

import re
from dataclasses import replace

import numpy as np
import pytest
from report_models import graded

from small_cards import model_of_card, nested_cards
from sugeno import Card
from sugeno.model.probability import Probability
from sugeno.report import report_html


def with_chances(model):
    """The same card with probabilities that its scores tell."""
    boundaries = []
    for b, boundary in enumerate(model.boundaries):
        card = boundary.form
        odds = 3.0 * (np.arange(card.total + 1) - card.needed) + 0.5 - b
        chances = 1 / (1 + np.exp(-odds))
        passed = np.arange(card.total + 1) >= card.needed
        chances = np.where(passed, np.maximum(chances, 0.51), np.minimum(chances, 0.5))
        probability = Probability.of_points(card.points, chances, card.needed)
        boundaries.append(replace(boundary, probability=probability))
    return replace(model, boundaries=tuple(boundaries))


def page_of(model, X):
    return report_html(model, X, model.decide(X))


def rules_of(page):
    return page[page.index('id="rules"') : page.index('id="whatif"')]


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_every_score_has_its_class_and_its_probability(n_classes):
    model, X = nested_cards(3, n_classes, 8)
    model = with_chances(model)
    card = model.boundaries[0].form
    drawn = rules_of(page_of(model, X))
    assert drawn.count('class="grid card"') == 1
    buttons = re.findall(r'data-rule="(\d+)"[^>]*>(\d+)</button>', drawn)
    assert [int(place) for place, _ in buttons] == [*range(len(card))]
    assert [int(points) for _, points in buttons] == [r["points"] for r in card.to_records()]
    scores = [int(one) for one in re.findall(r"<li><b>(\d+)</b><span>", drawn)]
    assert scores == [*range(card.total + 1)]
    told = re.findall(r"<li><b>\d+</b><span>(.*?)\u00a0%", drawn)
    assert not {"0", "100"} & {*told}  # nothing is certain
    assert n_classes > 2 or {"&lt; 0.1", "&gt; 99.9"} & {*told}
    starts = [int(one) for one in re.findall(r'<ol class="scores" start="(\d+)"', drawn)]
    cuts = {boundary.form.needed for boundary in model.boundaries}
    assert starts == sorted({0, *cuts} - {cut for cut in cuts if cut > card.total})


def test_a_condition_that_decides_alone_is_said():
    card = Card([2, 1], [5, 3], needed=2, criteria=["speed", "noise"], label="good")
    model, X = model_of_card(card), np.array([[4.0, 3.0], [5.0, 2.0], [6.0, 3.0], [1.0, 1.0]])
    assert "if speed &gt;= 5: from 2 of 3 points on" in page_of(model, X)
    assert " from 3 of 3 points on" in page_of(model_of_card(card.with_needed(3)), X)


def test_a_class_that_no_score_gives_is_named():
    model, X = nested_cards(3, 3, 8)
    first = model.boundaries[0].form
    boundaries = tuple(
        replace(boundary, form=first.with_needed(2, boundary.labels[1]))
        for boundary in model.boundaries
    )
    drawn = rules_of(page_of(replace(model, boundaries=boundaries), X))
    assert "No score gives 1." in drawn
    assert "<h3>Scores</h3>" in drawn  # nothing is known of the probabilities


def test_boundaries_with_cards_of_their_own_are_drawn_one_by_one():
    model, X = nested_cards(3, 3, 8)
    low, high = model.boundaries
    other = Card.of(high.form.literal_set, [9] * len(high.form), high.form.total * 9, named=True)
    model = replace(model, boundaries=(low, replace(high, form=other)))
    drawn = rules_of(page_of(model, X))
    assert drawn.count('class="grid card"') == 2
    places = [int(one) for one in re.findall(r'data-rule="(\d+)"', drawn)]
    assert places == [*range(2 * len(other))]


def test_the_page_of_ordered_classes_says_how_many_points_each_of_them_takes():
    clf, X, y = graded(levels="distilled", form="points", max_rules=None, k=None)
    page = report_html(clf.model_, X, y)
    cards = clf.rules_
    lead = page[: page.index('id="rules"')]
    for grade, card in zip(("fair", "good", "top"), cards, strict=True):
        assert f"<strong>{grade}</strong> from {card.needed}" in lead
    needed = ", ".join(str(card.needed) for card in cards)
    assert f"points, of which {needed} are enough" in lead


def test_the_panel_shows_one_card_with_its_thresholds(show):
    clf, X, y = graded(levels="distilled", form="points", max_rules=None, k=None)
    page = show(report_html(clf.model_, X, y))
    card = clf.rules_[0]
    assert page.locator(".verdict .chip").count() == len(card)
    said = page.locator(".threshold").all_inner_texts()
    assert [text.split(" from ")[1] for text in said] == [f"{c.needed} points" for c in clf.rules_]
    assert re.search(r"\d+ points", page.locator(".verdict").inner_text())
