"""What the forms and pages of the modern Web are for, as one person read them.

`python -m tools.form_labels FOLDER` counts the labels and says what is not labelled yet;
`load_labelled_forms(FOLDER)` joins the labels to the forms. FOLDER holds the real pages, which
belong to their sites: only hashes and labels are kept here.
"""

from tools.form_labels.labels import (
    FormLabel,
    LabelledForm,
    PageLabel,
    load_formasaurus_searches,
    load_labelled_forms,
    load_labelled_pages,
    load_swde_forms,
)

__all__ = [
    "FormLabel",
    "LabelledForm",
    "PageLabel",
    "load_formasaurus_searches",
    "load_labelled_forms",
    "load_labelled_pages",
    "load_swde_forms",
]
