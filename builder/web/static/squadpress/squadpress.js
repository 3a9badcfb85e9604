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
  // Where the system has a share sheet that takes files, a picture goes there instead of to the downloads.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-share-picture]");
    if (!link || !navigator.canShare) return;
    const probe = new File([], "squad.png", { type: "image/png" });
    if (!navigator.canShare({ files: [probe] })) return;
    event.preventDefault();
    try {
      const answer = await fetch(link.href);
      const file = new File([await answer.blob()], link.download, { type: "image/png" });
      await navigator.share({ files: [file], url: link.dataset.shareLink });
    } catch (error) {
      if (error.name !== "AbortError") location.href = link.href; // closing the share sheet is no error
    }
  });
  // Set up a page: when it was loaded, and each time that htmx has put another one in its place. Whatever reads the
  // elements of a page belongs here; everything else listens to events of the document, which stays.
  const prepare = () => {
    // In a page that htmx put in place, what noscript holds are real elements: its button would answer the Enter key.
    for (const part of document.querySelectorAll("noscript")) part.remove();
    // The place of an event is where its organiser is, unless the organiser chooses another one.
    const zone = document.querySelector("select[data-zone=ask]");
    if (!zone) return;
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if ([...zone.options].some((option) => option.value === here)) zone.value = here;
    zone.dataset.zone = "set";
  };
  prepare();

  // A photo of a code is made small before it is sent: a phone's own is larger than this server takes.
  document.addEventListener("change", async (event) => {
    const input = event.target, file = input.matches?.("[data-picture]") && input.files[0];
    if (!file || !file.type.startsWith("image/")) return;
    const button = input.form.querySelector("button:not([type=button])");
    button.disabled = true;
    try {
      const picture = await createImageBitmap(file), scale = Math.min(1, 1800 / Math.max(picture.width, picture.height));
      const canvas = Object.assign(document.createElement("canvas"), { width: picture.width * scale, height: picture.height * scale });
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
      const small = await new Promise((made) => canvas.toBlob(made, "image/jpeg", 0.85)), files = new DataTransfer();
      files.items.add(new File([small], "code.jpg", { type: "image/jpeg" }));
      input.files = files.files;
    } catch { /* the server says what is wrong with it */ } finally {
      button.disabled = false;
    }
  });

  // A file that is dropped anywhere on a page with a form for it is sent at once.
  const getDropForm = (event) => event.dataTransfer?.types.includes("Files") && document.querySelector("form[data-drop]");
  for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
      const form = getDropForm(event);
      if (!form) return;
      event.preventDefault();
      form.parentElement.classList.toggle("dropping", name === "dragenter" || name === "dragover");
      if (name !== "drop" || !event.dataTransfer.files.length) return;
      form.querySelector("input[type=file]").files = event.dataTransfer.files;
      form.requestSubmit();
    });
  }

  // What this browser keeps of games at the table goes with the squads. The answer asks for the same, but browsers follow
  // that only at an https address.
  document.addEventListener("submit", async (event) => {
    const form = event.target, { squadpress } = globalThis;
    if (!form.matches("form[data-clear]") || "sure" in form.dataset) return;
    event.preventDefault();
    // Without a network nothing would be signed out, but all changes that wait would be gone.
    await squadpress.askServer();
    if (!squadpress.isConnected()) return squadpress.refuse("needs-network");
    await squadpress.sendOutbox();
    const waiting = squadpress.readOutbox().length;
    if (waiting && !confirm(form.dataset.clear.replace("{count}", waiting))) return;
    form.dataset.sure = "";
    form.requestSubmit(event.submitter);
    delete form.dataset.sure;
    for (const name of Object.keys(localStorage)) if (name.startsWith("squadpress.")) localStorage.removeItem(name);
    globalThis.caches?.keys().then((names) => names.forEach((name) => caches.delete(name)));
    navigator.serviceWorker?.getRegistrations().then((workers) => workers.forEach((worker) => worker.unregister()));
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
    const { xhr, pathInfo, requestConfig } = event.detail, answer = xhr.responseText;
    if (xhr.status >= 400) event.detail.shouldSwap = true;
    for (const note of document.querySelectorAll(".form-error")) note.remove(); // of the attempt before
    if (event.detail.target.id !== "main") return;
    if (requestConfig.verb === "get" && !answer.includes('id="main"')) { // a document of another kind: only the browser itself can show it
      event.detail.shouldSwap = false;
      location.href = pathInfo.finalRequestPath;
      return;
    }
    document.documentElement.lang = /<html lang="([\w-]+)"/.exec(answer)?.[1] ?? document.documentElement.lang;
  });
  document.addEventListener("htmx:afterSwap", () => {
    prepare();
    globalThis.squadpress?.showOutbox();
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

  // The way back to a form is the browser's own: it keeps what was entered.
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-back]") || history.length < 2) return;
    event.preventDefault();
    history.back();
  });

  document.addEventListener("click", (event) => event.target.closest("[data-print]") && print());

  // Esc closes what lies above the page: a menu, a card that is shown large.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
      menu.open = false;
    }
    for (const large of document.querySelectorAll(".zoom input:checked")) large.checked = false;
  });

  // Search where no server answers: in the index that lies beside the pages.
  const form = document.querySelector("form[data-index]");
  let index = null;
  form?.addEventListener("input", async () => {
    const base = new URL(form.dataset.index, location.href);
    index ??= fetch(base).then((answer) => answer.json());
    const { cards, words: said } = await index;
    const words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    const saying = (word) => new Set(Object.keys(said).filter((one) => one.includes(word)).flatMap((one) => said[one]));
    const sayers = words.map(saying);
    const found = cards.filter((_card, number) => words.length && sayers.every((one) => one.has(number)));
    document.querySelector("[data-found]").replaceChildren(...found.slice(0, 60).map((card) => {
      const item = Object.assign(document.createElement("li"), { className: "tile" });
      const link = Object.assign(document.createElement("a"), { className: "see", href: new URL(card.page, base) });
      const name = document.createElement("span");
      name.className = "foot";
      name.append(Object.assign(document.createElement("b"), { textContent: card.name }));
      if (card.face) link.append(Object.assign(document.createElement("img"), { className: "face", alt: "", src: new URL(card.face, base) }));
      link.append(name);
      item.append(link);
      return item;
    }));
  });
  form?.addEventListener("submit", (event) => event.preventDefault());

  // The changes since a printed copy, where no server answers: the release that was in force on its day.
  document.querySelector("form[data-copy]")?.addEventListener("submit", (event) => {
    event.preventDefault();
    const day = event.target.elements.day.value;
    const links = [...document.querySelectorAll("[data-from]")].filter((link) => link.dataset.from <= day);
    links.sort((one, other) => one.dataset.from.localeCompare(other.dataset.from)).pop()?.click();
  });
})();
