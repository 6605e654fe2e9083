// Draws the charts of a page with Plotly. What is drawn stands in the page as JSON beside each
// chart, and as a table for those who cannot see it. Series differ in dash and marker as well as
// in colour.

const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];
const SYMBOLS = ["circle", "square", "diamond", "triangle-up", "cross", "x"];
const MOST_MARKERS = 8;
const CONFIG = { displayModeBar: false, responsive: true };
const WINDOW_SHARE = 0.1; // Of all pages, for the rate: long enough to be calm.
const WINDOW_PAGES = 50;

const contents = new Map();

function ink(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function axis(title, more = {}) {
  return {
    title: { text: title, font: { size: 12 }, standoff: 6 },
    color: ink("ink-soft"),
    gridcolor: ink("rule"),
    zerolinecolor: ink("rule-strong"),
    linecolor: ink("rule-strong"),
    rangemode: "tozero",
    separatethousands: true,
    automargin: true,
    fixedrange: true,
    ...more,
  };
}

function layout(more) {
  const font = getComputedStyle(document.body).fontFamily;
  return {
    font: { family: font, size: 12, color: ink("ink") },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    margin: { l: 8, r: 12, t: 8, b: 8 },
    hovermode: "x unified",
    hoverlabel: { bgcolor: ink("panel"), bordercolor: ink("rule-strong"), font: { color: ink("ink") } },
    dragmode: false, // A finger on a chart scrolls the page.
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, font: { size: 12 } },
    ...more,
  };
}

function line(name, x, y, number, more = {}) {
  const colours = ["sea", "mark", "good", "bad", "ink-soft", "ink"];
  const colour = ink(colours[number % colours.length]);
  return {
    type: "scatter",
    mode: "lines",
    name,
    x,
    y,
    line: { color: colour, width: 2, dash: DASHES[number % DASHES.length] },
    ...more,
  };
}

// A few marks on a line tell it apart where dashes are too short to be seen.
function marked(trace, number) {
  const step = Math.max(1, Math.ceil(trace.x.length / MOST_MARKERS));
  const sizes = trace.x.map((_, at) => (at % step === 0 || at === trace.x.length - 1 ? 7 : 0));
  const symbol = SYMBOLS[number % SYMBOLS.length];
  return {
    ...trace,
    mode: "lines+markers",
    marker: { symbol, size: sizes, color: trace.line.color, opacity: 1, line: { width: 0 } },
  };
}

// What was found out at a moment holds until the next one.
function stepped(trace) {
  return { ...trace, line: { ...trace.line, shape: "hv" } };
}

// New forms per 100 pages, over a window that ends at each point.
function rates(curve) {
  const last = curve.at(-1);
  const span = Math.max(WINDOW_PAGES, WINDOW_SHARE * last.pages);
  let from = 0;
  return curve.map((point) => {
    while (from + 1 < curve.length && curve[from + 1].pages <= point.pages - span) from += 1;
    const start = point.pages < span ? { pages: 0, forms: 0 } : curve[from];
    const pages = point.pages - start.pages;
    return pages >= Math.min(span, WINDOW_PAGES) / 2 ? (100 * (point.forms - start.forms)) / pages : null;
  });
}

// Expected forms of going on: a fan that opens from the end of the curve.
function fan(last, gain) {
  const x = [last.pages, last.pages + gain.pages];
  const edge = { type: "scatter", mode: "lines", x, hoverinfo: "skip", showlegend: false };
  const low = { ...edge, y: [last.forms, last.forms + gain.low], line: { width: 0 } };
  const high = {
    ...edge, y: [last.forms, last.forms + gain.high], line: { width: 0 },
    fill: "tonexty", fillcolor: ink("mark-tint"),
  };
  const middle = line("expected", x, [last.forms, last.forms + gain.forms], 1, { line: { color: ink("mark"), width: 1.5, dash: "dot" } });
  return [low, high, middle];
}

// Where a run began: a thin upright line, but for the first.
function starts(runs) {
  return runs.slice(1).map((pages) => ({
    type: "line", x0: pages, x1: pages, yref: "paper", y0: 0, y1: 1,
    line: { color: ink("rule-strong"), width: 1, dash: "dot" },
  }));
}

