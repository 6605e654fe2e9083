"""Sites whose search answers with data, in the shapes that search servers of many makers use."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from aiohttp import web

from tests.harvester.made.catalogue import Item
from tests.harvester.made.site import HOST, MadeSite


class DataSite(MadeSite):
    """Answers at `/api` with what `answer` makes of the matches."""

    position: ClassVar[str] = ""
    """Name of the parameter that counts records."""
    kind: ClassVar[str] = "application/json"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path != "/api":
            return super().respond(path, given, method)
        found = self.find(given)
        begin = int(given.get(self.position) or 0)
        text = self.answer(found[begin : begin + 10], len(found), begin, given)
        return web.Response(text=text, content_type=self.kind)

    def answer(
        self, items: Sequence[Item], total: int, begin: int, given: Mapping[str, str]
    ) -> str:
        raise NotImplementedError


class NestedHits(DataSite):
    """Each hit wraps its source; the total is an object; facets stand beside."""

    start: ClassVar[str] = "/api?q={query}&from=0&size=10"
    position: ClassVar[str] = "from"

    def answer(
        self,
        items: Sequence[Item],
        total: int,
        begin: int,  # noqa: ARG002
        given: Mapping[str, str],  # noqa: ARG002
    ) -> str:
        hits: list[dict[str, Any]] = [
            {
                "_index": "things",
                "_id": str(i.number),
                "_score": 1.5,
                "_source": {"title": i.title, "text": i.text, "mark": i.mark, "year": i.year},
            }
            for i in items
        ]
        buckets = [{"key": place, "doc_count": 12} for place in ("Easton", "Ashby", "Midford")]
        body = {
            "took": 3,
            "hits": {"total": {"value": total, "relation": "eq"}, "max_score": 1.5, "hits": hits},
            "aggregations": {"places": {"buckets": buckets}},
        }
        return json.dumps(body)


class DocumentsAndFacets(DataSite):
    """Documents below a header that repeats the request."""

    start: ClassVar[str] = "/api?q={query}&start=0&rows=10&wt=json"
    position: ClassVar[str] = "start"

    def answer(
        self, items: Sequence[Item], total: int, begin: int, given: Mapping[str, str]
    ) -> str:
        docs = [
            {"id": f"item-{i.number}", "title_s": [i.title], "text_t": i.text, "year_i": i.year}
            for i in items
        ]
        header = {"status": 0, "QTime": 1, "params": dict(given)}
        facets = {"facet_fields": {"kind_s": ["tools", 31, "prints", 20, "textiles", 19]}}
        found = {"numFound": total, "start": begin, "docs": docs}
        return json.dumps({"responseHeader": header, "response": found, "facet_counts": facets})


class Envelope(DataSite):
    """Pages counted from one, in an envelope that says how many there are."""

    start: ClassVar[str] = "/api?query={query}&page=1&per_page=10"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path != "/api":
            return super().respond(path, given, method)
        found = self.find({"q": given.get("query", "")})
        page = int(given.get("page") or 1)
        rows = [
            {
                "uuid": f"{i.number:08}",
                "label": i.title,
                "note": i.text,
                "self": f"/items/{i.number}",
            }
            for i in found[10 * (page - 1) : 10 * page]
        ]
        pages = -(-len(found) // 10)
        body = {
            "success": True,
            "pagination": {"page": page, "pages": pages, "count": len(found)},
            "result": {"rows": rows},
        }
        return web.Response(text=json.dumps(body), content_type="application/json")


class AtomFeed(DataSite):
    """A feed with the totals of OpenSearch, its pages counted by a start index from one."""

    start: ClassVar[str] = "/api?q={query}&startIndex=1&count=10"
    kind: ClassVar[str] = "application/atom+xml"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path != "/api":
            return super().respond(path, given, method)
        found, begin = self.find(given), int(given.get("startIndex") or 1) - 1
        text = self.answer(found[begin : begin + 10], len(found), begin, given)
        return web.Response(text=text, content_type=self.kind)

    def answer(
        self,
        items: Sequence[Item],
        total: int,
        begin: int,
        given: Mapping[str, str],  # noqa: ARG002
    ) -> str:
        entries = "".join(
            f"<entry><id>urn:thing:{i.number}</id><title>{i.title}</title>"
            f'<link href="{HOST}/item/{i.number}"/><summary>{i.text}</summary></entry>'
            for i in items
        )
        return (
            '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom" '
            'xmlns:os="http://a9.com/-/spec/opensearch/1.1/"><title>Things</title>'
            f"<os:totalResults>{total}</os:totalResults><os:startIndex>{begin + 1}"
            f"</os:startIndex><os:itemsPerPage>10</os:itemsPerPage>{entries}</feed>"
        )


class SeparatedValues(DataSite):
    """All matches as lines of values."""

    start: ClassVar[str] = "/api?q={query}&format=csv"
    kind: ClassVar[str] = "text/csv"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path != "/api":
            return super().respond(path, given, method)
        lines = [f'{i.number},"{i.mark}","{i.title}","{i.text}"' for i in self.find(given)]
        text = "\n".join(["id,mark,title,text", *lines])
        return web.Response(text=text, content_type=self.kind)


class JsonLines(DataSite):
    """All matches, an object a line."""

    start: ClassVar[str] = "/api?q={query}"
    kind: ClassVar[str] = "application/x-ndjson"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path != "/api":
            return super().respond(path, given, method)
        lines = (
            json.dumps({"url": f"/item/{i.number}", "title": i.title, "text": i.text})
            for i in self.find(given)
        )
        return web.Response(text="\n".join(lines), content_type=self.kind)


class RowsUnderColumns(DataSite):
    """Rows as arrays, with the names of columns as objects beside them."""

    start: ClassVar[str] = "/api?q={query}&start=0&rows=10"
    position: ClassVar[str] = "start"

    def answer(
        self,
        items: Sequence[Item],
        total: int,
        begin: int,  # noqa: ARG002
        given: Mapping[str, str],  # noqa: ARG002
    ) -> str:
        names = (("id", "integer"), ("title", "string"), ("text", "string"), ("made", "integer"))
        schema = [{"name": name, "type": kind} for name, kind in names]
        rows = [[i.number, i.title, i.text, i.year] for i in items]
        return json.dumps({"schema": schema, "datarows": rows, "total": total, "status": 200})


class TypedHeadAboveRows(DataSite):
    """Arrays alone: a status, then the number of matches, the names of columns with their types,
    and the rows."""

    start: ClassVar[str] = "/api?q={query}&limit=10&offset=0"
    position: ClassVar[str] = "offset"

    def answer(
        self,
        items: Sequence[Item],
        total: int,
        begin: int,  # noqa: ARG002
        given: Mapping[str, str],  # noqa: ARG002
    ) -> str:
        head = [["_key", "ShortText"], ["title", "ShortText"], ["text", "Text"], ["year", "Int32"]]
        rows = [[str(i.number), i.title, i.text, i.year] for i in items]
        return json.dumps([[0, 1700000000.5, 0.0004], [[[total], head, *rows]]])


class CellsWithValues(DataSite):
    """Rows of cells that are objects, under labels; all matches at once, in a callback."""

    start: ClassVar[str] = "/api?q={query}&tq=all"
    kind: ClassVar[str] = "text/javascript"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path != "/api":
            return super().respond(path, given, method)
        labels = ("Number", "Name of the thing", "What it is")
        rows = [
            {"c": [{"v": float(i.number), "f": str(i.number)}, {"v": i.title}, {"v": i.text}]}
            for i in self.find(given)
        ]
        table = {"cols": [{"id": "", "label": one, "type": ""} for one in labels], "rows": rows}
        text = f"show.things({json.dumps({'status': 'ok', 'table': table})});"
        return web.Response(text=text, content_type=self.kind)


class HeadRowFirst(DataSite):
    """A list of rows whose first names the columns."""

    start: ClassVar[str] = "/api?q={query}&page=1"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path != "/api":
            return super().respond(path, given, method)
        page = int(given.get("page") or 1)
        found = self.find(given)[10 * (page - 1) : 10 * page]
        rows = [[f"{HOST}/item/{i.number}", i.title, i.text, i.place] for i in found]
        text = json.dumps([["address", "headline", "abstract", "town"], *rows] if rows else [])
        return web.Response(text=text, content_type=self.kind)


DATA_ANSWERS: tuple[type[MadeSite], ...] = (
    *(NestedHits, DocumentsAndFacets, Envelope, AtomFeed, SeparatedValues, JsonLines),
    *(RowsUnderColumns, TypedHeadAboveRows, CellsWithValues, HeadRowFirst),
)
