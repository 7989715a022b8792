// Builds the page from its data.
(() => {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  if (data.schema !== 'jrpcheck-run-1') return;
  const {kWords, make, badge, caseLink, citation, textOf, block, difference, visibleText} = jrpcheck;

  // Not exercised, or not applicable; the reason says which.
  const skipped = (one) => one.verdict.startsWith('not-');
  const reasonElement = (one) => one.reason
    ? make('p', {}, kWords[one.verdict][0].toUpperCase() + kWords[one.verdict].slice(1) + ': ', visibleText(one.reason)) : '';

  // ---- parts of a case

  const status = make('p', {class: 'away', role: 'status'});
  function copyButton(text, what) {
    return make('button', {type: 'button', class: 'small', 'aria-label': 'Copy ' + what, on: {click: async (event) => {
      const button = event.currentTarget;
      let copied = true;
      try {
        await navigator.clipboard.writeText(text);
      } catch (error) {
        const area = make('textarea', {'aria-hidden': 'true'});
        area.value = text;
        document.body.append(area);
        area.select();
        copied = document.execCommand('copy');
        area.remove();
        button.focus();
      }
      button.textContent = copied ? 'Copied' : 'Not copied';
      status.textContent = copied ? 'Copied ' + what : 'Copying is not allowed here';
    }}}, 'Copy');
  }

  function labelled(label, text, kind, marks, button) {
    return make('div', {class: 'bytes ' + (kind || '')},
      make('div', {class: 'label'}, make('span', {}, label), button), block(text, marks));
  }

  function sentInStep(one, step) {
    const isOurs = (event) => event.direction === 'sent' && event.step === step &&
      !/^control call/.test(event.note || '');
    return one.transcript.filter(isOurs).map((event) => {
      const text = textOf(event);
      const headEnd = text.indexOf('\r\n\r\n');
      return headEnd >= 0 && text.includes(' HTTP/1.1\r\n') ? text.slice(headEnd + 4) : text;
    }).join('  and  ');
  }

  // What the baseline of known failures says of a case.
  const kExpectations = {known: 'known failure', flaky: 'known to be flaky', unexpected: 'unexpected',
    stale: 'stale in the baseline', unchecked: 'listed in the baseline'};
  const isKnown = (one) => Boolean(one.baseline) && one.findings.length > 0 &&
    ['known', 'flaky'].includes(one.baseline.expectation);
  function expectationElement(one) {
    if (!one.baseline) return '';
    const {expectation, detail, reason} = one.baseline;
    const text = [kExpectations[expectation], detail, reason].filter(Boolean).join(': ');
    return make('p', {class: 'expectation is-' + expectation}, visibleText(text));
  }
  const knownTag = (known) => known ? make('span', {class: 'tag'}, ' known') : '';

  function findingElement(one, finding, lead) {
    const marks = difference(finding.expected, finding.actual);
    return make('div', {class: 'finding is-' + finding.severity},
      expectationElement(one),
      make('p', {}, lead, ' ', make('b', {}, visibleText(finding.message))),
      labelled('Sent', sentInStep(one, finding.step), 'sent'),
      make('div', {class: 'pair'},
        labelled('Expected', finding.expected, 'expected', marks.expected),
        labelled('Got', finding.actual, 'got', marks.actual)));
  }

  function reproduceElement(one) {
    if (!one.reproduce) return '';
    return labelled('Try it yourself', one.reproduce, '', undefined,
      copyButton(one.reproduce, 'the command of ' + one.id));
  }

  const kEvents = {sent: '\u2192 sent', received: '\u2190 received', aside: '\u2190 aside', violation: '\u2190 violation',
    quiet: '\u2026 quiet', closed: '\u2715 closed', exited: '\u25a0 exited', stderr: '! stderr', noted: '! noted'};

  function transcriptElement(one) {
    const events = one.transcript.filter((event) => !['ended', 'checked'].includes(event.direction));
    if (events.length === 0) return '';
    const list = make('ol', {class: 'events'}, ...events.map((event) => {
      const text = textOf(event);
      return make('li', {class: event.direction},
        make('span', {class: 'at'}, (event['at-us'] / 1000).toFixed(2) + ' ms'),
        make('span', {class: 'what'}, kEvents[event.direction] || event.direction),
        make('div', {class: 'content'},
          event.note ? make('p', {class: 'note'}, visibleText(event.note)) : '',
          text === '' && event.note ? '' : block(text)));
    }));
    return make('div', {class: 'bytes'}, make('div', {class: 'label'}, 'Transcript'), list);
  }

  // ---- findings by requirement

  const requirements = new Map(data.requirements.map((each) => [each.id, each]));
  const cases = new Map(data.cases.map((each) => [each.id, each]));
  const charges = new Map();
  const casesOf = new Map();
  for (const one of data.cases) {
    for (const finding of one.findings) {
      if (!charges.has(finding.requirement)) charges.set(finding.requirement, []);
      charges.get(finding.requirement).push({one, finding});
    }
    for (const id of one.requirements) {
      if (!casesOf.has(id)) casesOf.set(id, []);
      casesOf.get(id).push(one);
    }
  }
  const gravity = {fail: 0, warn: 1};
  for (const list of charges.values()) {
    list.sort((a, b) => gravity[a.finding.severity] - gravity[b.finding.severity] || isKnown(a.one) - isKnown(b.one));
  }

  // Fills a <details> when it is opened for the first time.
  function lazy(details, fill) {
    let filled = false;
    const act = () => {
      if (filled || !details.open) return;
      filled = true;
      fill(details);
    };
    details.addEventListener('toggle', act);
    details.fill = () => {
      details.open = true;
      act();
    };
    return details;
  }

  function card(requirement, list) {
    const [first, ...others] = list;
    const element = make('article', {class: 'panel card is-' + requirement.verdict, id: 'finding/' + requirement.id},
      make('header', {}, badge(requirement.verdict), knownTag(list.every((each) => isKnown(each.one))),
        make('h3', {}, make('a', {href: '#finding/' + requirement.id}, requirement.id)),
        make('span', {class: 'tag'},
          [citation(requirement.clause), requirement.level, requirement.class].filter(Boolean).join(' \u00b7 '))),
      make('p', {}, visibleText(requirement.text)),
      findingElement(first.one, first.finding, caseLink(first.one.id)),
      reproduceElement(first.one));
    if (others.length > 0) {
      const names = new Set(others.map((each) => each.one.id));
      const fold = make('details', {class: 'fold'},
        make('summary', {}, `${others.length} more finding${others.length === 1 ? '' : 's'} of this requirement, in ` +
          `${names.size} case${names.size === 1 ? '' : 's'}`));
      element.append(lazy(fold, () => fold.append(...others.map(
        (each) => findingElement(each.one, each.finding, caseLink(each.one.id))))));
    }
    return element;
  }

  function requirementRow(requirement) {
    const list = casesOf.get(requirement.id) || [];
    const row = make('details', {class: 'req', id: 'req/' + requirement.id},
      make('summary', {}, badge(requirement.verdict), make('span', {class: 'id'}, requirement.id),
        make('span', {}, visibleText(requirement.text)),
        make('span', {class: 'where'}, citation(requirement.clause) || 'no clause', make('br', {}),
          requirement.level + ' \u00b7 ' + requirement.class)));
    return lazy(row, () => row.append(make('div', {class: 'inside'},
      reasonElement(requirement),
      charges.has(requirement.id)
        ? make('p', {}, make('a', {href: '#finding/' + requirement.id}, 'See what is wrong')) : '',
      make('p', {class: 'quiet'}, list.length === 0 ? 'No case of this run tests it.'
        : `${list.length} case${list.length === 1 ? '' : 's'} of this run:`),
      make('ul', {class: 'links'}, ...list.map((one) => make('li', {}, badge(one.verdict), ' ', caseLink(one.id)))))));
  }

  function caseRow(one) {
    const row = make('details', {class: 'case', id: 'case/' + one.id},
      make('summary', {}, badge(one.verdict), make('span', {class: 'id'}, one.id),
        make('span', {}, visibleText(one.title), knownTag(isKnown(one))),
        make('span', {class: 'where'}, skipped(one) ? '' : one['duration-ms'].toFixed(1) + ' ms')));
    return lazy(row, () => {
      const inside = make('div', {class: 'inside'},
        reasonElement(one),
        one.findings.length === 0 ? expectationElement(one) : '');
      for (const finding of one.findings) {
        inside.append(findingElement(one, finding, make('a', {href: '#req/' + finding.requirement}, make('code', {}, finding.requirement))));
      }
      inside.append(reproduceElement(one), transcriptElement(one),
        make('div', {class: 'bytes'}, make('div', {class: 'label'}, 'Requirements'),
          make('ul', {class: 'links'}, ...one.requirements.map((id) => make('li', {},
            requirements.has(id) ? make('a', {href: '#req/' + id}, make('code', {}, id)) : make('code', {}, id)))),
          make('p', {}, make('a', {href: '#case/' + one.id}, 'Link to this case'))));
      row.append(inside);
    });
  }

  // ---- observations, and what was not exercised

  function observationsElement() {
    const values = new Map();
    for (const each of data.observations) {
      if (!values.has(each.id)) values.set(each.id, new Map());
      const byValue = values.get(each.id);
      if (!byValue.has(each.value)) byValue.set(each.value, []);
      byValue.get(each.value).push(each.case);
    }
    // A report may sum them up, the points that matter most first.
    const points = new Map((data['server-profile'] || []).map((point, i) => [point.name, {rank: i, summary: point.summary}]));
    const rank = (id) => points.has(id) ? points.get(id).rank : points.size;
    const inOrder = [...values].sort(([a], [b]) => rank(a) - rank(b));
    const summaryOf = (id, byValue) => points.has(id) && !byValue.has(points.get(id).summary)
      ? make('dd', {}, make('b', {}, visibleText(points.get(id).summary))) : '';
    const rows = inOrder.map(([id, byValue]) => make('div', {}, make('dt', {}, visibleText(id)), summaryOf(id, byValue),
      ...[...byValue].map(([value, ids]) => {
        const shown = [...new Set(ids)].slice(0, 3);
        const links = shown.flatMap((caseId, i) => [i === 0 ? ' ' : ', ', caseLink(caseId)]);
        return make('dd', {}, make('b', {}, visibleText(value)),
          make('span', {class: 'quiet'}, '  ', ...links, new Set(ids).size > 3 ? ` and ${new Set(ids).size - 3} more` : ''));
      })));
    return section('observations', 'Observations', 'where the specification leaves it open, this server',
      rows.length === 0 ? make('p', {class: 'panel empty'}, 'Nothing was observed.')
                        : make('dl', {class: 'panel profile'}, ...rows));
  }

  function notExercisedElement() {
    const reasons = new Map();
    const roles = new Set();
    for (const one of data.cases) {
      if (one.verdict !== 'not-exercised') continue;
      if (!reasons.has(one.reason)) reasons.set(one.reason, []);
      reasons.get(one.reason).push(one.id);
      const role = /in the role '([a-z-]+)'/.exec(one.reason || '');
      if (role) roles.add(role[1]);
    }
    const panel = make('div', {class: 'panel'});
    if (roles.size > 0) {
      panel.append(make('div', {class: 'reason'},
        make('p', {}, `Some cases need methods whose behaviour is known: ${[...roles].join(', ')}. `,
          make('code', {}, 'jrpcheck methods'), ' with the same target writes the file in which to name yours; run again with ',
          make('code', {}, '--methods roles.json'), '.')));
    }
    for (const [reason, ids] of reasons) {
      panel.append(make('div', {class: 'reason'}, make('p', {}, visibleText(reason || ''), make('span', {class: 'quiet'}, ` (${ids.length})`)),
        make('ul', {class: 'links'}, ...ids.map((id) => make('li', {}, caseLink(id))))));
    }
    if (reasons.size === 0) panel.append(make('p', {class: 'empty'}, 'Every case was exercised.'));
    return section('not-exercised', 'Not exercised', 'never counted as passed', panel);
  }

  function section(id, title, about, ...children) {
    return make('section', {id, 'aria-labelledby': id + '-title'},
      make('h2', {id: id + '-title'}, title, about ? make('span', {class: 'quiet'}, about) : ''), ...children);
  }

  // ---- filter

  const entries = [];  // {element, verdict, classes, levels, text}
  function addEntry(kind, element, verdict, ids, texts) {
    const about = ids.map((id) => requirements.get(id)).filter(Boolean);
    entries.push({kind, element, verdict, classes: new Set(about.map((each) => each.class)),
      levels: new Set(about.map((each) => each.level)), text: [...ids, ...texts].join('\n').toLowerCase()});
  }

  const state = {text: '', verdicts: new Set(), class: '', level: ''};
  const output = make('output', {'aria-live': 'polite'});
  const nothing = {};

  function applyFilter() {
    const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = {finding: [0, 0], requirement: [0, 0], case: [0, 0]};
    for (const entry of entries) {
      const fits = (state.verdicts.size === 0 || state.verdicts.has(entry.verdict)) &&
        (state.class === '' || entry.classes.has(state.class)) &&
        (state.level === '' || entry.levels.has(state.level)) &&
        words.every((word) => entry.text.includes(word));
      if (entry.element.hidden === fits) entry.element.hidden = !fits;
      shown[entry.kind][0] += fits ? 1 : 0;
      shown[entry.kind][1] += 1;
    }
    for (const [kind, note] of Object.entries(nothing)) note.hidden = shown[kind][0] > 0;
    output.textContent = `${shown.requirement[0]} of ${shown.requirement[1]} requirements, ` +
      `${shown.case[0]} of ${shown.case[1]} cases shown`;
  }

  function select(name, values) {
    const box = make('select', {'aria-label': name, on: {change: () => {
      state[name] = box.value;
      applyFilter();
    }}}, make('option', {value: ''}, 'every ' + name), ...values.map((value) => make('option', {value}, value)));
    return box;
  }

  function filterElement() {
    const input = make('input', {type: 'search', id: 'filter', placeholder: 'Filter by id or text',
      'aria-label': 'Filter by id or text', autocomplete: 'off', spellcheck: 'false', on: {input: () => {
        state.text = input.value;
        applyFilter();
      }}});
    const chips = Object.keys(kWords).map((verdict) => {
      const chip = make('button', {type: 'button', class: verdict, 'aria-pressed': 'false', on: {click: () => {
        const pressed = !state.verdicts.delete(verdict);
        if (pressed) state.verdicts.add(verdict);
        chip.setAttribute('aria-pressed', String(pressed));
        applyFilter();
      }}}, kWords[verdict]);
      return chip;
    });
    const boxes = [select('class', data.classes.map((each) => each.name)), select('level', ['must', 'should', 'info'])];
    const clear = () => {
      state.verdicts.clear();
      Object.assign(state, {text: '', class: '', level: ''});
      input.value = '';
      for (const box of boxes) box.value = '';
      for (const chip of chips) chip.setAttribute('aria-pressed', 'false');
      applyFilter();
    };
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
      event.preventDefault();
      input.focus();
    });
    filterElement.clear = clear;
    return make('div', {class: 'filter'}, make('form', {role: 'search', 'aria-label': 'Filter the results', on: {submit: (event) => event.preventDefault()}},
      input, make('div', {class: 'chips', role: 'group', 'aria-label': 'Verdicts'}, ...chips), ...boxes,
      make('button', {type: 'button', on: {click: clear}}, 'Clear')), output);
  }

  // ---- the page

  function emptyNote(kind, text) {
    nothing[kind] = make('p', {class: 'empty', hidden: true}, text);
    return nothing[kind];
  }

  function findingsElement() {
    const exercised = data.counts.pass + data.counts.warn + data.counts.fail;
    const cards = [];
    for (const verdict of ['fail', 'warn']) {
      for (const requirement of data.requirements) {
        const list = charges.get(requirement.id);
        if (requirement.verdict !== verdict || !list) continue;
        const element = card(requirement, list);
        cards.push(element);
        addEntry('finding', element, verdict, [requirement.id],
          [requirement.text, ...list.flatMap(({one, finding}) => [one.id, one.title, finding.message])]);
      }
    }
    const about = cards.length === 0 ? '' : `${cards.length} requirement${cards.length === 1 ? '' : 's'}`;
    return section('findings', 'Findings', about, ...cards, cards.length === 0
      ? make('p', {class: 'panel empty'}, exercised > 0
        ? 'Nothing that was exercised fails or warns.' : 'Nothing was exercised, so nothing can be said.')
      : emptyNote('finding', 'The filter hides all findings.'));
  }

  function build() {
    const findings = findingsElement();
    const rows = data.requirements.map((requirement) => {
      const row = requirementRow(requirement);
      addEntry('requirement', row, requirement.verdict, [requirement.id], [requirement.text, citation(requirement.clause)]);
      return row;
    });
    const caseRows = data.cases.map((one) => {
      const row = caseRow(one);
      addEntry('case', row, one.verdict, one.requirements, [one.id, one.title,
        one.baseline ? kExpectations[one.baseline.expectation] : '', ...one.findings.map((each) => each.message)]);
      return row;
    });
    const ledger = document.getElementById('ledger-body');
    ledger.className = 'panel rows';
    ledger.replaceChildren(...rows, emptyNote('requirement', 'The filter hides all requirements.'));
    const jump = make('nav', {class: 'jump', 'aria-label': 'Sections'}, ...[['findings', 'Findings'], ['requirements', 'Requirements'],
      ['cases', 'Cases'], ['observations', 'Observations'], ['not-exercised', 'Not exercised']]
      .map(([id, title]) => make('a', {href: '#' + id}, title)));
    document.getElementById('page').replaceWith(jump, filterElement(), findings);
    document.getElementById('rest').replaceWith(section('cases', 'Cases', `${data.cases.length} of this run`,
      make('div', {class: 'panel rows'}, ...caseRows, emptyNote('case', 'The filter hides all cases.'))),
      observationsElement(), notExercisedElement(), status);
    applyFilter();
  }

  // A link to what the filter hides, or what is closed, opens it.
  function follow() {
    let id = location.hash.slice(1);
    try {
      id = decodeURIComponent(id);
    } catch (error) {
      return;
    }
    const element = id && document.getElementById(id);
    if (!element) return;
    if (element.hidden) filterElement.clear();
    if (element.fill) element.fill();
    element.scrollIntoView({block: 'start'});
    const focus = element.querySelector('summary, h2, h3 a');
    if (focus && element.fill) focus.focus({preventScroll: true});
  }

  build();
  addEventListener('hashchange', follow);
  // A second click on the same link changes no hash.
  document.addEventListener('click', (event) => {
    const link = event.target.closest && event.target.closest('a[href^="#"]');
    if (link && link.getAttribute('href') === location.hash) follow();
  });
  addEventListener('beforeprint', () => {
    for (const fold of document.querySelectorAll('.card .fold')) fold.fill();
  });
  follow();
  document.documentElement.setAttribute('data-ready', String(cases.size));
})();
