// The filter over findings, requirements and cases.
jrpcheck.filter = (() => {
  'use strict';
  const {kWords, make, address} = jrpcheck;
  const kShown = ['fail', 'warn', 'pass', 'not-exercised', 'not-applicable'];
  const entries = [];  // {kind, element, verdict, classes, levels, text}
  const state = {text: '', verdicts: new Set(), class: '', level: ''};
  const output = make('output', {'aria-live': 'polite'});
  const nothing = {};  // notes by kind, shown where the filter hides all of a kind
  const controls = {};

  function add(kind, element, verdict, about, texts) {
    entries.push({kind, element, verdict, classes: new Set(about.map((each) => each.class)),
      levels: new Set(about.map((each) => each.level)),
      text: [...about.map((each) => each.id), ...texts].join('\n').toLowerCase()});
  }

  function apply() {
    const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = {finding: [0, 0], requirement: [0, 0], case: [0, 0]};
    const visible = new Set();  // kinds
    for (const entry of entries) {
      const fits = (state.verdicts.size === 0 || state.verdicts.has(entry.verdict)) &&
        (state.class === '' || entry.classes.has(state.class)) &&
        (state.level === '' || entry.levels.has(state.level)) &&
        words.every((word) => entry.text.includes(word));
      if (entry.element.hidden === fits) entry.element.hidden = !fits;
      if (fits) visible.add(entry.kind);
      if (entry.verdict === 'not-applicable') continue;  // listed, and not counted
      shown[entry.kind][0] += fits ? 1 : 0;
      shown[entry.kind][1] += 1;
    }
    for (const [kind, note] of Object.entries(nothing)) note.hidden = visible.has(kind);
    output.textContent = `${shown.finding[0]} of ${shown.finding[1]} findings, ${shown.requirement[0]} of ` +
      `${shown.requirement[1]} requirements, ${shown.case[0]} of ${shown.case[1]} cases`;
    for (const link of document.querySelectorAll('.numbers a, .of-classes a')) {
      const wanted = new URLSearchParams(link.hash.split('?')[1]);
      const isOn = wanted.has('verdict') ? state.verdicts.size === 1 && state.verdicts.has(wanted.get('verdict'))
        : state.class === wanted.get('class');
      if (isOn) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }

  // What stands in the address.
  function keep() {
    const texts = {q: state.text, verdict: [...state.verdicts].join(), class: state.class, level: state.level};
    for (const [name, text] of Object.entries(texts)) address.keep(name, text || undefined);
  }

  function change() {
    apply();
    keep();
  }

  // Takes it over from there; what is not known there is passed over.
  function restore(settings) {
    const one = (name, known) => known.includes(settings.get(name)) ? settings.get(name) : '';
    state.text = settings.get('q') || '';
    state.verdicts = new Set((settings.get('verdict') || '').split(',').filter((each) => kWords[each]));
    state.class = one('class', controls.classNames);
    state.level = one('level', controls.levelNames);
    show();
    change();
  }

  function show() {
    controls.input.value = state.text;
    controls.class.value = state.class;
    controls.level.value = state.level;
    for (const [verdict, chip] of Object.entries(controls.chips)) {
      chip.setAttribute('aria-pressed', String(state.verdicts.has(verdict)));
    }
  }

  const clear = () => restore(new URLSearchParams());

  function select(name, values) {
    const box = make('select', {'aria-label': name, on: {change: () => {
      state[name] = box.value;
      change();
    }}}, make('option', {value: ''}, 'every ' + name), ...values.map((value) => make('option', {value}, value)));
    controls[name] = box;
    return box;
  }

  function chipOf(verdict) {
    const chip = make('button', {type: 'button', class: verdict, 'aria-pressed': 'false', on: {click: () => {
      if (!state.verdicts.delete(verdict)) state.verdicts.add(verdict);
      show();
      change();
    }}}, kWords[verdict]);
    controls.chips[verdict] = chip;
    return chip;
  }

  // A slash leads to it from everywhere.
  function listenForSlash() {
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
      event.preventDefault();
      controls.input.focus();
    });
  }

  function element(classNames, verdicts) {
    controls.classNames = classNames;
    controls.levelNames = ['must', 'should', 'info'];
    controls.chips = {};
    controls.input = make('input', {type: 'search', id: 'filter', placeholder: 'Filter by id or text', 'aria-label': 'Filter by id or text',
      autocomplete: 'off', spellcheck: 'false', on: {input: () => {
        state.text = controls.input.value;
        change();
      }}});
    listenForSlash();
    return make('div', {class: 'filter'}, make('form', {role: 'search', 'aria-label': 'Filter the results', on: {submit: (event) => event.preventDefault()}},
      controls.input,
      make('div', {class: 'chips', role: 'group', 'aria-label': 'Verdicts'}, ...kShown.filter((each) => verdicts.has(each)).map(chipOf)),
      select('class', classNames), select('level', controls.levelNames),
      make('button', {type: 'button', on: {click: clear}}, 'Clear')), output);
  }

  function emptyNote(kind, text) {
    nothing[kind] = make('p', {class: 'empty', hidden: true}, text);
    return nothing[kind];
  }

  return {add, apply, clear, element, emptyNote, restore};
})();
