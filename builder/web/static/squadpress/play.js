// A squad at the table: every press is kept in this browser at once, and told to the server where there is a network.
(() => {
  "use strict";
  const root = document.getElementById("play");
  const address = root.dataset.state, name = `squadpress.play.${root.dataset.squad}`;
  const marks = [...root.querySelectorAll("[data-mark]")];
  const counters = [...root.querySelectorAll("[data-counter]")];
  const status = root.querySelector("[data-kept]");
  const fresh = { round: 1, mine: 0, theirs: 0, marks: [] };
  const data = (id) => JSON.parse(document.getElementById(id).textContent);
  const tell = (which) => { status.textContent = root.dataset[which]; };

  // What this browser holds: the server's edition it began from, whether the server lacks anything, the state.
  const read = () => {
    try {
      return JSON.parse(localStorage.getItem(name));
    } catch {
      return null;
    }
  };
  let held = read() ?? { edition: 0, unsent: false, state: null };
  const stated = data("held");
  if (!held.unsent && stated.edition > held.edition) held = { ...stated, unsent: false };

  const show = () => {
    const state = held.state ?? fresh, set = new Set(state.marks);
    for (const box of marks) box.checked = set.has(box.dataset.mark);
    for (const counter of counters) counter.textContent = state[counter.dataset.counter];
  };
  const write = () => {
    try {
      localStorage.setItem(name, JSON.stringify(held));
      return true;
    } catch {
      tell("lost");
      return false;
    }
  };
  let timer = 0;
  const change = (counts = {}) => {
    const here = new Set(marks.map((box) => box.dataset.mark)), old = held.state ?? fresh;
    const others = old.marks.filter((mark) => !here.has(mark)); // of models that left the squad, and may come back
    const own = marks.filter((box) => box.checked).map((box) => box.dataset.mark);
    held = { ...held, unsent: true, state: { ...old, ...counts, marks: [...own, ...others] } };
    if (write()) tell("here");
    clearTimeout(timer);
    timer = setTimeout(sync, 600);
  };
  const sync = async () => {
    if (!address) return;
    const sent = held;
    try {
      const answer = await fetch(address, {
        method: "POST",
        headers: { "X-CSRFToken": root.dataset.token, "Content-Type": "application/json" },
        body: JSON.stringify({ state: sent.unsent ? sent.state : null }),
      });
      if (!answer.ok) throw new Error(answer.statusText);
      const found = await answer.json();
      if (held !== sent) return; // pressed meanwhile: that is sent next
      held = { edition: found.edition, unsent: false, state: found.state ?? sent.state };
      if (write()) tell("there");
      show();
    } catch {
      if (held.state) tell("here");
    }
  };

  root.addEventListener("change", (event) => {
    const box = event.target;
    if (!box.dataset.mark) return;
    const row = box.closest("[data-boxes]");
    if (row) { // boxes are crossed out up to the one that is pressed
      const all = [...row.querySelectorAll("input")], at = all.indexOf(box);
      const crossed = all.filter((one) => one !== box && one.checked).length;
      const level = box.checked || crossed > at ? at + 1 : at;
      all.forEach((one, index) => { one.checked = index < level; });
    }
    change();
  });
  root.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step) {
      const [which, by] = step.dataset.step.split(" "), old = (held.state ?? fresh)[which];
      const count = Math.min(999, Math.max(which === "round" ? 1 : 0, old + Number(by)));
      if (which === "round" && count > old) for (const box of root.querySelectorAll(".acted input")) box.checked = false;
      change({ [which]: count });
      show();
    } else if (event.target.closest("[data-again]") && confirm(root.dataset.sure)) {
      for (const box of marks) box.checked = false;
      change({ ...fresh });
      show();
    }
  });
  addEventListener("storage", (event) => { // another tab of this browser
    if (event.key === name && event.newValue) {
      held = JSON.parse(event.newValue);
      show();
    }
  });
  addEventListener("online", sync);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) sync(); });
  show();
  sync();

  // The odds: the tables came with the page, so that they need no network.
  const attack = root.querySelector("[data-attack]");
  if (attack) {
    const { attacks, targets } = data("odds-data"), given = root.querySelector("[data-given]");
    const target = root.querySelector("[data-target]"), chances = root.querySelector("[data-chances]");
    const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent", maximumFractionDigits: 0 });
    const mean = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    const tables = (one) => [one.hits, ...one.damage.flatMap((part) => [part.mean, part.some])];
    const stated = (axis) => {
      if (!axis.field.startsWith("given.")) return (targets[target.value] ?? {})[axis.field];
      return JSON.parse(given.querySelector(`[data-field="${axis.field}"]`).value);
    };
    const cell = (table) => {
      const [row = 0, column = 0] = table.axes.map((axis) => axis.values.indexOf(stated(axis)));
      return table.cells[row]?.[column];
    };
    const figure = (title, value, form) => {
      const part = document.createElement("div"), term = document.createElement("dt"), text = document.createElement("dd");
      term.textContent = title;
      text.textContent = form.format(value);
      part.append(term, text);
      return part;
    };
    const figures = () => {
      const one = attacks[attack.value], said = chances.dataset, found = [];
      const hits = cell(one.hits);
      if (hits !== undefined) found.push(one.rolled ? figure(said.hit, hits, percent) : figure(said.hits, hits, mean));
      for (const part of one.damage) {
        const some = cell(part.some), most = cell(part.mean), title = part.title ? ` (${part.title})` : "";
        if (some === undefined) continue;
        found.push(figure(said.some + title, some, percent), figure(said.mean + title, most, mean));
      }
      chances.replaceChildren(...found);
      if (!found.length) chances.append(said.none);
    };
    const circumstances = () => { // a choice for each that no card states
      const asked = new Map(tables(attacks[attack.value]).flatMap((table) => table.axes).map((axis) => [axis.field, axis]));
      given.replaceChildren(...[...asked.values()].filter((axis) => axis.field.startsWith("given.")).map((axis) => {
        const label = document.createElement("label"), title = document.createElement("span"), select = document.createElement("select");
        label.className = "field";
        title.textContent = axis.title;
        select.dataset.field = axis.field;
        for (const value of axis.values) select.add(new Option(String(value ?? "–").replace(/^-/, "−"), JSON.stringify(value)));
        label.append(title, select);
        return label;
      }));
      const fields = [...asked.keys()].filter((field) => !field.startsWith("given."));
      root.querySelector("[data-whom]").hidden = !fields.length;
      for (const option of target.options) {
        const fits = fields.every((field) => field in targets[option.value]);
        option.hidden = option.disabled = !fits;
      }
      if (target.selectedOptions[0]?.disabled) target.value = [...target.options].find((option) => !option.disabled)?.value ?? "";
      figures();
    };
    attack.addEventListener("change", circumstances);
    target.addEventListener("change", figures);
    given.addEventListener("change", figures);
    circumstances();
  }

  // The page, its styles, script and pictures are kept, so that it opens without a network.
  const keep = async () => {
    await navigator.serviceWorker.register(root.dataset.worker, { scope: location.pathname });
    const parts = [...document.querySelectorAll("link[href], script[src], img[src]")].map((part) => part.href || part.src);
    const wanted = new Set([location.href.split(/[?#]/)[0], ...parts]), cache = await caches.open(name);
    for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
    for (const url of wanted) {
      if (url.includes("/faces/") && (await cache.match(url))) continue; // such an address never changes
      await cache.add(url).catch(() => {}); // without a network the old one stays
    }
    root.dataset.offline = "ready";
  };
  document.addEventListener("click", (event) => { // a menu closes when something else is pressed
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });
  if (root.dataset.worker) {
    if ("serviceWorker" in navigator && window.isSecureContext) keep().catch(() => {});
    else root.querySelector("[data-plain]").hidden = false;
  }
})();
