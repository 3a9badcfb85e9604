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
  const kept = {};
  document.addEventListener("htmx:beforeSwap", (event) => {
    for (const part of document.querySelectorAll("[data-keep]")) kept[part.dataset.keep] = part.scrollTop;
    if (event.detail.xhr.status >= 400) event.detail.shouldSwap = true;
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const part of document.querySelectorAll("[data-keep]")) part.scrollTop = kept[part.dataset.keep] ?? 0;
  });
})();
