// Answers without a network: pages, styles and pictures that this browser has shown are stored, within limits.
// A play page stores its own parts in a cache of its own (play.js), which is never emptied here.
"use strict";
const PAGES = "squadpress-pages", PARTS = "squadpress-parts";
const MAX_ENTRIES = { [PAGES]: 150, [PARTS]: 1200 }; // about 5 MB of pages and 40 MB of pictures
const PATIENCE_MS = 5000; // how long the network may take before a stored page is shown

const find = (request) => caches.match(request, { ignoreSearch: request.mode === "navigate", ignoreVary: true });
// A squad's catalogue differs by its query, so the page with the same query comes first.
const findPage = async (request) => (await caches.match(request, { ignoreVary: true })) ?? find(request);

const store = async (name, request, answer) => {
  const cache = await caches.open(name);
  await cache.delete(request, { ignoreVary: true }); // so that the newest entry comes last
  await cache.put(request, answer);
  const entries = await cache.keys();
  for (const old of entries.slice(0, Math.max(0, entries.length - MAX_ENTRIES[name]))) await cache.delete(old);
};
const isPart = (url) => /^\/(static|faces)\/|^\/colours\.css$|^\/lists\/[^/]+\/faces\//.test(url.pathname);
const isPage = (request, answer) =>
  (request.mode === "navigate" || request.headers.has("HX-Request")) && answer.headers.get("Content-Type")?.startsWith("text/html");

const answerPart = async (event) => {
  const stored = await find(event.request);
  if (stored) return stored; // the address of a part changes with its content
  // A request that began before this worker took over may be cut off: it is made once more.
  const answer = await fetch(event.request).catch(() => fetch(event.request.url));
  if (answer.ok) event.waitUntil(store(PARTS, event.request, answer.clone()));
  return answer;
};
const answerPage = async (event) => {
  const { request } = event;
  const stored = await findPage(request);
  try {
    const answer = await (stored ? fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) }) : fetch(request));
    if (answer.ok && !answer.redirected && isPage(request, answer)) event.waitUntil(store(PAGES, request, answer.clone()));
    return answer;
  } catch (error) {
    const offline = request.mode === "navigate" ? await caches.match("/offline") : null;
    if (stored ?? offline) return stored ?? offline;
    throw error;
  }
};

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(PAGES + "-offline").then((cache) => cache.add("/offline")).catch(() => {}));
  event.waitUntil(caches.open(PAGES).then((cache) => cache.add("/import")).catch(() => {})); // squads can be imported without a network
  self.skipWaiting();
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  event.respondWith(isPart(url) ? answerPart(event) : answerPage(event));
});
