"""Forms: their tag, rows of labels and controls, buttons; and forms that a script writes."""

import json
import re
from zlib import crc32

from msgspec import Struct

from leadline_lab.markup.dialect import Dialect
from leadline_lab.markup.escape import escape_text, safe_id
from leadline_lab.markup.inlines import Inlines
from leadline_lab.markup.model import Control, FormModel
from leadline_lab.markup.pieces import FormPieces

_TEXTS = frozenset({"text", "search", "email", "tel", "url", "password", "number", "textarea"})
_TICKS = frozenset({"radio", "checkbox"})
_label_tags = re.compile(r"<(/?)label(?: for=[\"']?@id[\"']?)?", re.IGNORECASE)


class FormWays(Struct, frozen=True):
    """How a site writes its forms."""

    form: FormPieces
    inline: FormPieces
    """For the forms of the header and the aside."""
    ticks: str
    """The text of a radio button: `wrap`, `for` or `bare`."""
    submit: str
    """`input`, `button` or `image`."""
    scripting: str
    """`write` or `inner`: how a script brings a form in."""
    is_misnested: bool
    """The form tag stands inside the table."""
    placed: tuple[FormPieces, ...]
    """Those in which text controls have a placeholder and nothing else."""
    names_types: bool
    """Whether `type=text` and `method=get` are said."""
    naming: str
    """Which attribute of the form tag holds the name: id, name or class."""


