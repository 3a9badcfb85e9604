const view = document.getElementById("view"), state = document.getElementById("state");
const source = new EventSource("events");
source.onmessage = event => { view.innerHTML = event.data; state.textContent = state.dataset.here; };
source.onerror = () => { state.textContent = state.dataset.gone; };
