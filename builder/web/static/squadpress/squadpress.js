// What a page does besides links and forms; without it everything works, only slower.
(() => {
  "use strict";
  document.documentElement.classList.add("script");
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = button.parentElement.querySelector("[data-copied]");
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
    } catch {
      document.execCommand("copy"); // where the page came without https
    }
    button.textContent = button.dataset.done;
  });
  const scrolled = {};
  let pressed = null;

  // What was pressed stays under the thumb, whatever comes or goes above it.
  const place = (name) => document.querySelector(`[data-at="${CSS.escape(name)}"]`);
  document.addEventListener("click", (event) => {
    const part = event.target.closest("button[name=do]")?.closest("[data-at]");
    pressed = part ? [part.dataset.at, part.getBoundingClientRect().top] : null;
  }, true);

  document.addEventListener("htmx:beforeSwap", (event) => {
    for (const part of document.querySelectorAll("[data-keep]")) scrolled[part.dataset.keep] = part.scrollTop;
    if (event.detail.xhr.status >= 400) event.detail.shouldSwap = true;
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const part of document.querySelectorAll("[data-keep]")) part.scrollTop = scrolled[part.dataset.keep] ?? 0;
    const part = pressed && place(pressed[0]);
    if (part) window.scrollBy({ top: part.getBoundingClientRect().top - pressed[1], behavior: "instant" });
    pressed = null;
  });

  // A menu closes when something else is pressed.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });
})();
