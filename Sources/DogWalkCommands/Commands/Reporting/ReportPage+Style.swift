extension ReportPage {
  /// The style of the page, for screens of any width and for A4 paper.
  static let style = """
    :root { color-scheme: light dark; --ink: #1f2328; --quiet: #59636e; --paper: #fff;
      --line: #d1d9e0; --stripe: #f5f7f9 }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --quiet: #9aa5b1;
      --paper: #16191d; --line: #343b43; --stripe: #1d2126 } }
    * { box-sizing: border-box }
    body { margin: 0 auto; padding: 1rem; max-width: 62rem; color: var(--ink);
      background: var(--paper); font: 16px/1.45 system-ui, sans-serif }
    h1 { margin: 0; font-size: 1.7rem } h2 { margin: 2rem 0 .6rem; font-size: 1.2rem }
    h3 { margin: 1rem 0 .3rem; font-size: 1rem }
    header p { margin: .2rem 0 } .total { font-weight: 600 }
    footer, .note { margin-top: 2rem; color: var(--quiet); font-size: .85rem }
    .wide { overflow-x: auto } .wide svg { display: block }
    table { border-collapse: collapse; font-variant-numeric: tabular-nums }
    th, td { padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top;
      border-bottom: 1px solid var(--line); white-space: nowrap }
    td.text { white-space: normal; min-width: 10rem }
    th { color: var(--quiet); font-weight: 600 } .number { text-align: right }
    th button { all: unset; cursor: pointer } th button:focus-visible { outline: 2px solid }
    th[aria-sort=ascending] button::after { content: " \\2191" }
    th[aria-sort=descending] button::after { content: " \\2193" }
    tbody tr:nth-child(even) { background: var(--stripe) }
    .maps { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)) }
    .maps svg { width: 100%; height: auto; max-height: 30rem; border: 1px solid var(--line) }
    .way { fill: none; stroke: #2f7fc1; stroke-width: 2; stroke-opacity: .65;
      stroke-linejoin: round; stroke-linecap: round; vector-effect: non-scaling-stroke }
    .way:hover { stroke: #b3361f; stroke-opacity: 1; stroke-width: 3 }
    .d0 { fill: #e6eaee } .d1 { fill: #b9dfc4 } .d2 { fill: #78c190 } .d3 { fill: #3a9a5c }
    .d4 { fill: #17673a }
    @media (prefers-color-scheme: dark) { .way { stroke: #5fb0f5 }
      .way:hover { stroke: #ff8a70 }
      .d0 { fill: #272d34 } .d1 { fill: #1d4a30 } .d2 { fill: #277a49 } .d3 { fill: #3fae68 }
      .d4 { fill: #86e3a5 } }
    @page { size: A4; margin: 14mm }
    @media print { body { max-width: none; padding: 0; font-size: 10pt }
      .wide { overflow: visible } .wide svg { max-width: 100%; height: auto }
      h2, h3 { break-after: avoid } svg, tr { break-inside: avoid } thead { display: table-header-group }
      td.text { min-width: 0 } th, td { padding-right: .5rem; white-space: normal } }
    """

  /// The script that sorts a table by the column whose header is clicked; the page is complete
  /// without it.
  static let script = """
    for (const table of document.querySelectorAll("table.sorts")) {
      const heads = [...table.tHead.rows[0].cells];
      heads.forEach((head, column) => {
        const button = document.createElement("button");
        button.textContent = head.textContent;
        head.replaceChildren(button);
        button.addEventListener("click", () => {
          const numeric = head.classList.contains("number");
          const down = head.getAttribute("aria-sort") === "ascending"
            || (numeric && !head.hasAttribute("aria-sort"));
          for (const other of heads) other.removeAttribute("aria-sort");
          head.setAttribute("aria-sort", down ? "descending" : "ascending");
          const value = row => row.cells[column].dataset.value;
          const order = (one, other) => value(one) === undefined
            ? one.cells[column].textContent.localeCompare(
              other.cells[column].textContent, undefined, { numeric: true })
            : value(one) - value(other);
          const rows = [...table.tBodies[0].rows].sort(order);
          if (down) rows.reverse();
          table.tBodies[0].append(...rows);
        });
      });
    }
    """
}
