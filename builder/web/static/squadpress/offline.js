// The editor of a squad without a network. Each press adds a waiting change, and the page is drawn again from all of them.
(() => {
  "use strict";
  const root = document.getElementById("offline-squad"), page = document.getElementById("main");
  const { getKey, readSquad, readWaiting, listChanges, loadGame, makePicture } = globalThis.offlineSquad;
  const { prepareChange } = globalThis.squadChanges;
  const TILES_PER_PAGE = 60;
  const labels = JSON.parse(root.dataset.labels);
  const said = document.getElementById("said");
  const openLines = new Set();
  let game = null, key = "", shownTiles = TILES_PER_PAGE, wasStored = false, isLeaving = false, drawnState = "";

  const find = (name) => root.querySelector(`[data-${name}]`);
  const clone = (name) => document.getElementById(`${name}-template`).content.firstElementChild.cloneNode(true);
  const getCard = (id) => game.byId.get(id) ?? { id, name: id, cost: null, role: "", side: "", choices: [] };
  const format = (cost) => (cost === null ? "" : String(Math.round(cost * 100) / 100));
  const sumCosts = (ids) => ids.reduce((total, id) => total + (getCard(id).cost ?? 0), 0);
  const getTotal = (entry) => entry.count * sumCosts([entry.card, ...entry.attachments]);
  const fillPicture = (item, card) => {
    const picture = makePicture(game, card), place = item.querySelector(".picture");
    if (picture) place.replaceChildren(picture);
  };
  const fill = (item, card, title, cost) => {
    item.querySelector("[data-title]").textContent = title;
    item.querySelector("[data-cost]").textContent = cost;
    if (card.side) item.classList.add(`side-${card.side}`);
    fillPicture(item, card.id);
    return item;
  };
  const change = (words, label, value = null) => {
    const body = new URLSearchParams({ do: words });
    if (value !== null) body.set("value", value);
    const prepared = prepareChange(body.toString(), globalThis.squadpress.readSquad(key).base, listChanges(key), { cards: game.byId });
    return globalThis.squadpress.addToOutbox({ address: `/squads/${key}/edit`, label: [labels[words.split(" ")[0]], label].filter(Boolean).join(": "), ...prepared });
  };

  const makeEquipment = (who, card, index) => {
    const item = fill(clone("item"), getCard(card), getCard(card).name, format(getCard(card).cost));
    const button = item.querySelector("button");
    button.ariaLabel = button.dataset.removeLabel.replace("{card}", getCard(card).name);
    button.onclick = () => change(`take ${who} ${index} ${card}`, getCard(card).name);
    return item;
  };
  const mayCarry = (model, card) => {
    const hosts = game.hosts[card.id];
    return card.role === "attachment" && (!hosts || hosts.includes(model.number));
  };
  const makeChoice = (who, entry, choice) => {
    const field = clone("choice"), select = field.querySelector("select");
    field.querySelector("span").textContent = choice.title;
    for (const [value, label] of choice.values) select.add(new Option(label, value));
    select.value = entry.choices[choice.name] ?? "";
    select.onchange = () => change(`choose ${who} ${choice.name}`, choice.title, select.value);
    return field;
  };
  const moveOpenLine = (number, by) => {
    if (openLines.delete(number)) openLines.add(number + by);
  };
  const fillTools = (line, entry, number, count) => {
    const who = `${number} ${entry.card}`, name = entry.name || getCard(entry.card).name;
    const actions = {
      less: [`count ${who} ${entry.count - 1}`, entry.count < 2], "more-copies": [`count ${who} ${entry.count + 1}`, entry.count >= 99],
      up: [`reorder ${who} ${number - 1}`, number === 1], down: [`reorder ${who} ${number + 1}`, number === count],
      duplicate: [`duplicate ${who}`, false], remove: [`remove ${who}`, false],
    };
    for (const [action, [words, isOff]] of Object.entries(actions)) {
      const button = line.querySelector(`[data-action="${action}"]`);
      button.disabled = isOff;
      button.onclick = () => {
        if (action === "up" || action === "down") moveOpenLine(number, action === "up" ? -1 : 1);
        if (action === "remove") openLines.clear();
        change(words, name);
      };
    }
    line.querySelector("[data-count]").textContent = `× ${entry.count}`;
  };
  const makeLine = (entry, number, count) => {
    const card = getCard(entry.card), who = `${number} ${entry.card}`, line = clone("line"), name = entry.name || card.name;
    fill(line, card, name + (entry.count > 1 ? ` × ${entry.count}` : ""), format(getTotal(entry)));
    line.querySelector("[data-carried]").replaceChildren(...entry.attachments.map((id) => Object.assign(document.createElement("span"), { textContent: getCard(id).name })));
    const details = line.querySelector("details");
    details.open = openLines.has(number);
    // The toggle event comes late: a change in between would close the line.
    details.querySelector("summary").onclick = () => { openLines[details.open ? "delete" : "add"](number); };
    fillTools(line, entry, number, count);
    line.querySelector("[data-equipment]").replaceChildren(...entry.attachments.map((id, index) => makeEquipment(who, id, index)));
    const select = line.querySelector("[data-give]"), equipment = game.cards.filter((other) => mayCarry(card, other));
    line.querySelector("[data-give-field]").hidden = !equipment.length;
    select.add(new Option(root.dataset.choose, ""));
    for (const other of equipment) select.add(new Option(`${other.name}${other.cost === null ? "" : ` · ${format(other.cost)}`}`, other.id));
    select.onchange = () => change(`give ${who} ${select.value}`, getCard(select.value).name);
    line.querySelector("[data-choices]").replaceChildren(...(card.choices ?? []).map((choice) => makeChoice(who, entry, choice)));
    const rename = line.querySelector("form");
    rename.elements.value.value = entry.name ?? "";
    rename.onsubmit = (event) => {
      event.preventDefault();
      change(`rename ${who}`, rename.elements.value.value, rename.elements.value.value.trim());
    };
    return line;
  };
  const makeDeckLine = ({ card, count }, index) => {
    const item = fill(clone("item"), getCard(card), getCard(card).name + (count > 1 ? ` × ${count}` : ""), format(getCard(card).cost));
    item.querySelector("button").ariaLabel = item.querySelector("button").dataset.removeLabel.replace("{card}", getCard(card).name);
    item.querySelector("button").onclick = () => change(`drop ${index} ${card}`, getCard(card).name);
    return item;
  };
  const makeTile = (card, copies) => {
    const tile = fill(clone("tile"), card, card.name, [format(card.cost), card.cost === null ? "" : game.currency].join(" ").trim());
    if (!tile.querySelector("img")) tile.querySelector(".picture").append(Object.assign(document.createElement("span"), { className: "face empty", textContent: card.name }));
    const badge = tile.querySelector("[data-copies]"), button = tile.querySelector("button");
    badge.hidden = !copies;
    badge.textContent = copies;
    button.ariaLabel = button.dataset.addLabel.replace("{card}", card.name);
    button.onclick = () => {
      if (change(`add ${card.id}`, card.name)) said.textContent = root.dataset.added.replace("{name}", card.name);
    };
    return tile;
  };
  const listTiles = () => {
    const words = find("search").value.toLowerCase().split(/\s+/).filter(Boolean), side = find("side").value;
    return game.cards.filter((card) => card.role !== "attachment" && (!side || !card.side || card.side === side) && words.every((word) => card.name.toLowerCase().includes(word)));
  };
  const countCopies = (squad) => {
    const copies = new Map();
    for (const { card, count } of [...squad.entries, ...squad.deck]) copies.set(card, (copies.get(card) ?? 0) + count);
    return copies;
  };
  // What has the focus is drawn anew, so the focus goes to the element at the same place.
  const describeFocus = () => {
    const active = document.activeElement, part = active?.closest("li");
    if (!part || !root.contains(part)) return null;
    const parts = [...part.querySelectorAll("button, select, input, summary")];
    return { list: part.parentElement, index: [...part.parentElement.children].indexOf(part), control: parts.indexOf(active) };
  };
  const restoreFocus = (focus) => {
    const part = focus && (focus.list.children[focus.index] ?? focus.list.lastElementChild);
    const controls = part ? [...part.querySelectorAll("button, select, input, summary")] : [];
    (controls[focus?.control] ?? controls[0])?.focus({ preventScroll: true });
  };
  const draw = () => {
    const squad = game && readSquad(key, game.byId), focus = describeFocus();
    find("missing").hidden = wasStored;
    find("no-game").hidden = !wasStored || game !== null;
    find("filled").hidden = !squad;
    if (!squad) return;
    document.querySelector("[data-name]").textContent = squad.name || game.name;
    document.querySelector("[data-game]").textContent = game.name;
    document.querySelector("[data-points]").textContent = `${format(squad.entries.reduce((total, entry) => total + getTotal(entry), 0) + squad.deck.reduce((total, item) => total + item.count * sumCosts([item.card]), 0))} ${game.currency}`;
    document.querySelector("[data-action=undo]").disabled = !readWaiting(key).length;
    for (const part of root.querySelectorAll("[data-empty]")) part.hidden = squad.entries.length > 0;
    find("lines").replaceChildren(...squad.entries.map((entry, index) => makeLine(entry, index + 1, squad.entries.length)));
    find("deck").hidden = !squad.deck.length;
    find("deck-lines").replaceChildren(...squad.deck.map(makeDeckLine));
    find("play").hidden = !squad.entries.length && !squad.deck.length;
    const tiles = listTiles(), copies = countCopies(squad);
    find("tiles").replaceChildren(...tiles.slice(0, shownTiles).map((card) => makeTile(card, copies.get(card.id))));
    find("more").hidden = tiles.length <= shownTiles;
    restoreFocus(focus);
  };
  const showPanel = (name) => {
    page.classList.toggle("narrow-squad", name === "squad");
    page.classList.toggle("narrow-panel", name === "panel");
    for (const tab of document.querySelectorAll(".tabs [data-view]")) tab.setAttribute("aria-current", tab.dataset.view === name);
    scrollTo({ top: 0, behavior: "instant" });
  };
  const leave = () => {
    if (!isLeaving) location.replace(`${root.dataset.squad}${key}`);
    isLeaving = true;
  };
  const takeKey = () => {
    key = getKey();
    document.querySelector("[data-outbox]").dataset.outbox = key;
    find("play").href = `${find("play").href.split("#")[0]}#${key}`;
  };
  const start = async () => {
    takeKey();
    wasStored = globalThis.squadpress.readSquad(key) !== null;
    game = await loadGame(key);
    if (!wasStored && key && !readWaiting(key).length && navigator.onLine) return leave();
    let number = 0;
    for (const card of game?.cards ?? []) if (card.role === "entry") card.number = number++;
    page.classList.add(`game-${game?.pack}`);
    const sides = new Set(game?.cards.map((card) => card.side));
    for (const [side, name] of Object.entries(game?.sides ?? {})) if (sides.has(side)) find("side").add(new Option(name, side));
    const base = globalThis.squadpress.readSquad(key)?.base;
    if (base?.side) find("side").value = base.side;
    globalThis.squadpress.showOutbox();
    root.dataset.ready = "yes";
  };

  document.addEventListener("squadpress:outbox", () => {
    // The squad may have got another id while it was sent.
    if (getKey() !== key) takeKey();
    // Everything was sent: the server's page takes over.
    if (wasStored && !globalThis.squadpress.readSquad(key)) return leave();
    // A squad of the server without a waiting change: there is nothing to send.
    if (wasStored && globalThis.squadpress.isConnected() && !globalThis.squadpress.readOutbox().some((other) => other.key === key || other.address.includes(key))) {
      globalThis.squadpress.removeSquad(key);
      return leave();
    }
    // A new drawing would lose what is being typed.
    const state = JSON.stringify([game !== null, globalThis.squadpress.readSquad(key), readWaiting(key)]);
    if ((game || wasStored || key) && state !== drawnState) draw();
    drawnState = state;
  });
  document.addEventListener("click", (event) => {
    const view = event.target.closest("[data-view]"), refused = event.target.closest("[data-refuse]");
    if (view) {
      event.preventDefault();
      showPanel(view.dataset.view);
    }
    if (refused) for (const part of root.querySelectorAll("[data-refusal]")) part.hidden = part.dataset.refusal !== refused.dataset.refuse;
    if (event.target.closest("[data-action=undo]")) {
      const last = readWaiting(key).at(-1);
      globalThis.squadpress.writeOutbox(globalThis.squadpress.readOutbox().filter((other) => other.id !== last.id));
      globalThis.squadpress.showOutbox();
    }
    if (event.target.closest("[data-action=more]")) {
      shownTiles += TILES_PER_PAGE;
      draw();
    }
  });
  root.querySelector("form[data-rename]").addEventListener("submit", (event) => {
    event.preventDefault();
    const { value } = event.target.elements.value;
    if (value.trim()) change("rename", value.trim(), value.trim());
    event.target.reset();
  });
  for (const name of ["search", "side"]) {
    find(name).addEventListener("input", () => {
      shownTiles = TILES_PER_PAGE;
      draw();
    });
  }
  addEventListener("hashchange", () => location.reload());
  start();
})();
