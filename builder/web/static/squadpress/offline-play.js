// A squad of this browser at the table without a network: the page is made of the stored game, then play.js takes over.
// The marks have the names that the server's page gives them, so that the game goes on there.
(() => {
  "use strict";
  const root = document.getElementById("play"), { getKey, readSquad, loadGame } = globalThis.offlineSquad;
  const MARK = /@mark@/g, COPY = /@copy@/g;
  const MAX_ATTACHMENT_COPIES = 30;
  const makeElement = (name, className, html) => Object.assign(document.createElement(name), { className, innerHTML: html });

  const addPictures = (game, part, card) => {
    const pictures = (game.faces[card] ?? []).map(([address, isWide]) => Object.assign(document.createElement("img"), { className: isWide ? "face wide" : "face", src: address, alt: "", decoding: "async" }));
    part.querySelector(".both")?.append(...pictures);
    if (pictures.length) part.querySelector(".head")?.prepend(pictures[0].cloneNode());
  };
  const makeParts = (game, card, mark, count) => {
    const { once, each } = game.byId.get(card) ?? { once: "", each: "" };
    const copies = Array.from({ length: count }, (_none, index) => each.replace(COPY, index + 1));
    return (once + copies.join("")).replace(MARK, mark);
  };
  const makeItem = (game, card, mark, count) => {
    const item = makeElement("li", "item", makeParts(game, card, mark, Math.min(count, MAX_ATTACHMENT_COPIES)));
    addPictures(game, item, card);
    return item;
  };
  const makeModel = (game, entry, number) => {
    const card = game.byId.get(entry.card), mark = `${number}.${entry.card}`;
    const model = makeElement("li", `fighter${card?.side ? ` side-${card.side}` : ""}`, makeParts(game, entry.card, mark, entry.count));
    addPictures(game, model, entry.card);
    const title = model.querySelector("h2");
    if (title) title.textContent = (entry.name || card.name) + (entry.count > 1 ? ` × ${entry.count}` : "");
    // The values of the model follow its boxes, as on the server's page.
    const profiles = model.querySelector(":scope > .profiles");
    if (profiles) model.append(profiles);
    if (!entry.attachments.length) return model;
    const items = makeElement("ul", "items", "");
    items.append(...entry.attachments.map((id, index) => makeItem(game, id, `${mark}.${index}.${id}`, entry.count)));
    model.append(items);
    return model;
  };
  const start = async () => {
    const key = getKey(), game = await loadGame(key), squad = game && readSquad(key, game.byId);
    root.dataset.squad = key;
    root.querySelector("[data-back]").href += `#${key}`;
    root.querySelector("[data-missing]").hidden = localStorage.getItem(`squadpress.squad.${key}`) !== null;
    root.querySelector("[data-no-game]").hidden = game !== null || localStorage.getItem(`squadpress.squad.${key}`) === null;
    if (!squad) return;
    root.classList.add(`game-${game.pack}`);
    root.querySelector("[data-name]").textContent = squad.name || game.name;
    root.querySelector("[data-game]").textContent = game.name;
    root.querySelector("[data-table]").append(...squad.entries.map((entry, index) => makeModel(game, entry, index + 1)));
    root.querySelector("[data-deck]").hidden = !squad.deck.length;
    root.querySelector("[data-deck] ul").append(...squad.deck.map(({ card, count }, index) => makeItem(game, card, `deck.${index}.${card}`, count)));
    document.body.append(Object.assign(document.createElement("script"), { src: root.dataset.script }));
  };
  addEventListener("hashchange", () => location.reload());
  start();
})();
