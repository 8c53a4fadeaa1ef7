// What the theme leaves out for people who use the keyboard or a screen reader.
document.addEventListener("DOMContentLoaded", () => {
  for (const wide of document.querySelectorAll(".bd-article table, .bd-article p:has(> img)"))
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  for (const summary of document.querySelectorAll(".bd-sidebar summary"))
    summary.setAttribute("aria-label", "Pages below this one");
});
