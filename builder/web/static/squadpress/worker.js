// Answers for a page at the table: from the network while there is one, else from what the page has kept.
"use strict";
const kept = (request) => caches.match(request, { ignoreSearch: request.mode === "navigate", ignoreVary: true });
const patient = (request) => fetch(request, { signal: AbortSignal.timeout(5000) });

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const request = event.request;
  if (request.method !== "GET") return;
  const page = request.mode === "navigate";
  event.respondWith((async () => {
    const old = await kept(request);
    if (old && !page) return old;
    try {
      return await (old ? patient(request) : fetch(request));
    } catch (error) {
      if (old) return old;
      throw error;
    }
  })());
});
