const seen = document.getElementById("sight"), state = document.getElementById("state");
const source = new EventSource("events");
source.onmessage = event => { seen.innerHTML = event.data; state.textContent = state.dataset.here; };
source.onerror = () => { state.textContent = state.dataset.gone; };
