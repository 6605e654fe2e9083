// Keeps a page up with its crawl: the server tells when something changed, and the figures and
// charts follow without a reload. A lost connection is said aloud, because figures that stand
// still look like a crawl that does.

import { base, get } from "./api.js";
import { draw, drawn } from "./charts.js";

const TELL_MS = 15_000; // Ears get the figures four times a minute, not with every page.
const sign = document.querySelector("[data-live]");
const note = document.querySelector("[data-lost]");
let toldAt = 0;

const count = (number) => Math.round(number).toLocaleString("en-US");
const decimal = (number) => number.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

function put(name, text) {
  for (const place of document.querySelectorAll(`[data-figure="${name}"]`)) {
    if (place.textContent !== text) place.textContent = text;
  }
}

function figures(overview) {
  const { store, counts, politeness } = overview;
  put("forms", count(store.forms));
  put("pages", count(store.pages));
  put("records", count(store.records));
  put("sites", count(counts.sites ?? 0));
  put("rate", decimal(overview.rate));
  put("rate_in_all", decimal(overview.rate_in_all));
  put("pages_per_s", decimal(overview.pages_per_s));
  put("open", count(politeness.open));
  put("resting", count(politeness.resting));
  put("failing", count(politeness.failing));
  put("state", store.state);
  put("reason", store.reason);
  for (const pill of document.querySelectorAll("[data-pill]")) pill.className = `pill ${store.state}`;
  document.dispatchEvent(new CustomEvent("leadline:state", { detail: store.state }));
}

function charts(overview) {
  if (overview.curve.length > 1) {
    draw("curve", { ...drawn("curve"), curve: overview.curve, gain: overview.gain });
  }
  if (overview.samples.length) draw("queues", { samples: overview.samples });
  if (overview.speeds.length > 1) draw("speeds", { speeds: overview.speeds });
}

function tell({ store }) {
  const place = document.querySelector("[data-told]");
  if (!place || Date.now() - toldAt < TELL_MS) return;
  toldAt = Date.now();
  place.textContent = `${store.state}: ${count(store.forms)} forms on ${count(store.pages)} pages.`;
}

function state(name, words) {
  if (sign.dataset.state === name) return;
  sign.dataset.state = name;
  sign.textContent = words;
  const isLost = name === "lost";
  if (isLost && note.hidden) {
    const now = new Date().toISOString().slice(11, 19);
    note.querySelector("[data-lost-since]").textContent = `${now} UTC`;
  }
  note.hidden = !isLost;
}

function show(overview) {
  figures(overview);
  charts(overview);
  tell(overview);
}

if (sign) {
  const stream = new EventSource(`${base}/stream`);
  stream.addEventListener("open", () => state("live", "live"));
  stream.addEventListener("error", () => state("lost", "connection lost"));
  stream.addEventListener("overview", (event) => show(JSON.parse(event.data)));
}
