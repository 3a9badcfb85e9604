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
  const kept = () => document.querySelectorAll("[data-keep]");
  const scrolled = {};
  let pressed = null;

  // What was pressed stays under the thumb and keeps the focus, whatever comes or goes above it.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=do]");
    const part = button?.closest("[data-at]");
    pressed = button && { value: button.value, at: part?.dataset.at, top: part?.getBoundingClientRect().top };
  }, true);

  document.addEventListener("htmx:beforeSwap", (event) => {
    for (const part of kept()) scrolled[part.dataset.keep] = [part.scrollLeft, part.scrollTop];
    if (event.detail.xhr.status >= 400) event.detail.shouldSwap = true;
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const part of kept()) [part.scrollLeft, part.scrollTop] = scrolled[part.dataset.keep] ?? [0, 0];
    const part = pressed?.at && document.querySelector(`[data-at="${CSS.escape(pressed.at)}"]`);
    if (part) window.scrollBy({ top: part.getBoundingClientRect().top - pressed.top, behavior: "instant" });
    const alike = pressed ? document.querySelectorAll(`button[value="${CSS.escape(pressed.value)}"]:not(:disabled)`) : [];
    const button = [...alike].find((one) => one.checkVisibility?.({ contentVisibilityAuto: true }) ?? true);
    (button ?? part?.querySelector("button, summary"))?.focus({ preventScroll: true });
    const verdict = document.querySelector(".bar .verdict");
    if (pressed && verdict) document.getElementById("said").textContent = verdict.textContent;
    pressed = null;
  });

  // A menu closes when something else is pressed.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });
})();
