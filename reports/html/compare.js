// Builds what a comparison needs scripting for: a filter, orders, and what is behind each sign.
(() => {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  if (data.schema !== 'jrpcheck-comparison-1') return;
  const {make, badge, citation, difference, visibleText, labelled, copyButton, outward, status, address} = jrpcheck;
  const table = document.querySelector('.matrix');
  const body = table.tBodies[0];
  const requirements = new Map(data.requirements.map((each) => [each.id, each]));
  const rows = [...body.rows].map((row) => ({row, requirement: requirements.get(row.id.slice('req/'.length)), cells: [...row.cells]}));
  const kFixed = 2;  // columns before the first server
  const heads = [...table.tHead.rows[0].cells];
  const state = {q: '', rows: '', class: '', order: '', servers: ''};

  // ---- what is behind a sign

  let opener;
  const dialog = make('dialog', {class: 'account', 'aria-labelledby': 'account-title'});
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => opener && opener.focus());

  function evidence(account) {
    if (!account) return make('p', {}, 'Nothing more is known.');
    if (account.reason !== undefined) return make('p', {}, visibleText(account.reason));
    const marks = difference(account.expected, account.actual);
    return make('div', {class: 'finding'},
      make('p', {}, make('b', {}, visibleText(account.message)), ' ', make('code', {}, account.case)),
      labelled('Sent', account.sent, 'sent'),
      make('div', {class: 'pair'}, labelled('Expected', account.expected, 'expected', marks.expected),
        labelled('Got', account.actual, 'got', marks.actual)),
      account.reproduce ? labelled('Try it yourself', account.reproduce, 'try', undefined, copyButton(account.reproduce, 'the command')) : '');
  }

  function open(button) {
    opener = button;
    const {requirement, cells} = rows.find((each) => each.row === button.closest('tr'));
    const server = cells.indexOf(button.closest('td')) - kFixed;
    const verdict = requirement.verdicts[server];
    const account = (requirement.accounts || [])[server];
    dialog.replaceChildren(
      make('header', {}, badge(verdict), make('h2', {id: 'account-title'}, visibleText(data.runs[server].name), ' ', make('code', {}, requirement.id)),
        make('button', {type: 'button', class: 'small', on: {click: () => dialog.close()}}, 'Close')),
      make('p', {class: 'asks'}, visibleText(requirement.text)),
      make('p', {class: 'about'}, citation(requirement.clause) === '' ? 'no document says it' : outward(requirement.link, citation(requirement.clause)),
        ` \u00b7 ${requirement.level} \u00b7 ${requirement.class}`),
      requirement.why ? make('p', {class: 'why'}, make('b', {}, 'Why it matters '), visibleText(requirement.why)) : '',
      evidence(account));
    dialog.showModal();
  }

  // ---- one sign is in the order of the Tab key; the arrows lead to the others

  function walk(button, down, right) {
    const shown = rows.filter((each) => !each.row.hidden).map((each) => each.row);
    let line = shown.indexOf(button.closest('tr'));
    let column = button.closest('td').cellIndex;
    for (;;) {
      line += down;
      column += right;
      if (line < 0 || line >= shown.length || column < kFixed || column >= heads.length) return;
      const next = shown[line].cells[column].querySelector('button');
      if (!next) continue;
      enter(next);
      next.focus();
      return;
    }
  }

  function enter(button) {
    for (const each of body.querySelectorAll('button[tabindex="0"]')) each.tabIndex = -1;
    if (button) button.tabIndex = 0;
  }

  const kSteps = {ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1]};
  body.addEventListener('keydown', (event) => {
    const step = kSteps[event.key];
    if (!step || event.target.tagName !== 'BUTTON') return;
    event.preventDefault();
    walk(event.target, ...step);
  });
  body.addEventListener('click', (event) => {
    const button = event.target.closest('button.cell');
    if (!button) return;
    enter(button);
    open(button);
  });

  // ---- filter and orders

  const fails = (requirement) => requirement.verdicts.filter((each) => each === 'fail').length;
  const kKinds = {
    '': ['where somebody fails or warns', (requirement) => requirement.verdicts.some((each) => each === 'fail' || each === 'warn')],
    fail: ['where somebody fails', (requirement) => fails(requirement) > 0],
    differ: ['where they differ', (requirement) => !requirement.agree],
    all: ['all rules', () => true],
  };
  const output = make('output', {'aria-live': 'polite'});

  function apply() {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    const [, fits] = kKinds[state.rows];
    let shown = 0;
    for (const {row, requirement} of rows) {
      const text = `${requirement.id}\n${requirement.text}`.toLowerCase();
      row.hidden = !(fits(requirement) && (state.class === '' || requirement.class === state.class) && words.every((word) => text.includes(word)));
      shown += row.hidden ? 0 : 1;
    }
    output.textContent = `${shown} of ${rows.length} rules`;
    document.getElementById('no-rule').hidden = shown > 0;
    const first = rows.find((each) => !each.row.hidden && each.row.querySelector('button'));
    enter(first && first.row.querySelector('button'));
    for (const [name, text] of Object.entries(state)) address.keep(name, text || undefined);
  }

  // The order of the columns; each cell keeps its place in `cells`, which is that of the data.
  function orderServers() {
    const order = data.runs.map((run, i) => i);
    if (state.servers === 'name') order.sort((a, b) => data.runs[a].name.localeCompare(data.runs[b].name, 'en'));
    table.tHead.rows[0].append(...order.map((i) => heads[kFixed + i]));
    for (const {row, cells} of rows) row.append(...order.map((i) => cells[kFixed + i]));
  }

  function orderRows() {
    const ledger = data.requirements;
    const sorted = state.order === 'ledger' ? [...rows].sort((a, b) => ledger.indexOf(a.requirement) - ledger.indexOf(b.requirement)) : rows;
    body.append(...sorted.map((each) => each.row));
  }

  function select(name, label, options, act) {
    const box = make('select', {'aria-label': label, on: {change: () => {
      state[name] = box.value;
      if (act) act();
      apply();
    }}}, ...options.map(([value, text]) => make('option', {value}, text)));
    box.restore = (value) => {
      if (options.some(([known]) => known === value)) state[name] = value;
      box.value = state[name];
      if (act) act();
    };
    controls[name] = box;
    return box;
  }

  const controls = {};
  function filterElement() {
    const input = make('input', {type: 'search', id: 'filter', placeholder: 'Filter rules by id or text', 'aria-label': 'Filter rules by id or text',
      autocomplete: 'off', spellcheck: 'false', on: {input: () => {
        state.q = input.value;
        apply();
      }}});
    input.restore = (text) => {
      state.q = input.value = text;
    };
    controls.q = input;
    const classes = [...new Set(data.requirements.map((each) => each.class))];
    return make('div', {class: 'filter of-rules'}, make('form', {role: 'search', 'aria-label': 'Filter the rules', on: {submit: (event) => event.preventDefault()}},
      input,
      select('rows', 'which rules', Object.entries(kKinds).map(([value, [text]]) => [value, text])),
      select('class', 'class', [['', 'every class'], ...classes.map((each) => [each, each])]),
      select('order', 'order of the rules', [['', 'most broken first'], ['ledger', 'in order of the clauses']], orderRows),
      select('servers', 'order of the servers', [['', 'fewest failures first'], ['name', 'servers by name']], orderServers)), output);
  }

  function follow() {
    const {place, settings} = address.read();
    if (settings) for (const [name, control] of Object.entries(controls)) control.restore(settings.get(name) || '');
    apply();
    const element = place && document.getElementById(place);
    if (!element) return;
    if (element.hidden) {
      for (const [name, control] of Object.entries(controls)) control.restore(name === 'rows' ? 'all' : '');
      apply();
    }
    element.scrollIntoView({block: 'center'});
  }

  document.getElementById('page').replaceWith(filterElement());
  document.getElementById('main').append(dialog, status);
  addEventListener('hashchange', follow);
  follow();
  document.documentElement.setAttribute('data-ready', String(rows.length));
})();
