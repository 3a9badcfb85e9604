const view = document.getElementById("view"), state = document.getElementById("state");
const tools = document.getElementById("tools"), place = document.getElementById("block");
const PIXELS_PER_MM = 96 / 25.4;
let wanted = null, areSheetsRequested = false;

function setBox(element, x, y, width, height, figure) {
  const total = figure.dataset;
  element.style.left = `${100 * x / total.width}%`;
  element.style.top = `${100 * y / total.height}%`;
  element.style.width = `${100 * width / total.width}%`;
  element.style.height = `${100 * height / total.height}%`;
}

function insetBox(element, margin, figure) {
  const { width, height } = figure.dataset;
  setBox(element, margin, margin, width - 2 * margin, height - 2 * margin, figure);
}

function arrange() {
  const zoom = Number(tools.elements.zoom.value);
  for (const name of ["bleed", "safe", "blocks"]) view.classList.toggle(name, tools.elements[name].checked);
  view.dataset.faces = tools.elements.faces.value;
  const isMissing = view.dataset.faces === "sheet" && !document.getElementById("sheets");
  if (isMissing && !areSheetsRequested) fetch("sheets", { method: "POST" });
  areSheetsRequested = isMissing;
  for (const figure of view.querySelectorAll("figure")) {
    const { width, height, trim, safe } = figure.dataset;
    figure.style.width = `${width * PIXELS_PER_MM * zoom}px`;
    figure.style.clipPath = tools.elements.bleed.checked
      ? "none" : `inset(${100 * trim / height}% ${100 * trim / width}%)`;
    insetBox(figure.querySelector(".trim"), Number(trim), figure);
    insetBox(figure.querySelector(".safe"), Number(safe), figure);
    for (const block of figure.querySelectorAll(".block")) {
      const { x, y, w, h } = block.dataset;
      setBox(block, x, y, w, h, figure);
    }
  }
  showWanted();
}

function overlap(block, box) {
  const width = Math.min(+block.x + +block.w, +box.x + +box.w) - Math.max(block.x, box.x);
  const height = Math.min(+block.y + +block.h, +box.y + +box.h) - Math.max(block.y, box.y);
  return width > 0 && height > 0 ? width * height : 0;
}

function showWanted() {
  const article = wanted && view.querySelector(`article[data-card="${CSS.escape(wanted.card)}"]`);
  if (!article) return;
  let best = null, most = 0;
  for (const block of wanted.x === undefined ? [] : article.querySelectorAll(".block")) {
    const shared = overlap(block.dataset, wanted);
    if (shared > most) { best = block; most = shared; }
  }
  if (best) chooseBlock(best);
  (best || article).scrollIntoView({ block: "nearest" });
  wanted = null;
}

function chooseBlock(block) {
  for (const other of view.querySelectorAll(".block.chosen")) other.classList.remove("chosen");
  block.classList.add("chosen");
  place.textContent = block.dataset.place;
}

function select(card) { fetch(`select/${encodeURIComponent(card)}`, { method: "POST" }); }

view.addEventListener("click", event => {
  const block = event.target.closest(".block");
  if (block) { chooseBlock(block); return; }
  const item = event.target.closest("[data-card]");
  if (!item || item.tagName === "ARTICLE") return;
  wanted = { ...item.dataset };
  if (tools.elements.faces.value === "sheet") { tools.elements.faces.value = "all"; arrange(); }
  if (view.querySelector(`article[data-card="${CSS.escape(wanted.card)}"]`) && item.tagName === "LI") showWanted();
  else select(wanted.card);
});
view.addEventListener("keydown", event => { if (event.key === "Enter" && event.target.tagName === "LI") event.target.click(); });
tools.addEventListener("change", arrange);
const source = new EventSource("events");
source.onmessage = event => {
  const list = view.querySelector("nav"), top = list ? list.scrollTop : 0;
  view.innerHTML = event.data;
  state.textContent = state.dataset.here;
  if (view.querySelector("nav")) view.querySelector("nav").scrollTop = top;
  arrange();
};
source.onerror = () => { state.textContent = state.dataset.gone; };
arrange();
