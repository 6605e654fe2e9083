// Starts the harvest of a form and shows how it fares until it ends.

import { get, post } from "./api.js";
import { renewParts } from "./renew.js";

const PAUSE_MS = 1_000;
const form = document.querySelector("[data-harvest]");
const said = document.querySelector("[data-harvest-said]");
const button = form.querySelector("button");
const records = `/${encodeURIComponent(document.body.dataset.store)}/records`;

async function follow() {
  button.disabled = true;
  for (;;) {
    const run = await get(`/harvests/${form.dataset.harvest}/run`).catch(() => null);
    await renewParts();
    if (run && !run.is_running) {
      tellEnd(run);
      break;
    }
    said.textContent = run ? `Extracting: ${run.said || "starting"}` : "No answer of the server; it is asked again.";
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  button.disabled = false;
}

function tellEnd(run) {
  const link = document.createElement("a");
  link.href = records;
  link.textContent = "Show the table of records";
  said.replaceChildren(`Ended: ${run.said || `see ${run.log}`}. `, link);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const requests = Number(new FormData(form).get("requests"));
  try {
    await post("/harvests", { form: form.dataset.harvest, requests });
  } catch (error) {
    said.textContent = `Refused: ${error.message}`;
    return;
  }
  await follow();
});

if (form.dataset.isRunning) follow();