class Forms:
    """Writes `FormModel`."""

    __slots__ = ("_dialect", "_inlines", "_ways")

    def __init__(self, ways: FormWays, dialect: Dialect, inlines: Inlines) -> None:
        self._ways = ways
        self._dialect = dialect
        self._inlines = inlines

    def written(self, form: FormModel, *, is_inline: bool = False) -> str:
        """`is_inline` for one that stands beside the main part, where there is little room."""
        way = self._ways.inline if is_inline else self._ways.form
        tag, end = self._form_tag(form), self._dialect.end("form")
        inside = self._inside(form, way, _mark(form, is_inline=is_inline))
        if self._ways.is_misnested and not is_inline:
            start = way.start
            written = f"{start}{tag}{inside[len(start) : -len(way.end)]}{end}{way.end}"
        else:
            written = f"{tag}{inside}{end}"
        return self._scripted(written) if form.is_scripted else written

    def _form_tag(self, form: FormModel) -> str:
        write = self._dialect.attribute
        attributes = write("action", form.action) if form.action else ""
        if form.method != "get" or self._ways.names_types:
            attributes += write("method", form.method)
        if form.name:
            attributes += write(self._ways.naming, form.name)
        if form.has_search_role:
            attributes += write("role", "search")
        if form.encoding:
            attributes += write("enctype", form.encoding)
        return self._dialect.tag("form", attributes)

    def _inside(self, form: FormModel, way: FormPieces, mark: str) -> str:
        parts = [way.start]
        if form.legend:
            parts += (way.legend, escape_text(form.legend), way.after_legend)
        hidden = ""
        for control in form.controls:
            if control.kind == "hidden":
                hidden += self._input(control, "")
            else:
                self._add_row(parts, control, way, mark)
        buttons = " ".join([self._submit(name, label) for name, label in form.submits])
        if buttons or hidden:
            parts += (way.buttons, hidden, buttons, way.after_buttons)
        parts.append(way.end)
        return "".join(parts)

    def _add_row(self, parts: list[str], control: Control, way: FormPieces, mark: str) -> None:
        dom_id = f"{mark}{safe_id(control.name)}"
        label = control.label
        parts.append(way.row)
        if control.kind in _TICKS:
            is_group = bool(control.options)
            parts.append(_group_label(way, label) if is_group and label else way.tick)
            parts.append(self._ticks(control, dom_id))
        elif not label or (control.kind in _TEXTS and way in self._ways.placed):
            parts += (way.tick, self._control(control, dom_id, label))
        else:
            parts += (way.label.replace("@id", dom_id), escape_text(label), way.after_label)
            parts += (self._control(control, dom_id, ""), way.after_control)
        parts.append(way.after_row)

    def _control(self, control: Control, dom_id: str, label: str) -> str:
        if control.kind == "select":
            return self._select(control, dom_id)
        attributes = self._dialect.attribute("id", dom_id)
        placeholder = control.placeholder or label
        if placeholder:
            attributes += self._dialect.attribute("placeholder", placeholder)
        if control.placeholder and label:
            attributes += self._dialect.attribute("aria-label", label)
        if control.kind == "textarea":
            return self._textarea(control, attributes)
        return self._input(control, attributes)

    def _input(self, control: Control, attributes: str) -> str:
        write = self._dialect.attribute
        kind = ""
        if control.kind != "text" or self._ways.names_types:
            kind = write("type", control.kind)
        attributes = f"{kind}{write('name', control.name)}{attributes}"
        if control.value:
            attributes += write("value", control.value)
        if control.size:
            attributes += write("size", str(control.size))
        if control.is_required:
            attributes += self._dialect.flag("required")
        return self._dialect.tag("input", attributes)

    def _textarea(self, control: Control, attributes: str) -> str:
        write = self._dialect.attribute
        attributes = f"{write('name', control.name)}{attributes}{write('rows', '4')}"
        if control.is_required:
            attributes += self._dialect.flag("required")
        tag, end = self._dialect.tag("textarea", attributes), self._dialect.end("textarea")
        newline = "\n" if control.value.startswith("\n") else ""
        return f"{tag}{newline}{escape_text(control.value)}{end}"

    def _select(self, control: Control, dom_id: str) -> str:
        dialect = self._dialect
        attributes = dialect.attribute("name", control.name) + dialect.attribute("id", dom_id)
        if control.is_required:
            attributes += dialect.flag("required")
        parts = [dialect.tag("select", attributes)]
        end = "" if dialect.omits_ends else dialect.end("option")
        selected = dialect.flag("selected")
        for value, text in control.options:
            is_said = value != text or self._ways.names_types
            said = dialect.attribute("value", value) if is_said else ""
            if value == control.value and value:
                said += selected
            parts.append(f"{dialect.tag('option', said)}{escape_text(text)}{end}\n")
        parts.append(dialect.end("select"))
        return "".join(parts)

    def _ticks(self, control: Control, dom_id: str) -> str:
        """Radio buttons or boxes to tick, each followed by its text."""
        write = self._dialect.attribute
        is_group = bool(control.options)
        options = control.options or ((control.value, control.label),)
        parts = []
        for number, (value, text) in enumerate(options):
            attributes = write("type", control.kind) + write("name", control.name)
            if value or is_group:
                attributes += write("value", value)
            if is_group and value and value == control.value:
                attributes += self._dialect.flag("checked")
            if control.is_required:
                attributes += self._dialect.flag("required")
            parts.append(self._tick(attributes, f"{dom_id}-{number}", escape_text(text)))
        return "\n".join(parts)

    def _tick(self, attributes: str, dom_id: str, text: str) -> str:
        dialect = self._dialect
        if self._ways.ticks == "bare":
            return f"{dialect.tag('input', attributes)} {text}"
        end = dialect.end("label")
        if self._ways.ticks == "wrap":
            return f"{dialect.tag('label')}{dialect.tag('input', attributes)} {text}{end}"
        box = dialect.tag("input", attributes + dialect.attribute("id", dom_id))
        return f"{box} {dialect.tag('label', dialect.attribute('for', dom_id))}{text}{end}"

    def _submit(self, name: str, label: str) -> str:
        dialect = self._dialect
        named = dialect.attribute("name", name) if name else ""
        if self._ways.submit == "button":
            tag = dialect.tag("button", dialect.attribute("type", "submit") + named)
            return f"{tag}{escape_text(label)}{dialect.end('button')}"
        if self._ways.submit == "image" and not name:
            shown = dialect.attribute("src", "/i/go.gif") + dialect.attribute("alt", label)
            return dialect.tag("input", f"{dialect.attribute('type', 'image')}{shown}")
        value = dialect.attribute("value", label) if label else ""
        return dialect.tag("input", f"{dialect.attribute('type', 'submit')}{named}{value}")

    def _scripted(self, written: str) -> str:
        """As a script that puts the form where the script stands."""
        # No "<" inside: nothing in the string can end the script, whatever the form says.
        text = json.dumps(written).replace("<", "\\u003c")
        if self._ways.scripting == "write":
            code = f"document.write({text});"
        else:
            code = f'document.currentScript.insertAdjacentHTML("beforebegin",{text});'
        dialect = self._dialect
        return f"{dialect.tag('div')}{dialect.tag('script')}{code}{dialect.end('script')}" + (
            dialect.end("div")
        )


def _mark(form: FormModel, *, is_inline: bool) -> str:
    """What the ids of a form's controls begin with, so that forms seldom share one."""
    said = f"{form.action} {form.name} {len(form.controls)}"
    return f"{'h' if is_inline else 'f'}{crc32(said.encode('utf-8', 'replace')) & 0xFFFF:x}-"


def _group_label(way: FormPieces, label: str) -> str:
    """The label of a group belongs to no single control: it is no label element."""
    written = f"{way.label}{escape_text(label)}{way.after_label}{way.after_control}"
    return _label_tags.sub(r"<\1span", written)
