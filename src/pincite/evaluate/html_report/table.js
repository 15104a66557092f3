(() => {
  const table = document.querySelector("#all table");
  if (!table) return;
  const body = table.tBodies[0], rows = [...body.rows];
  const value = (row, at) => row.cells[at].dataset.v ?? row.cells[at].textContent.trim();
  [...table.tHead.rows[0].cells].forEach((head, at) => {
    if (!head.textContent) return;
    const button = document.createElement("button");
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down > 0 ? "ascending" : "descending");
      const compare = new Intl.Collator("en", { numeric: true }).compare;
      body.append(...rows.sort((a, b) => down * compare(value(a, at), value(b, at))));
    });
  });
  const bar = document.createElement("div");
  bar.className = "filter";
  const words = document.createElement("input");
  words.type = "search";
  words.placeholder = "Filter questions";
  words.setAttribute("aria-label", "Filter questions");
  const failing = document.createElement("input");
  failing.type = "checkbox";
  const label = document.createElement("label");
  label.append(failing, " only failing");
  const shown = document.createElement("span");
  const apply = () => {
    const wanted = words.value.toLowerCase();
    let count = 0;
    for (const row of rows) {
      row.hidden = (failing.checked && row.dataset.state === "ok")
        || (wanted !== "" && !row.textContent.toLowerCase().includes(wanted));
      count += row.hidden ? 0 : 1;
    }
    shown.textContent = `${count} of ${rows.length}`;
  };
  words.addEventListener("input", apply);
  failing.addEventListener("change", apply);
  bar.append(words, label, shown);
  table.closest(".scroll").before(bar);
  apply();
})();
