// Brings parts of a page up to date. They are taken from the page itself, asked for once more: the
// server has written and escaped them, and how things look is said in one place only.

import { draw, drawAll, readContent } from "./charts.js";

export async function renewParts() {
  const answer = await fetch(location.href, { credentials: "same-origin" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll("[data-part]")) {
    const other = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
    // Whoever reads or types there is left alone.
    if (other && !part.contains(document.activeElement)) renew(part, other);
  }
}

function renew(part, other) {
  const id = part.querySelector("[data-chart]")?.id;
  const drawing = id ? other.querySelector(`#${id}`) : null;
  if (!drawing) {
    part.replaceChildren(...other.childNodes);
    drawAll(part);
    return;
  }
  draw(id, readContent(id, other));
  document.getElementById(id).setAttribute("aria-label", drawing.getAttribute("aria-label"));
  for (const name of ["words", "figures"]) {
    const found = other.querySelector(`#${id}-${name}`);
    part.querySelector(`#${id}-${name}`).replaceChildren(...found.childNodes);
  }
}
