// The squad that the waiting changes lead to, for pages without a network. Nothing here decides about rules.
(() => {
  "use strict";
  const readJson = (name) => {
    try {
      return JSON.parse(localStorage.getItem(name));
    } catch {
      return null;
    }
  };
  const { applyChange } = globalThis.squadChanges;

  const getKey = () => location.hash.slice(1);
  // The form that changes the language leads back to this squad.
  for (const input of document.querySelectorAll("input[name=next]")) input.value += location.hash;
  const readWaiting = (key) => (readJson("squadpress.outbox") ?? []).filter((change) => change.address === `/squads/${key}/edit`);
  // The browser's own changes since the base of its squad.
  const listChanges = (key) => {
    const sent = readJson(`squadpress.squad.${key}`)?.sent ?? [];
    return [...sent.map((body) => ({ id: new URLSearchParams(body).get("change"), body })), ...readWaiting(key)];
  };
  const readSquad = (key, cards) => {
    const stored = readJson(`squadpress.squad.${key}`);
    if (!stored) return null;
    return listChanges(key).reduce((squad, { body }) => applyChange(squad, body, cards), stored.base);
  };
  // Resolves to the game that a squad belongs to, null if this browser has not stored it.
  const loadGame = async (key) => {
    const address = readJson(`squadpress.squad.${key}`)?.game;
    const answer = address ? await fetch(address).catch(() => null) : null;
    if (!answer?.ok) return null;
    const game = await answer.json();
    return { ...game, byId: new Map(game.cards.map((card) => [card.id, card])) };
  };
  const makePicture = (game, card) => {
    const [address, isWide] = game.faces[card]?.[0] ?? [];
    if (!address) return null;
    return Object.assign(document.createElement("img"), { className: isWide ? "face wide" : "face", src: address, alt: "", decoding: "async" });
  };
  globalThis.offlineSquad = { getKey, readSquad, readWaiting, listChanges, loadGame, makePicture };
})();