const KINDS = {
  curve({ curve, runs, gain }) {
    const pages = curve.map((point) => point.pages);
    const forms = line("forms", pages, curve.map((point) => point.forms), 0, { fill: "tozeroy", fillcolor: ink("shoal") });
    forms.line.width = 2.5;
    const rate = line("per 100 pages", pages, rates(curve), 2, { yaxis: "y2", connectgaps: false });
    rate.line = { color: ink("good"), width: 1.5, dash: "solid" };
    const traces = [forms, ...(gain ? fan(curve.at(-1), gain) : []), rate];
    return [traces, layout({
      showlegend: false,
      shapes: starts(runs ?? []),
      xaxis: axis("pages read", { anchor: "y2" }),
      yaxis: axis("forms", { domain: [0.33, 1] }),
      yaxis2: axis("per 100", { domain: [0, 0.24], nticks: 3 }),
    })];
  },

  queues({ samples }) {
    const names = [...new Set(samples.flatMap((sample) => Object.keys(sample.queues)))];
    const visits = samples.map((sample) => sample.visits);
    const traces = names.map((name, number) =>
      marked(line(name, visits, samples.map((sample) => sample.queues[name] ?? 0), number), number),
    );
    return [traces, layout({ showlegend: true, xaxis: axis("visits"), yaxis: axis("waiting") })];
  },

  speeds({ speeds }) {
    const trace = line("pages a second", speeds.map(([at]) => new Date(at * 1000)), speeds.map(([, speed]) => speed), 0);
    return [[trace], layout({
      showlegend: false,
      xaxis: axis("", { type: "date", rangemode: "normal" }),
      yaxis: axis("pages a second"),
    })];
  },

  both({ stores }) {
    const traces = stores.map(({ name, curve }, number) =>
      marked(line(name, curve.map((point) => point.pages), curve.map((point) => point.forms), number), number),
    );
    return [traces, layout({ showlegend: true, xaxis: axis("pages read"), yaxis: axis("forms") })];
  },

  calibration({ bins }) {
    const even = { type: "scatter", mode: "lines", x: [0, 1], y: [0, 1], hoverinfo: "skip", line: { color: ink("ink-soft"), width: 1, dash: "dash" } };
    const most = Math.max(...bins.map((bin) => bin.cases));
    const marks = {
      type: "scatter", mode: "markers", x: bins.map((bin) => bin.said), y: bins.map((bin) => bin.right),
      text: bins.map((bin) => `${bin.cases} cases`), hovertemplate: "predicted %{x:.2f}, right %{y:.2f}, %{text}<extra></extra>",
      marker: { color: ink("sea"), opacity: 0.85, size: bins.map((bin) => 6 + 12 * Math.sqrt(bin.cases / most)), line: { width: 1, color: ink("panel") } },
    };
    const unit = { range: [-0.05, 1.05], dtick: 0.25, rangemode: "normal", zeroline: false, tickformat: ".0%" };
    return [[even, marks], layout({ showlegend: false, hovermode: "closest", xaxis: axis("predicted", unit), yaxis: axis("was right", { ...unit, scaleanchor: "x" }) })];
  },

  coverage({ curve }) {
    const requests = curve.map((point) => point.requests);
    const sized = curve.filter((point) => point.size !== null);
    const band = sized.filter((point) => point.low !== null && point.high !== null);
    const x = band.map((point) => point.requests);
    const edge = { type: "scatter", mode: "lines", x, line: { width: 0, shape: "hv" }, showlegend: false };
    const traces = [
      { ...edge, name: "from", y: band.map((point) => point.low) },
      { ...edge, name: "95 % interval", y: band.map((point) => point.high), fill: "tonexty", fillcolor: ink("deep"), showlegend: true },
      stepped(line("size, estimated", sized.map((point) => point.requests), sized.map((point) => point.size), 1)),
      line("records held", requests, curve.map((point) => point.records), 0),
    ];
    // An interval that began wide must not press the rest of the picture flat.
    const top = 1.5 * Math.max(1, ...curve.slice(-Math.ceil(curve.length / 2)).map((point) => Math.max(point.records, point.size ?? 0, Math.min(point.high ?? 0, 3 * (point.size ?? 0)))));
    return [traces, layout({ showlegend: true, xaxis: axis("requests"), yaxis: axis("records", { range: [0, top], rangemode: "normal" }) })];
  },
};

export function draw(id, content) {
  const element = document.getElementById(id);
  if (!element || !window.Plotly) return;
  contents.set(id, content);
  const [traces, shape] = KINDS[element.dataset.chart](content);
  window.Plotly.react(element, traces, shape, CONFIG);
}

export function contentOf(id) {
  return contents.get(id);
}

function show(button) {
  const figures = document.getElementById(button.getAttribute("aria-controls"));
  figures.hidden = !figures.hidden;
  button.setAttribute("aria-expanded", String(!figures.hidden));
  button.textContent = figures.hidden ? "Show as a table" : "Hide the table";
}

export function readContent(id, root = document) {
  return JSON.parse(root.querySelector(`#${id}-data`).textContent);
}

export function drawAll(root) {
  for (const element of root.querySelectorAll("[data-chart]")) draw(element.id, readContent(element.id, root));
}

drawAll(document);
// Parts of a page may be exchanged, so nothing is attached to a button itself.
document.addEventListener("click", (event) => {
  const button = event.target.closest(".figures-button");
  if (button) show(button);
});
document.addEventListener("leadline:theme", () => {
  for (const [id, content] of contents) draw(id, content);
});
