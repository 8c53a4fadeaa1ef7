"""How Sphinx builds the site: ``make docs`` writes it to build/docs."""

import os
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

import sugeno

project = "sugeno"
author = "The sugeno developers"
copyright = author
version = release = sugeno.__version__

extensions = [
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "site_pages",
]
exclude_patterns = ["_extensions", "tutorials/*.ipynb", "tutorials/*.py"]
templates_path = ["_templates"]
default_role = "autolink"
nitpicky = True
# A name in a docstring leads to its page; one of another project, or an inner one, stays as text.
nitpick_ignore_regex = [("py:obj", ".*")]

# Parameters and their types are read from the docstrings; other projects are not linked, since
# their inventories would have to be fetched.
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "inherited-members": True}
numpydoc_show_class_members = False

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

sphinx_gallery_conf = {
    "examples_dirs": "../examples/tutorials",
    "gallery_dirs": "tutorials",
    "filename_pattern": r"/\d_",
    "plot_gallery": os.environ.get("SUGENO_DOCS_RUN", "1") == "1",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "remove_config_comments": True,
}

html_theme = "pydata_sphinx_theme"
html_title = "sugeno"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_show_search_summary = False  # it would fetch pages, which browsers refuse from disk
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": True,
}

#: Where the site is published. A switcher of versions has to be fetched, so only that site has it.
html_baseurl = os.environ.get("SUGENO_DOCS_URL", "")
if html_baseurl:
    html_theme_options["switcher"] = {
        "json_url": f"{html_baseurl}/switcher.json",
        "version_match": version,
    }
    html_theme_options["navbar_end"] = ["version-switcher", "theme-switcher"]

warnings.filterwarnings("ignore", message="The evidence for the direction of")
