// What a page does besides links and forms; without it everything works, only slower.
(() => {
  "use strict";
  const kept = {};
  document.addEventListener("htmx:beforeSwap", (event) => {
    for (const part of document.querySelectorAll("[data-keep]")) kept[part.dataset.keep] = part.scrollTop;
    if (event.detail.xhr.status >= 400) event.detail.shouldSwap = true;
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const part of document.querySelectorAll("[data-keep]")) part.scrollTop = kept[part.dataset.keep] ?? 0;
  });
})();
