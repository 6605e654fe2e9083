"""Ask for the query that brings the most new records per request.

After A. Ntoulas, P. Zerfos and J. Cho, "Downloading Textual Hidden Web Content through Keyword
Queries", JCDL 2005: the efficiency of a query is its new records by its cost. What is new here is
how both are had.

    match     P(a record that shows a term in a place is returned), learned by place and control
    held      records held that a query would bring again: the sum of these over its term
    size      from how many of the records that came were known, apart for rare and frequent terms
    new       size - held, more for terms whose records few queries bring (captures)
    shown     no more than the source's limit; what overflows brings fewer new ones where the
              source always shows the same first, by a factor that is learned
    cost      pages, by the page size that was seen, times requests for each page
    ask       the control and value with the largest new / cost; everything first where the form
              gives it; joined conditions where answers overflow or a box looks for any word
    leave     an answer whose next page is expected to bring less than half of what the latest
              requests brought, and of what the best other query is expected to (leaving)

Departures from the paper: answers overflow, cost is pages, and not all that is shown is searched,
none of which it treats; there is no Zipf curve, because sizes are learned. A choice of a menu
excludes the others, so its size is estimated among the rest of the database. Nothing is asked only
to explore; where terms differ widely in what they bring their mean counts, not the middle one.
"""

from leadline.harvester.policies.yield_per_cost.policy import YieldPerCost, YieldPerCostSettings

__all__ = ["YieldPerCost", "YieldPerCostSettings"]
