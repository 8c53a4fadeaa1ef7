"""XML that a person can read."""

from __future__ import annotations

import re
from xml.etree import ElementTree

__all__ = ["document", "shortest_name"]

#: What XML 1.0 has no way to write.
_IMPOSSIBLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def document(root: ElementTree.Element) -> str:
    """Write an element and all inside it as a document.

    Examples
    --------
    >>> from xml.etree import ElementTree
    >>> from sugeno.export.xml_document import document
    >>> print(document(ElementTree.Element("a", b="<")), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <a b="&lt;" />
    """
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    strange = _IMPOSSIBLE.search(text)
    if strange is not None:
        raise ValueError(
            f"XML cannot hold the character {strange[0]!r}. Got it in a name or a label; rename it."
        )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def shortest_name(wanted: str, taken: tuple[str, ...]) -> str:
    """Lengthen a name until it is not taken.

    Examples
    --------
    >>> from sugeno.export.xml_document import shortest_name
    >>> shortest_name("class", ("class", "class_"))
    'class__'
    """
    while wanted in taken:
        wanted += "_"
    return wanted
