"""Small cards of points with all rows that they can tell apart, and models made of them."""

from dataclasses import replace

import numpy as np

from small_rules import boundary_of
from sugeno import Card
from sugeno.model.boundary import Certificate
from sugeno.model.class_rules import boundary_labels
from sugeno.model.model import Model


def sized(rng, most_literals):
    """How many levels each of a few criteria has, 0 to 3; at least one altogether."""
    while True:
        sizes = rng.integers(0, 4, rng.integers(1, 6))
        if 1 <= sizes.sum() <= most_literals:
            return sizes


def small_card(seed, most_literals=10, label=None):
    """A card over criteria of both directions, and all rows of places on them."""
    rng = np.random.default_rng(seed)
    sizes = sized(rng, most_literals)
    columns = np.repeat(np.arange(sizes.size), sizes)
    directions = rng.choice([-1, 1], sizes.size)
    points = rng.integers(1, 5, columns.size)
    ranks = np.concatenate([np.arange(1, size + 1) for size in sizes])
    card = Card(
        points.tolist(),
        ranks * directions[columns],
        needed=int(rng.integers(0, points.sum() + 2)),
        criteria=[f"c{j}" for j in range(sizes.size)],
        directions=directions,
        literal_criteria=columns,
        label=label,
    )
    places = np.stack(np.meshgrid(*(np.arange(size + 1) for size in sizes)), axis=-1)
    return card, (places.reshape(-1, sizes.size) * directions).astype(float)


def card_boundary(card, labels=(0, 1)):
    """A boundary that knows nothing but a card; observed values are one unit apart."""
    literals = card.literal_set
    steps = literals.directions[literals.columns]
    known = replace(literals, better=literals.levels, worse=literals.levels - steps)
    shown = Card.of(known, card.points, card.needed, named=True, label=labels[1])
    return replace(boundary_of(card.to_rules(), labels), form=shown)


def model_of_card(card):
    """A model of two classes that knows nothing but a card."""
    return Model.of_two_classes(card_boundary(card))


def nested_cards(seed, n_classes, most_literals=10, classes=None):
    """A model of ordered classes, one card with several thresholds, and all rows of places."""
    rng = np.random.default_rng(seed)
    card, X = small_card(seed, most_literals)
    needed = np.sort(rng.integers(0, card.total + 2, n_classes - 1)).tolist()
    classes = np.arange(n_classes) if classes is None else classes
    boundaries = tuple(
        card_boundary(card.with_needed(cut), boundary_labels(classes, place))
        for place, cut in enumerate(needed)
    )
    return Model(classes, boundaries, Certificate(0.0, 0.0)), X
