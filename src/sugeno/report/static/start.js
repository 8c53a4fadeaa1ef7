// Start: draw everything, and follow addresses and clicks.

build();
buildTable();
read(location.hash);
update();
addEventListener("hashchange", () => {
  if (location.hash !== written() && read(location.hash)) update();
});
// Links within the page move the eye, not the address, which belongs to the case.
for (const link of document.querySelectorAll('a[href^="#"]')) {
  link.addEventListener("click", (event) => {
    const place = document.querySelector(link.getAttribute("href"));
    if (!place) return;
    event.preventDefault();
    place.scrollIntoView();
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });
}
for (const button of document.querySelectorAll("[data-rule]")) {
  const row = rows[data.typical[Number(button.dataset.rule)]];
  if (row) button.addEventListener("click", () => show(row));
  else button.disabled = true;
}
for (const button of document.querySelectorAll("[data-cell]")) {
  button.addEventListener("click", () => showCell(...button.dataset.cell.split(" ").map(Number)));
}
