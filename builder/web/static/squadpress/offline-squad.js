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
  // Lines are counted from 1 in changes, as on the buttons of other pages.
  const insertCopy = (list, index, item) => list.splice(index, 0, structuredClone(item));
  const CHANGES = {
    add: (squad, [card, ...words], _value, cards) => {
      if (cards.get(card)?.role === "deck") return squad.deck.push({ card, count: 1 });
      const choices = Object.fromEntries(words.map((word) => word.split("=")));
      return squad.entries.push({ card, count: cards.get(card)?.bundle ?? 1, name: "", attachments: [], choices });
    },
    give: (squad, [number, , card]) => squad.entries[number - 1].attachments.push(card),
    take: (squad, [number, , index]) => squad.entries[number - 1].attachments.splice(index, 1),
    move: (squad, [number, , index, card, target]) => {
      squad.entries[number - 1].attachments.splice(index, 1);
      squad.entries[target - 1].attachments.push(card);
    },
    remove: (squad, [number]) => squad.entries.splice(number - 1, 1),
    bench: (squad, [number]) => squad.entries.splice(number - 1, 1),
    drop: (squad, [index]) => {
      squad.deck[index].count -= 1;
      if (!squad.deck[index].count) squad.deck.splice(index, 1);
    },
    count: (squad, [number, , count]) => { squad.entries[number - 1].count = Number(count); },
    choose: (squad, [number, , name], value) => { squad.entries[number - 1].choices[name] = value; },
    rename: (squad, [number], value) => { (number ? squad.entries[number - 1] : squad).name = value; },
    duplicate: (squad, [number]) => insertCopy(squad.entries, Number(number), squad.entries[number - 1]),
    split: (squad, [number]) => {
      squad.entries[number - 1].count -= 1;
      insertCopy(squad.entries, Number(number), { ...squad.entries[number - 1], count: 1 });
    },
    reorder: (squad, [number, , place]) => {
      const [entry] = squad.entries.splice(number - 1, 1);
      squad.entries.splice(Math.max(0, place - 1), 0, entry);
    },
  };
  const applyChange = (squad, body, cards) => {
    const form = new URLSearchParams(body), [verb, ...words] = (form.get("do") ?? "").split(" ");
    if (!(verb in CHANGES)) return squad; // only the server can make it: a repair, for example
    const changed = structuredClone(squad);
    try {
      CHANGES[verb](changed, words, form.get("value") ?? "", cards);
    } catch {
      return squad; // its line is missing: the server will refuse it
    }
    return changed;
  };

  const getKey = () => location.hash.slice(1);
  // The form that changes the language leads back to this squad.
  for (const input of document.querySelectorAll("input[name=next]")) input.value += location.hash;
  const readWaiting = (key) => (readJson("squadpress.outbox") ?? []).filter((change) => change.address === `/squads/${key}/edit`);
  const readSquad = (key, cards) => {
    const stored = readJson(`squadpress.squad.${key}`);
    if (!stored) return null;
    const changes = [...stored.sent, ...readWaiting(key).map((change) => change.body)];
    return changes.reduce((squad, body) => applyChange(squad, body, cards), stored.base);
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
  globalThis.offlineSquad = { getKey, readSquad, readWaiting, loadGame, makePicture };
})();
