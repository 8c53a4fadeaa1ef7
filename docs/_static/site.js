// What the theme leaves out for people who use the keyboard or a screen reader.
document.addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll(".bd-article table"))
    if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
  for (const summary of document.querySelectorAll(".bd-sidebar summary"))
    summary.setAttribute("aria-label", "Pages below this one");
});
