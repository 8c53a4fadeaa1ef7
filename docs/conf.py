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
smartquotes = False  # what a reader copies, such as "auto", has the quotes of a program
nitpicky = True
# A name in a docstring leads to its page; one of another project, or an inner one, stays as text.
nitpick_ignore_regex = [("py:obj", ".*")]

# Parameters and their types are read from the docstrings; other projects are not linked, since
# their inventories would have to be fetched.
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "inherited-members": True}
numpydoc_show_class_members = False
toc_object_entries_show_parents = "hide"
# Where the guide speaks of a name or of the module that it comes from; see _templates.
autosummary_context = {
    "guides": {
        "Capacity": "theory",
        "Card": "choose",
        "ConformalClassifier": "abstention",
        "Directions": "directions",
        "ModelFileError": "model-files",
        "MonotoneLabels": "relabelling",
        "OrdinalRuleClassifier": "model-files",
        "QuantileUtility": "how-it-works",
        "RelabelledClassifier": "relabelling",
        "RuleClassifier": "model-files",
        "RuleSet": "rules",
        "SugenoEnsembleClassifier": "ensemble",
        "SugenoOrdinalClassifier": "ordinal",
        "SugenoOrdinalClassifierCV": "ordinal",
        "dumps": "model-files",
        "infer_directions": "directions",
        "load": "model-files",
        "loads": "model-files",
        "monotone_labels": "relabelling",
        "rule_stability": "rules",
        "save": "model-files",
        "sugeno_integral": "theory",
        "sugeno": "choose",
        "sugeno.datasets": "tutorials/index",
        "sugeno.edit": "rules",
        "sugeno.explain": "rules",
        "sugeno.export": "exports",
        "sugeno.paper.baselines": "reproduction/README",
        "sugeno.plot": "gallery",
        "sugeno.report": "report",
    }
}

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

# A clone may lie in a folder whose name has spaces; the warning is about names of tutorials.
suppress_warnings = ["sphinx_gallery.space_in_filename"]
sphinx_gallery_conf = {
    "examples_dirs": "../examples/tutorials",
    "gallery_dirs": "tutorials",
    "filename_pattern": r"/\d_",
    "abort_on_example_error": True,
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
html_js_files = ["site.js"]
# Pages without others beside them need no list of those.
html_sidebars = {name: [] for name in ("changelog", "coming-from", "gallery", "search", "when-not")}
html_show_sphinx = False
html_context = {"default_mode": "auto"}
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
    html_theme_options["check_switcher"] = False
    html_theme_options["navbar_end"] = ["version-switcher", "theme-switcher"]

warnings.filterwarnings("ignore", message="The evidence for the direction of")
