// Answers without a network: pages, styles and pictures that this browser has shown are stored, within limits.
// Games that are used are stored as a whole (outbox.js). A play page stores its own parts in a cache of its own
// (play.js), which is never emptied here.
"use strict";
const PAGES = "squadpress-pages", PARTS = "squadpress-parts", SHELLS = PAGES + "-offline";
const MAX_ENTRIES = { [PAGES]: 150, [PARTS]: 1200, [SHELLS]: 20 }; // about 5 MB of pages and 40 MB of pictures
const PATIENCE_MS = 5000; // how long the network may take before a stored page is shown
const SHELL_ADDRESSES = ["/offline", "/squads/offline", "/squads/offline/play"];

const isGame = (url) => /^\/games\/[^/]+\/offline\.json$/.test(url.pathname);
const isPart = (url) => /^\/(static|faces)\/|^\/colours\.css$|^\/lists\/[^/]+\/faces\//.test(url.pathname);
const isPage = (request, answer) =>
  (request.mode === "navigate" || request.headers.has("HX-Request") || request.headers.has("X-Store")) && answer.headers.get("Content-Type")?.startsWith("text/html");

const find = (request) => caches.match(request, { ignoreSearch: request.mode === "navigate" || isGame(new URL(request.url)), ignoreVary: true });
// A squad's catalogue differs by its query, so the page with the same query comes first.
const findPage = async (request) => (await caches.match(request, { ignoreVary: true })) ?? find(request);

const store = async (name, request, answer) => {
  const cache = await caches.open(name);
  await cache.delete(request, { ignoreVary: true }); // so that the newest entry comes last
  await cache.put(request, answer);
  const entries = await cache.keys();
  for (const old of entries.slice(0, Math.max(0, entries.length - MAX_ENTRIES[name]))) await cache.delete(old);
};
// Styles and scripts of a page that was never shown. Pictures are not among them.
const storePartsOf = async (answer) => {
  const cache = await caches.open(PARTS), page = await answer.text();
  for (const [, address] of page.matchAll(/(?:href|src|data-script)="(\/static\/[^"]+|\/colours\.css[^"]*)"/g)) {
    if (!(await cache.match(address))) await cache.add(address).catch(() => {});
  }
};
// The editor of a browser's own squads is the same page for all of them: the fragment names the squad.
const storeShell = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) return;
  await (await caches.open(SHELLS)).put(address, answer.clone());
  await storePartsOf(answer);
};

// One width of a face is stored with its game. It is shown wherever a page asks for another width.
const findOtherWidth = async (url) => {
  const [, face] = /^(\/faces\/[^/]+)-\d+\.webp$/.exec(url.pathname) ?? [];
  if (!face) return undefined;
  for (const width of [540, 240, 1080]) {
    const stored = await caches.match(`${face}-${width}.webp`, { ignoreVary: true });
    if (stored) return stored;
  }
  return undefined;
};
const answerPart = async (event, url) => {
  const stored = await find(event.request);
  if (stored) return stored; // the address of a part changes with its content
  try {
    // A request that began before this worker took over may be cut off: it is made once more.
    const answer = await fetch(event.request).catch(() => fetch(event.request.url));
    if (answer.ok) event.waitUntil(store(PARTS, event.request, answer.clone()));
    return answer;
  } catch (error) {
    const other = await findOtherWidth(url);
    if (other) return other;
    throw error;
  }
};
const answerPage = async (event, url) => {
  const { request } = event;
  const stored = await findPage(request);
  try {
    const answer = await (stored ? fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) }) : fetch(request));
    const isStored = isPage(request, answer) || isGame(url), isShell = SHELL_ADDRESSES.includes(url.pathname);
    if (answer.ok && !answer.redirected && isStored) event.waitUntil(store(isShell ? SHELLS : PAGES, request, answer.clone()));
    if (answer.ok && isStored && isShell) event.waitUntil(storePartsOf(answer.clone()));
    return answer;
  } catch (error) {
    const offline = request.mode === "navigate" ? await caches.match("/offline") : null;
    if (stored ?? offline) return stored ?? offline;
    throw error;
  }
};
// A form that is sent without a network gets a page of this program: the browser's own has no way back.
const answerForm = async (request) => {
  try {
    return await fetch(request);
  } catch (error) {
    const offline = await caches.match("/offline");
    if (offline) return offline;
    throw error;
  }
};

self.addEventListener("install", (event) => {
  for (const shell of SHELL_ADDRESSES) event.waitUntil(storeShell(shell).catch(() => {}));
  // Squads can be imported without a network, and the installed program begins with the home page.
  for (const page of ["/", "/import"]) event.waitUntil(caches.open(PAGES).then((cache) => cache.add(page)).catch(() => {}));
  self.skipWaiting();
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST" && request.mode === "navigate") event.respondWith(answerForm(request));
  if (request.method !== "GET") return;
  event.respondWith(isPart(url) ? answerPart(event, url) : answerPage(event, url));
});
