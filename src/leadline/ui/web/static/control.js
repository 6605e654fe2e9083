// Orders to the crawl. An order is stored by the server and carried out by the crawl a moment
// later, so each one is followed until its outcome is known.

import { get, post } from "./api.js";
import { renewParts } from "./renew.js";

const PATIENCE_MS = 60_000;
const PAUSE_MS = 400;
const said = document.querySelector("[data-said]");
const FITTING = {
  running: ["pause", "stop"],
  paused: ["resume", "stop"],
  stopping: [],
  stopped: ["start"],
  "never run": ["start"],
  "cut off": ["start"],
};

// What cannot be obeyed now is not offered; a state nobody foresaw offers everything.
export function fit(state) {
  for (const button of document.querySelectorAll("[data-order]")) {
    button.disabled = !(FITTING[state]?.includes(button.dataset.order) ?? true);
  }
}

async function awaitOutcome(id) {
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until) {
    const { items } = await get("/orders");
    const order = items.find((one) => one.id === id);
    if (order && order.done_at !== null) return order;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return null;
}

export async function order(content) {
  said.textContent = `Order given: ${content.kind}.`;
  try {
    const given = await post("/orders", content);
    await renewParts();
    const done = await awaitOutcome(given.id);
    await renewParts();
    said.textContent = done
      ? `${done.kind}: ${done.outcome || "done"}.`
      : `${content.kind} waits: no crawl has picked it up yet.`;
    return done;
  } catch (error) {
    said.textContent = `The order was refused: ${error.message}`;
    return null;
  }
}

const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);
const limit = (text) => (text === "" ? null : Number(text));

const CONTENTS = {
  budget: (fields) => ({ budget: Object.fromEntries([...fields].map(([name, text]) => [name, limit(text)])) }),
  seeds: (fields) => ({ urls: lines(fields.get("urls")) }),
  exclude: (fields) => ({ sites: lines(fields.get("sites")) }),
};

for (const button of document.querySelectorAll("[data-order]")) {
  button.addEventListener("click", () => order({ kind: button.dataset.order }));
}
for (const form of document.querySelectorAll("[data-order-form]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const kind = form.dataset.orderForm;
    const done = await order({ kind, ...CONTENTS[kind](new FormData(form)) });
    if (done && kind !== "budget") form.reset();
  });
}
document.addEventListener("leadline:state", (event) => fit(event.detail));
fit(document.querySelector("[data-pill]")?.textContent.trim());
