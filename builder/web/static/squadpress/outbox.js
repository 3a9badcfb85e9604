// Changes that wait for the network, and the squads of this browser that they belong to.
// A waiting change is the form that a page with a network would have sent. The server replays it, so that it is checked,
// refused and undone like any other change.
(() => {
  "use strict";
  const OUTBOX = "squadpress.outbox", SQUAD = "squadpress.squad.";
  const RETRY_MS = 5000;
  const BUSY_RETRY_MS = 30_000; // when the server asks for fewer requests, or has a fault
  const MAX_FILE_BYTES = 2_000_000; // a file must fit into the browser's storage

  const readJson = (name) => {
    try {
      return JSON.parse(localStorage.getItem(name));
    } catch {
      return null;
    }
  };
  const readOutbox = () => readJson(OUTBOX) ?? [];
  const writeOutbox = (changes) => localStorage.setItem(OUTBOX, JSON.stringify(changes));
  // A squad of this browser: its game, its state when it was last on the server, and the changes sent since.
  const readSquad = (key) => readJson(SQUAD + key);
  const writeSquad = (key, squad) => localStorage.setItem(SQUAD + key, JSON.stringify(squad));
  const removeSquad = (key) => localStorage.removeItem(SQUAD + key);
  // crypto.randomUUID exists at https addresses only.
  const makeId = () => "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) => (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16));
  const getSquadKey = (change) => change.key ?? /^\/squads\/([0-9a-f-]{36})\//.exec(change.address)?.[1];

  let isOffline = !navigator.onLine;
  const makeItem = (list, change, isFirst) => {
    const item = list.querySelector("template").content.firstElementChild.cloneNode(true);
    const reason = item.querySelector("[data-reason]"), link = item.querySelector("[data-open]");
    item.querySelector("[data-label]").textContent = change.label ?? change.body;
    reason.hidden = !change.refused;
    if (change.reason) reason.textContent = change.reason;
    item.querySelector("[data-retry]").hidden = !change.refused;
    for (const button of item.querySelectorAll("button")) button.dataset.change = change.id;
    const key = getSquadKey(change);
    link.hidden = !isFirst || !readSquad(key) || document.getElementById("offline-squad") !== null;
    link.href += `#${key}`;
    return item;
  };
  const showOutbox = () => {
    const bar = document.getElementById("outbox"), changes = readOutbox();
    if (!bar) return;
    const refused = changes.filter((change) => change.refused).length;
    bar.hidden = !changes.length && !isOffline;
    bar.querySelector("[data-offline]").hidden = !isOffline;
    bar.querySelector("[data-waiting]").hidden = !(changes.length - refused);
    bar.querySelector("[data-waiting] b").textContent = changes.length - refused;
    bar.querySelector("[data-refused]").hidden = !refused;
    bar.querySelector("[data-refused] b").textContent = refused;
    // A squad's page lists its own changes, the first page all of them.
    for (const list of document.querySelectorAll("[data-outbox]")) {
      const own = changes.filter((change) => !list.dataset.outbox || getSquadKey(change) === list.dataset.outbox);
      list.hidden = !own.length;
      const seen = new Set();
      list.querySelector("ul").replaceChildren(...own.map((change) => makeItem(list, change, seen.size < seen.add(getSquadKey(change)).size)));
    }
    for (const part of document.querySelectorAll("[data-without-network]")) part.hidden = !isOffline;
    document.dispatchEvent(new Event("squadpress:outbox"));
  };
  const describeChange = (form, submitter) => {
    const field = [...form.querySelectorAll(".field :is(input, select, textarea)")].find((input) => input.value);
    const value = field?.files?.[0]?.name ?? field?.selectedOptions?.[0]?.text ?? field?.value;
    const action = submitter?.ariaLabel ?? submitter?.textContent ?? form.querySelector("button")?.textContent ?? "";
    return [action.trim(), value?.slice(0, 60)].filter(Boolean).join(": ");
  };
  // Show why something was not done. The next change hides it.
  const refuse = (reason) => {
    document.getElementById("outbox").hidden = false;
    for (const part of document.querySelectorAll(`#outbox [data-${reason}]`)) part.hidden = false;
  };
  // Return whether the browser has stored the change.
  const addToOutbox = (change) => {
    try {
      writeOutbox([...readOutbox(), { id: makeId(), ...change }]);
    } catch {
      refuse("full");
      return false;
    }
    document.querySelector("#outbox [data-full]").hidden = true;
    showOutbox();
    return true;
  };
  const makeBody = (change) => {
    const fields = new URLSearchParams(change.body);
    fields.set("change", change.id); // the server makes a change once, even if its answer was lost
    if (change.base) fields.set("base", JSON.stringify(change.base));
    if (!change.file) return fields;
    const form = new FormData(), bytes = Uint8Array.from(atob(change.file.data), (letter) => letter.charCodeAt(0));
    for (const [name, value] of fields) form.append(name, value);
    form.append("file", new File([bytes], change.file.name));
    return form;
  };

  // Each change is removed as soon as the server has it: what comes after it may be cut off.
  const settle = (change, reason = null) => {
    const changes = readOutbox();
    if (reason !== null) return writeOutbox(changes.map((other) => (other.id === change.id ? { ...other, refused: true, reason } : other)));
    const key = getSquadKey(change), squad = readSquad(key);
    if (squad) writeSquad(key, { ...squad, sent: [...squad.sent, `${change.body}&change=${change.id}`] });
    const waiting = changes.filter((other) => other.id !== change.id);
    writeOutbox(waiting);
    if (squad && !waiting.some((other) => getSquadKey(other) === key)) removeSquad(key);
  };
  // The id is taken: the first answer was lost, and with it the cookie of the browser's owner. The squad gets another id.
  const changeKey = (old) => {
    const key = makeId(), squad = readSquad(old);
    const changes = JSON.parse(JSON.stringify(readOutbox()).replaceAll(old, key));
    writeOutbox(changes.map((change) => (change.key === key ? { ...change, hasNewKey: true } : change)));
    if (!squad) return;
    writeSquad(key, squad);
    removeSquad(old);
    // Setting location.hash would load the page again, and cut off the request that is on its way.
    if (location.hash === `#${old}`) history.replaceState(null, "", `#${key}`);
  };
  const readReason = async (answer) => {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.querySelector("#form-error, [role=alert]")?.textContent.trim() ?? "";
  };
  const sendChange = (change, token) => fetch(change.address, { method: "POST", redirect: "manual", headers: { "X-CSRFToken": token }, body: makeBody(change) });
  // Return whether anything was sent. A squad whose change was refused waits: what follows may depend on it.
  const sendInOrder = async (token) => {
    let isSent = false;
    for (;;) {
      const changes = readOutbox(), stopped = new Set(changes.filter((change) => change.refused).map(getSquadKey));
      const change = changes.find((other) => !other.refused && !(getSquadKey(other) && stopped.has(getSquadKey(other))));
      if (!change) return isSent;
      const answer = await sendChange(change, token);
      if (answer.status === 429 || answer.status >= 500) {
        setTimeout(sendOutbox, BUSY_RETRY_MS);
        return isSent;
      }
      if (answer.status === 404 && change.key && !change.hasNewKey) {
        changeKey(change.key);
        continue;
      }
      const isMade = answer.ok || answer.type === "opaqueredirect";
      settle(change, isMade ? null : await readReason(answer));
      isSent = true;
    }
  };
  let isSending = false, isLeaving = false;
  addEventListener("beforeunload", () => { isLeaving = true; });
  const sendOutbox = async () => {
    if (isSending || !readOutbox().some((change) => !change.refused)) return;
    isSending = true;
    try {
      const head = await askForToken(), isSent = await sendInOrder(head.headers.get("X-CSRFToken"));
      showOutbox();
      // A reload would lose what is being typed, and stop the way to another page. The editor leaves for the squad's page.
      if (isSent && !isLeaving && !document.getElementById("offline-squad") && !document.activeElement?.matches("input, textarea")) location.reload();
    } catch { // still no network: the changes go on waiting
      setOffline(true);
    } finally {
      isSending = false;
      showOutbox();
    }
  };
  // A change of a stored page was made against the squad that the page shows.
  const preparePageChange = (path, body, form) => {
    const known = JSON.parse(document.getElementById("roster")?.textContent || "null") ?? { entries: [], deck: [], bench: [] };
    const waiting = readOutbox().filter((change) => getSquadKey(change) === getSquadKey({ address: path }));
    const edits = waiting.filter((change) => change.address === path);
    if (path.endsWith("/edit")) return globalThis.squadChanges.prepareChange(body, known, edits, { isPage: true });
    const page = form.querySelector("textarea[name=notes]")?.defaultValue ?? "";
    const notes = edits.map((change) => new URLSearchParams(change.body).get("notes")).filter((text) => text !== null);
    return { body, base: { edition: known.edition ?? null, after: waiting.map((change) => change.id), value: [page, ...notes] } };
  };
  document.addEventListener("htmx:sendError", (event) => {
    const { verb, path, parameters, triggeringEvent } = event.detail.requestConfig;
    if (verb !== "post" || !/^\/squads\/[0-9a-f-]+\/(edit|keep)$/.test(path)) {
      setOffline(true);
      return refuse("needs-network");
    }
    const body = new URLSearchParams(parameters instanceof FormData ? [...parameters] : Object.entries(parameters));
    const form = event.detail.elt.closest("form") ?? event.detail.elt, label = describeChange(form, triggeringEvent?.submitter);
    addToOutbox({ address: path, label, ...preparePageChange(path, body.toString(), form) });
  });
  // The answer to a form replaces the page that is stored, which would show the squad as it was before.
  document.addEventListener("htmx:afterRequest", async (event) => {
    const { xhr, successful, requestConfig } = event.detail, address = xhr?.getResponseHeader("HX-Replace-Url");
    if (!successful || requestConfig.verb !== "post" || !address || !globalThis.caches) return;
    const page = new Response(xhr.responseText, { headers: { "Content-Type": "text/html; charset=utf-8" } });
    await (await caches.open("squadpress-pages")).put(address, page).catch(() => {});
  });
  // A squad of the server is edited from what its stored page says.
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-edit-offline]")) return;
    const roster = document.getElementById("roster"), { key } = roster.dataset;
    if (!readSquad(key) || !readOutbox().some((change) => getSquadKey(change) === key)) writeSquad(key, { game: document.querySelector("[data-offline-game]").dataset.offlineGame, base: JSON.parse(roster.textContent), sent: [] });
  });
  // A form that needs the network is not sent without one: the page keeps what was entered.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!isOffline || event.defaultPrevented || form.method !== "post" || form.matches("[data-later], [data-clear]")) return;
    event.preventDefault();
    refuse("needs-network");
    askServer();
  });
  const readFile = async (file) => {
    const letters = Array.from(new Uint8Array(await file.arrayBuffer()), (byte) => String.fromCharCode(byte));
    return { name: file.name, data: btoa(letters.join("")) };
  };
  // A squad that is created or imported without a network is sent later.
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("form[data-later]") || form.dataset.later === "send") return;
    event.preventDefault();
    if (form.dataset.later === "busy") return; // a double click creates one squad
    form.dataset.later = "busy";
    await askServer();
    if (!isOffline) {
      form.dataset.later = "send";
      form.requestSubmit(event.submitter);
      form.dataset.later = "";
      return;
    }
    const data = new FormData(form, event.submitter), file = data.get("file"), key = makeId();
    if (file?.size > MAX_FILE_BYTES) {
      form.dataset.later = "";
      return alert(form.dataset.tooLarge);
    }
    const body = new URLSearchParams([["key", key]]);
    for (const [name, value] of data) if (typeof value === "string") body.append(name, value);
    body.append("keep", "1"); // nobody is there to be asked about lines that are not understood
    const change = { address: form.getAttribute("action"), key, label: describeChange(form, event.submitter), body: body.toString() };
    if (file?.size) change.file = await readFile(file);
    const game = form.closest("[data-offline-game]")?.dataset.offlineGame;
    try {
      if (game) writeSquad(key, { game, base: { edition: 1, name: data.get("name").trim(), side: data.get("faction") ?? "", entries: [], deck: [], bench: [] }, sent: [] });
    } catch {
      refuse("full");
    }
    if ((game && !readSquad(key)) || !addToOutbox(change)) {
      removeSquad(key);
      form.dataset.later = "";
      return;
    }
    location.href = game ? `${form.dataset.editor}#${key}` : "/";
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-discard], [data-retry]");
    if (!button) return;
    const isMeant = (change) => button.dataset.change ? change.id === button.dataset.change : change.refused;
    const changes = readOutbox();
    if ("retry" in button.dataset) writeOutbox(changes.map((change) => isMeant(change) ? { ...change, refused: false } : change));
    else {
      // Without its first change a squad does not exist: the others have nothing to change.
      const begun = new Set(changes.filter((change) => isMeant(change) && change.key).map((change) => change.key));
      const kept = changes.filter((change) => !isMeant(change) && !begun.has(getSquadKey(change)));
      // What was made after a discarded change does not rely on it: the server compares every model.
      const cut = new Set();
      for (const change of changes) {
        if (!kept.includes(change)) cut.add(getSquadKey(change));
        else if (change.base && cut.has(getSquadKey(change))) change.base.edition = null;
      }
      for (const key of new Set(changes.map(getSquadKey))) if (!kept.some((change) => getSquadKey(change) === key)) removeSquad(key);
      writeOutbox(kept);
    }
    showOutbox();
    sendOutbox();
  });
  // A page that the browser shows again, on the way back, takes forms again.
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-later]")) form.dataset.later = "";
  });
  let retry = 0;
  const setOffline = (state) => {
    isOffline = state;
    if (!isOffline) for (const part of document.querySelectorAll("[data-needs-network]")) part.hidden = true;
    showOutbox();
    clearTimeout(retry);
    // A browser reports a network that it joins, but not that the server can be reached again.
    if (isOffline) retry = setTimeout(askServer, RETRY_MS);
    else sendOutbox();
  };
  addEventListener("online", () => setOffline(false));
  addEventListener("offline", () => setOffline(true));
  // A phone may be connected to a network that does not lead here. The worker answers GET only, so HEAD asks the server.
  const askForToken = () => fetch("/offline", { method: "HEAD", cache: "no-store" });
  const askServer = () => askForToken().then(() => setOffline(false), () => setOffline(true));

  // The game of the page is stored with its pictures at a phone's width, once for each version.
  const MAX_PICTURES_PER_GAME = 400; // about 12 MB
  const storeGame = async (address) => {
    const name = `squadpress.game.${address.split("?")[0]}`;
    if (localStorage.getItem(name) === address) return showStored();
    const answer = await fetch(address);
    if (!answer.ok) return;
    const { faces } = await answer.json(), pictures = Object.values(faces).flat().map(([picture]) => picture);
    for (const page of document.documentElement.dataset.offlinePages.split(" ")) await fetch(page, { headers: { "X-Store": "page" } });
    if (!navigator.connection?.saveData) for (const picture of pictures.slice(0, MAX_PICTURES_PER_GAME)) await fetch(picture);
    if (pictures.length) localStorage.setItem(name, address); // the pictures of a new game are still being rendered
    showStored();
  };
  const showStored = () => {
    for (const part of document.querySelectorAll("[data-stored]")) part.hidden = false;
  };
  const storePageGame = () => {
    const page = document.querySelector("[data-offline-game]");
    if (page && navigator.serviceWorker?.controller && !isOffline) storeGame(page.dataset.offlineGame).catch(() => {});
  };
  const worker = document.documentElement.dataset.worker;
  if (worker && "serviceWorker" in navigator && window.isSecureContext) {
    navigator.serviceWorker.register(worker, { scope: "/" }).catch(() => {});
    navigator.serviceWorker.addEventListener("controllerchange", storePageGame);
    if (navigator.serviceWorker.controller) askServer().then(storePageGame);
  }
  document.addEventListener("htmx:afterSwap", storePageGame);
  // The page for addresses that are not stored says what printing and sharing need.
  for (const part of document.querySelectorAll("[data-for]")) part.hidden = !location.pathname.split("/").includes(part.dataset.for);
  globalThis.squadpress = { readOutbox, writeOutbox, addToOutbox, showOutbox, sendOutbox, readSquad, removeSquad, refuse, askServer, isConnected: () => !isOffline };
  showOutbox();
  sendOutbox();
})();
