// Labels with one key. In the directory j and k move a mark from row to row; on a form's page
// there is one form only. Buttons do the same for those who point.

import { post } from "./api.js";

const rows = [...document.querySelectorAll("tr[data-signature]")];
const single = document.querySelector("[data-labels][data-signature]");
const dialog = document.querySelector("dialog[data-keys]");
const said = document.querySelector("[data-said]");
let chosen = -1;

function current() {
  return single ?? rows[chosen];
}

function choose(number) {
  if (!rows.length) return;
  rows[chosen]?.removeAttribute("aria-selected");
  chosen = Math.max(0, Math.min(rows.length - 1, number));
  const row = rows[chosen];
  row.setAttribute("aria-selected", "true");
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function show(element, verdict) {
  element.dataset.label = verdict === "none" ? "" : verdict;
  for (const button of element.querySelectorAll("[data-verdict]")) {
    button.setAttribute("aria-pressed", String(button.dataset.verdict === verdict));
  }
}

function words(element, verdict, label) {
  const name = element.querySelector(".what, h1")?.textContent.trim() ?? "The form";
  const short = name.length > 60 ? `${name.slice(0, 59)}…` : name;
  if (verdict === "none") return `${short}: label taken back.`;
  const scores = [label?.before, label?.after].filter((score) => typeof score === "number");
  const moved = scores.length ? ` Score ${scores.map((score) => score.toFixed(2)).join(" → ")}.` : "";
  return `${short}: labelled ${verdict}.${moved}`;
}

// Shown at once, taken back if the server refuses: someone who labels a hundred forms does not
// wait for each.
async function label(element, verdict) {
  if (!element) return;
  const before = element.dataset.label || "none";
  show(element, verdict);
  try {
    const given = await post("/labels", { what: "form", subject: element.dataset.signature, verdict });
    said.textContent = words(element, verdict, given);
    element.dispatchEvent(new CustomEvent("leadline:labelled", { bubbles: true, detail: given }));
  } catch (error) {
    show(element, before);
    said.textContent = `The label was not stored: ${error.message}`;
  }
}

function open() {
  rows[chosen]?.querySelector("a.what")?.click();
}

function follow(name) {
  document.querySelector(`[data-key="${name}"]`)?.click();
}

const KEYS = {
  j: () => choose(chosen + 1),
  k: () => choose(chosen - 1),
  r: () => label(current(), "right"),
  w: () => label(current(), "wrong"),
  u: () => label(current(), "none"),
  n: () => follow("next"),
  p: () => follow("previous"),
  "/": () => document.querySelector('[data-key="search"]')?.focus(),
  "?": () => dialog?.showModal(),
};

function isTyping(target) {
  return target.closest("input, select, textarea, dialog") !== null;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (event.key === "Enter") {
    // On a link or button Enter already has a meaning.
    if (event.target.closest("a, button") === null) open();
    return;
  }
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

for (const button of document.querySelectorAll("[data-verdict]")) {
  button.addEventListener("click", () => {
    const element = button.closest("[data-signature]");
    if (rows.includes(element)) choose(rows.indexOf(element));
    label(element, button.getAttribute("aria-pressed") === "true" ? "none" : button.dataset.verdict);
  });
}
rows.forEach((row, number) => row.addEventListener("click", () => choose(number)));
