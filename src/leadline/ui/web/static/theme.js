// Light or dark, before the first paint: this one script is not deferred, so that nobody who
// chose dark is dazzled first. It also tells the style sheet that scripts run here.

(() => {
  const KEY = "leadline-theme";
  const ORDER = ["system", "light", "dark"];
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  function chosen() {
    try {
      const kept = localStorage.getItem(KEY);
      return ORDER.includes(kept) ? kept : "system";
    } catch {
      return "system"; // Storage may be forbidden; the system's wish holds then.
    }
  }

  function apply(theme) {
    root.dataset.theme = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
    const button = document.querySelector("[data-theme-button]");
    if (button) button.textContent = `Theme: ${theme}`;
    document.dispatchEvent(new CustomEvent("leadline:theme"));
  }

  function turn() {
    const next = ORDER[(ORDER.indexOf(chosen()) + 1) % ORDER.length];
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Not kept, yet in force until the next page.
    }
    apply(next);
  }

  root.classList.add("js");
  apply(chosen());
  dark.addEventListener("change", () => apply(chosen()));
  document.addEventListener("DOMContentLoaded", () => {
    apply(chosen());
    document.querySelector("[data-theme-button]")?.addEventListener("click", turn);
    // On a phone the line of pages is longer than the screen: bring the current one into view.
    const here = document.querySelector(".marks [aria-current]");
    const strip = here?.closest("nav");
    if (strip) strip.scrollLeft = here.offsetLeft - (strip.clientWidth - here.offsetWidth) / 2;
  });
})();
