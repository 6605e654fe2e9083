// Keeps a page up with its crawl: the server tells when something changed, and the figures and
// charts follow without a reload. A lost connection is said aloud, because figures that stand
// still look like a crawl that does.

import { base } from "./api.js";
import { contentOf, draw } from "./charts.js";
import { renewParts } from "./renew.js";

const REFRESH_MS = 4_000;
const TELL_MS = 15_000; // Ears get the figures four times a minute, not with every page.
const sign = document.querySelector("[data-live]");
const note = document.querySelector("[data-lost]");
let toldAt = 0;
let isRefreshing = false;

const count = (number) => Math.round(number).toLocaleString("en-US");
const decimal = (number) => number.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

function put(name, text) {
  for (const place of document.querySelectorAll(`[data-figure="${name}"]`)) {
    if (place.textContent !== text) place.textContent = text;
  }
}

function figures({ counts, rate, pages_per_s, ...store }) {
  put("forms", count(store.forms));
  put("pages", count(store.pages));
  put("records", count(store.records));
  put("sites", count(counts.sites));
  put("rate", decimal(rate));
  put("rate_in_all", decimal(store.pages ? (100 * store.forms) / store.pages : 0));
  put("pages_per_s", decimal(pages_per_s));
  put("state", store.state);
  put("reason", store.reason);
  for (const pill of document.querySelectorAll("[data-pill]")) pill.className = `pill ${store.state}`;
  document.dispatchEvent(new CustomEvent("leadline:state", { detail: store.state }));
}

// The curve grows with every pulse by one point; what else a page shows is asked for more rarely.
function grow({ at, ...store }) {
  const content = contentOf("curve");
  const last = content?.curve.at(-1);
  if (!last || store.pages <= last.pages) return;
  draw("curve", { ...content, curve: [...content.curve, { pages: store.pages, forms: store.forms, at }] });
}

// One request at a time, and a rest after each: many open pages must not slow a crawl down.
async function refreshNowAndThen() {
  if (isRefreshing || !document.querySelector("[data-part]")) return;
  isRefreshing = true;
  try {
    await renewParts();
  } catch {
    // The stream says that the server is gone; it will be asked again with the next pulse.
  }
  setTimeout(() => { isRefreshing = false; }, REFRESH_MS);
}

function tell(store) {
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

function show(pulse) {
  figures(pulse);
  grow(pulse);
  tell(pulse);
  refreshNowAndThen();
}

if (sign) {
  const stream = new EventSource(`${base}/stream`);
  stream.addEventListener("open", () => state("live", "live"));
  stream.addEventListener("error", () => state("lost", "connection lost"));
  stream.addEventListener("change", (event) => show(JSON.parse(event.data)));
}
