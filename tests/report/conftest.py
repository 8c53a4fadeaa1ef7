"""Pages in a browser, and what it complains about."""

from types import SimpleNamespace

import pytest


@pytest.fixture
def show(chromium, tmp_path):
    """Open pages from disk; at the end nothing was asked from a network and nothing complained."""
    contexts, complaints, requests = [], [], []

    def opened(html, *, address="", width=1280, height=900, scheme="light"):
        path = tmp_path / f"page{len(contexts)}.html"
        path.write_bytes(html.encode("utf-8", "replace"))
        context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri() + address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []


@pytest.fixture
def panel():
    """Read what the panel of a page says."""

    def reading(page):
        return SimpleNamespace(
            decision=page.locator(".decision").inner_text(),
            chance=float(page.locator(".chance").get_attribute("value")),
            values=page.locator(".criterion .top")
            .locator("input[type=text], select")
            .evaluate_all("boxes => boxes.map(box => box.dataset.value)"),
            flips=page.locator(".flip").all_inner_texts(),
            row=page.get_by_label("Row number").input_value(),
        )

    return reading
