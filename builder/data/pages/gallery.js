const form = document.forms[0], count = form.querySelector("output");
const cards = [...document.querySelectorAll("figure")];
const passes = (card, name) => !form[name] || !form[name].value || card.dataset[name] === form[name].value;
const sift = () => {
  const word = form.word.value.trim().toLowerCase();
  for (const card of cards)
    card.hidden = !(card.textContent.toLowerCase().includes(word)
      && passes(card, "kind") && passes(card, "faction"));
  count.textContent = `${cards.filter(card => !card.hidden).length} / ${cards.length}`;
};
form.hidden = false; form.onsubmit = () => false; form.oninput = sift; sift();
