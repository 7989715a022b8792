// The site: search, tables that sort, filters, the arrow keys in a matrix, what can be copied. Without
// it the pages show the same.
(() => {
  'use strict';
  const root = document.body.dataset.root;

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === 'on') for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
      else if (value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  }

  const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

  // ---- search

  const kShown = 12;

  // What begins with the words first, then names, then what is said of them.
  function ranked(words) {
    const found = [];
    for (const [name, address, about] of window.jrpcheckIndex || []) {
      const own = name.toLowerCase();
      const all = own + ' ' + about.toLowerCase();
      if (!words.every((word) => all.includes(word))) continue;
      const rank = own.startsWith(words[0]) ? 0 : words.every((word) => own.includes(word)) ? 1 : 2;
      found.push({rank, name, address, about});
    }
    return found.sort((a, b) => a.rank - b.rank || a.name.localeCompare(b.name, 'en'));
  }

  function buildSearch() {
    const place = document.getElementById('search');
    const list = make('ul', {id: 'found', role: 'listbox', 'aria-label': 'Found', hidden: ''});
    let at = -1;
    const input = make('input', {type: 'search', placeholder: 'Find a target or a rule  ( / )', 'aria-label': 'Find a target or a rule',
      role: 'combobox', 'aria-expanded': 'false', 'aria-controls': 'found', 'aria-autocomplete': 'list', autocomplete: 'off', spellcheck: 'false'});
    const choose = (next) => {
      const items = [...list.querySelectorAll('[role=option]')];
      if (items.length === 0) return;
      at = (next + items.length) % items.length;
      items.forEach((item, i) => item.setAttribute('aria-selected', String(i === at)));
      items[at].scrollIntoView({block: 'nearest'});
      input.setAttribute('aria-activedescendant', items[at].id);
    };
    const close = () => {
      list.hidden = true;
      input.setAttribute('aria-expanded', 'false');
      input.removeAttribute('aria-activedescendant');
    };
    const show = () => {
      const words = wordsOf(input.value);
      at = -1;
      if (words.length === 0) return close();
      const found = ranked(words);
      list.replaceChildren(...found.slice(0, kShown).map((each, i) => make('li', {role: 'option', id: 'found-' + i, 'aria-selected': 'false'},
        make('a', {href: root + each.address, tabindex: '-1'}, each.name, make('span', {}, each.about.slice(0, 130))))));
      if (found.length === 0) list.append(make('li', {class: 'nothing', role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false'}, 'Nothing is called so.'));
      list.hidden = false;
      input.setAttribute('aria-expanded', 'true');
    };
    input.addEventListener('input', show);
    input.addEventListener('focus', show);
    input.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown') choose(at + 1);
      else if (event.key === 'ArrowUp') choose(at - 1);
      else if (event.key === 'Escape') close();
      else if (event.key === 'Enter') {
        const link = list.querySelectorAll('[role=option] a')[Math.max(at, 0)];
        if (link && !list.hidden) location.href = link.href;
      } else return;
      event.preventDefault();
    });
    document.addEventListener('click', (event) => {
      if (!place.contains(event.target)) close();
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
      event.preventDefault();
      input.focus();
    });
    place.append(input, list);
  }

  // ---- tables that sort

  function valueIn(row, column) {
    const cell = row.cells[column];
    const text = cell.dataset.value ?? cell.textContent.trim();
    return text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
  }

  function sortBy(table, column, isAscending) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const compared = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', {numeric: true});
    rows.sort((a, b) => compared(valueIn(a, column), valueIn(b, column)) * (isAscending ? 1 : -1));
    body.append(...rows);
    [...table.tHead.rows[0].cells].forEach((head, i) => {
      if (i === column) head.setAttribute('aria-sort', isAscending ? 'ascending' : 'descending');
      else head.removeAttribute('aria-sort');
    });
  }

  function makeSortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    const options = [];
    heads.forEach((head, column) => {
      if (head.classList.contains('plain-head') || head.querySelector('.away')) return;
      const name = head.textContent;
      head.replaceChildren(make('button', {type: 'button', on: {click: () => {
        // Numbers are looked at from the largest on.
        const isNumber = head.classList.contains('n');
        const now = head.getAttribute('aria-sort');
        sortBy(table, column, now ? now === 'descending' : !isNumber);
      }}}, name));
      options.push([column, name]);
    });
    const place = heads.findIndex((head) => head.querySelector('.away'));
    const box = make('select', {class: 'sort-by', 'aria-label': 'order of the table', on: {change: () => {
      const column = Number(box.value);
      sortBy(table, column, column === place || !heads[column].classList.contains('n'));
    }}}, ...(place < 0 ? [] : [make('option', {value: String(place)}, 'best first')]),
    ...options.map(([column, name]) => make('option', {value: String(column)}, 'by ' + name)));
    (table.closest('.panel') || table).before(box);
  }

  // ---- filters

  function filterBar(place, rows, kinds) {
    const input = make('input', {type: 'search', placeholder: 'Filter by id or text', 'aria-label': 'Filter the rules', autocomplete: 'off', spellcheck: 'false'});
    const classes = [...new Set(rows.map((row) => row.dataset.class))].sort();
    const box = make('select', {'aria-label': 'class'}, make('option', {value: ''}, 'every class'), ...classes.map((each) => make('option', {value: each}, each)));
    const kind = kinds && make('select', {'aria-label': 'which rules'}, ...kinds.map(([value, text]) => make('option', {value}, text)));
    const output = make('output', {'aria-live': 'polite'});
    const texts = rows.map((row) => row.cells[0].textContent.toLowerCase());
    const apply = () => {
      const words = wordsOf(input.value);
      let shown = 0;
      rows.forEach((row, i) => {
        const fits = (box.value === '' || row.dataset.class === box.value) && words.every((word) => texts[i].includes(word)) &&
          (!kind || kind.value === 'all' || row.dataset.harm === 'fail' || (kind.value === 'warn' && row.dataset.harm === 'warn'));
        row.hidden = !fits;
        shown += fits ? 1 : 0;
      });
      output.textContent = `${shown} of ${rows.length} rules`;
    };
    for (const control of [input, box, kind].filter(Boolean)) control.addEventListener('input', apply);
    place.replaceWith(make('div', {class: 'filter of-site'}, make('form', {role: 'search', 'aria-label': 'Filter the rules', on: {submit: (event) => event.preventDefault()}},
      input, box, kind || ''), output));
    apply();
  }

  // ---- a matrix: one sign is in the order of the Tab key, the arrows lead to the others

  function walkable(table) {
    const links = () => table.tBodies[0].querySelectorAll('td a');
    for (const link of links()) link.tabIndex = -1;
    const enter = (link) => {
      const before = table.querySelector('td a[tabindex="0"]');
      if (before) before.tabIndex = -1;
      link.tabIndex = 0;
    };
    const first = [...links()].find((link) => !link.closest('tr').hidden);
    if (first) enter(first);
    const kSteps = {ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1]};
    table.addEventListener('keydown', (event) => {
      const step = kSteps[event.key];
      const cell = event.target.closest('td');
      if (!step || !cell) return;
      event.preventDefault();
      const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
      let line = rows.indexOf(cell.parentElement);
      let column = cell.cellIndex;
      for (;;) {
        line += step[0];
        column += step[1];
        const next = rows[line] && rows[line].cells[column];
        if (!next || column < 2) return;
        const link = next.querySelector('a');
        if (!link) continue;
        enter(link);
        link.focus();
        return;
      }
    });
  }

  // ---- what can be copied, and places that are closed

  function copyButton(pre) {
    const button = make('button', {type: 'button', class: 'small', 'aria-label': 'Copy ' + pre.dataset.copy, on: {click: async () => {
      const range = document.createRange();
      range.selectNodeContents(pre);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      let copied = true;
      try {
        await navigator.clipboard.writeText(pre.textContent);
      } catch (error) {
        copied = document.execCommand('copy');
      }
      button.textContent = copied ? 'Copied' : 'Not copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    }}}, 'Copy');
    pre.previousElementSibling.append(button);
  }

  function follow() {
    let id = '';
    try {
      id = decodeURIComponent(location.hash.slice(1));
    } catch (error) {
      return;
    }
    const element = id && document.getElementById(id);
    if (!element) return;
    if (element.tagName === 'DETAILS') element.open = true;
    element.hidden = false;
    element.scrollIntoView({block: 'start'});
  }

  buildSearch();
  for (const table of document.querySelectorAll('table.sortable')) makeSortable(table);
  const rules = document.getElementById('rules-filter');
  if (rules) filterBar(rules, [...document.querySelectorAll('.rules tbody tr')]);
  const matrix = document.querySelector('table.signs');
  if (matrix) {
    filterBar(document.getElementById('matrix-filter'), [...matrix.tBodies[0].rows],
      [['warn', 'where somebody fails or warns'], ['fail', 'where somebody fails'], ['all', 'all rules']]);
    walkable(matrix);
  }
  for (const pre of document.querySelectorAll('pre[data-copy]')) copyButton(pre);
  addEventListener('hashchange', follow);
  addEventListener('beforeprint', () => {
    for (const card of document.querySelectorAll('details.card')) card.open = true;
  });
  follow();
  document.documentElement.setAttribute('data-ready', 'yes');
})();
