// The table of records: a click on a value shows where it comes from, and a table that is being made
// shows itself when it is finished.

import { get } from "./api.js";

const PAUSE_MS = 700;
const head = document.querySelector("[data-table]");
const dialog = document.querySelector("[data-provenance]");

async function show(row, column) {
  const link = row.querySelector(".thing-link");
  const answer = await fetch(link.href, { credentials: "same-origin" });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const part = fresh.querySelector('[data-part="thing"]');
  if (!part) {
    location.href = link.href;
    return;
  }
  const title = document.createElement("h2");
  title.textContent = fresh.querySelector("h1").textContent;
  dialog.querySelector("[data-content]").replaceChildren(title, part);
  dialog.showModal();
  const rows = column && part.querySelector(`tbody[data-column="${CSS.escape(column)}"]`);
  dialog.scrollTop = 0;
  if (rows) {
    rows.classList.add("asked-for");
    rows.scrollIntoView({ block: "nearest" });
  }
}

for (const row of document.querySelectorAll("tr[data-thing]")) {
  row.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || String(getSelection())) return;
    event.preventDefault();
    show(row, event.target.closest("[data-column]")?.dataset.column);
  });
}
dialog?.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});

async function awaitTable() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const { table } = await get("/things?limit=1").catch(() => ({ table: null }));
    if (!table || table.state === "making") continue;
    if (head.dataset.state === "making") {
      location.reload();
      return;
    }
    if (String(table.at) !== head.dataset.at && Number(table.at) !== Number(head.dataset.at)) {
      const link = document.querySelector("[data-newer]");
      link.href = location.href;
      link.hidden = false;
      return;
    }
    if (!table.is_renewed) return;
  }
}

if (head.dataset.state === "making" || head.dataset.isRenewed) awaitTable();
