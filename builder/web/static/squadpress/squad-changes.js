// What a change does to a squad, and what it was made against. The server finds a model of a squad that was changed
// elsewhere by that, and refuses the change if it is not there any more.
(() => {
  "use strict";
  // No two lines have the same id, and a copy is on no stored page.
  const insertCopy = (list, index, { id, line, ...item }) => list.splice(index, 0, { id: null, ...structuredClone(item) });
  const removeCopy = (list, index) => {
    list[index].count -= 1;
    if (!list[index].count) list.splice(index, 1);
  };
  const findLast = (list, card) => list.map((item) => item.card).lastIndexOf(card);
  // Lines are counted from 1 in changes, as on the buttons of other pages.
  const CHANGES = {
    add: (squad, [card, ...words], _value, cards) => {
      if (cards.get(card)?.role === "deck") return squad.deck.push({ card, count: 1 });
      const choices = Object.fromEntries(words.map((word) => word.split("=")));
      return squad.entries.push({ card, id: null, count: cards.get(card)?.bundle ?? 1, name: "", note: "", attachments: [], choices, links: {} });
    },
    give: (squad, [number, , card]) => squad.entries[number - 1].attachments.push(card),
    take: (squad, [number, , index]) => squad.entries[number - 1].attachments.splice(index, 1),
    move: (squad, [number, , index, card, target]) => {
      squad.entries[number - 1].attachments.splice(index, 1);
      squad.entries[target - 1].attachments.push(card);
    },
    remove: (squad, [number]) => squad.entries.splice(number - 1, 1),
    bench: (squad, [number]) => {
      const [{ line, ...entry }] = squad.entries.splice(number - 1, 1);
      (squad.bench ??= []).push(entry);
    },
    unbench: (squad, [index]) => {
      const [{ line, ...entry }] = squad.bench.splice(index, 1);
      squad.entries.push(entry);
    },
    forget: (squad, [index]) => squad.bench.splice(index, 1),
    drop: (squad, [index]) => removeCopy(squad.deck, index),
    less: (squad, [card]) => {
      const list = findLast(squad.deck, card) >= 0 ? squad.deck : squad.entries;
      removeCopy(list, findLast(list, card));
    },
    count: (squad, [number, , count]) => { squad.entries[number - 1].count = Number(count); },
    choose: (squad, [number, , name], value) => { squad.entries[number - 1].choices[name] = value; },
    rename: (squad, [number], value) => { (number ? squad.entries[number - 1] : squad).name = value; },
    note: (squad, [number], value) => { squad.entries[number - 1].note = value.trim(); },
    param: (squad, [name], value) => { (squad.params ??= {})[name] = value; },
    // The server gives ids to linked models: they are not compared afterwards.
    tie: (squad, [number], value) => {
      delete squad.entries[number - 1].links;
      if (value >= 0) delete squad.entries[value].id;
    },
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
  const applyChange = (squad, body, cards = new Map()) => {
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

  // The numbers in a change: the list they count, their place among its words, and where they begin.
  const NUMBERED = {
    move: [["entries", 0, 1], ["entries", 4, 1]], drop: [["deck", 0, 0]], unbench: [["bench", 0, 0]], forget: [["bench", 0, 0]],
  };
  for (const verb of ["give", "take", "remove", "bench", "count", "choose", "rename", "note", "tie", "duplicate", "split", "copy", "reorder"]) NUMBERED[verb] = [["entries", 0, 1]];
  const listNumbers = (verb, words) => (words.length ? NUMBERED[verb] ?? [] : []);
  const numberLines = (list = []) => list.map((item, index) => ({ ...item, line: index }));
  const write = ({ line, ...item }) => JSON.stringify(Object.entries(item).sort());
  const describeItem = (list, item) => {
    if (!item) return [];
    const { line, ...known } = item;
    return [{ item: known, copies: list.filter((other) => write(other) === write(item)).length }];
  };
  // A stored page shows the squad without the changes that wait. Its numbers become those of the squad after them.
  const followWaiting = (now, verb, words, form) => {
    // What a waiting change has removed gets a number that the server refuses.
    const follow = (name, number) => {
      const index = now[name].findIndex((item) => item.line === Number(number));
      return index < 0 ? now[name].length : index;
    };
    for (const [name, place, first] of listNumbers(verb, words)) words[place] = follow(name, words[place] - first) + first;
    if (verb === "tie" && form.get("value") >= 0) form.set("value", follow("entries", form.get("value")));
    form.set("do", [verb, ...words].join(" "));
  };
  // What a change replaces or changes in a squad.
  const describeBase = (squad, verb, words, form) => {
    const items = listNumbers(verb, words).flatMap(([name, place, first]) => describeItem(squad[name] ?? [], squad[name]?.[words[place] - first]));
    if (verb === "tie" && form.get("value") >= 0) items.push(...describeItem(squad.entries, squad.entries[form.get("value")]));
    if (verb === "less") {
      const list = findLast(squad.deck, words[0]) >= 0 ? squad.deck : squad.entries;
      items.push(...describeItem([], list[findLast(list, words[0])]).map((known) => ({ ...known, copies: 1 })));
    }
    if (verb === "rename" && !words.length) return { items, value: squad.name };
    return verb === "param" ? { items, value: squad.params?.[words[0]] ?? null } : { items };
  };
  // Return the body of a change and its base. `known` is the squad, and `waiting` the browser's own changes since then.
  const prepareChange = (body, known, waiting, { cards, isPage }) => {
    const numbered = isPage ? { ...known, entries: numberLines(known.entries), deck: numberLines(known.deck), bench: numberLines(known.bench) } : known;
    const squad = waiting.reduce((state, change) => applyChange(state, change.body, cards), numbered);
    const form = new URLSearchParams(body), [verb, ...words] = (form.get("do") ?? "").split(" ");
    if (isPage) followWaiting(squad, verb, words, form);
    const after = waiting.map((change) => change.id).filter(Boolean);
    return { body: form.toString(), base: { edition: known.edition ?? null, after, ...describeBase(squad, verb, words, form) } };
  };
  globalThis.squadChanges = { applyChange, prepareChange };
})();
