"use strict";
{
  const table = document.getElementById("all-games");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const key = (row, column) => {
    const cell = row.cells[column];
    const shown = cell.querySelector("data");
    if (shown) return shown.value === "" ? -Infinity : Number(shown.value);
    const time = cell.querySelector("time");
    return time ? time.dateTime : cell.textContent.trim();
  };
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      const rows = [...body.rows].map((row) => [key(row, column), row]);
      rows.sort((a, b) => (up ? compare(a[0], b[0]) : compare(b[0], a[0])));
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      body.append(...rows.map(([, row]) => row));
    });
  });
  heads[0].setAttribute("aria-sort", "descending");
}
