// Builds the page of a run from its data.
(() => {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  if (data.schema !== 'jrpcheck-run-1') return;
  const {kWords, make, badge, caseLink, citation, textOf, block, visibleText, status, counted, address, folds, filter} = jrpcheck;
  const {skipped, isKnown, knownTag, kExpectations, expectationElement, evidenceElement, reproduceElement, aboutElement,
    whyElement, seenElement, countText, causesOf, cardElement} = jrpcheck.findings;

  const requirements = new Map(data.requirements.map((each) => [each.id, each]));
  const cases = new Map(data.cases.map((each) => [each.id, each]));
  const causes = causesOf(data, cases, requirements);
  // What is charged to a requirement is a case of it, whether it was meant to be or not.
  const casesOf = new Map();
  for (const one of data.cases) {
    for (const id of new Set([...one.requirements, ...one.findings.map((finding) => finding.requirement)])) {
      if (!casesOf.has(id)) casesOf.set(id, []);
      casesOf.get(id).push(one);
    }
  }
  // Which card tells of a requirement: links from elsewhere lead there.
  const cardOf = new Map();
  for (const {charges, id} of causes) {
    for (const {finding} of charges) if (!cardOf.has(finding.requirement)) cardOf.set(finding.requirement, id);
  }

  // ---- parts of a case

  const reasonElement = (one) => one.reason
    ? make('p', {}, kWords[one.verdict][0].toUpperCase() + kWords[one.verdict].slice(1) + ': ', visibleText(one.reason)) : '';

  const kEvents = {sent: '\u2192 sent', received: '\u2190 received', quiet: '\u2026 quiet',
    closed: '\u2715 closed', exited: '\u25a0 exited', stderr: '! stderr', noted: '! noted'};

  function transcriptElement(one) {
    const events = one.transcript.filter((event) => !['ended', 'checked'].includes(event.direction));
    if (events.length === 0) return '';
    const list = make('ol', {class: 'events'}, ...events.map((event) => {
      const text = textOf(event);
      return make('li', {class: event.direction},
        make('span', {class: 'at'}, (event['at-us'] / 1000).toFixed(2) + ' ms'),
        make('span', {class: 'what'}, event.as ? '\u2190 ' + event.as : kEvents[event.direction] || event.direction),
        make('div', {class: 'content'},
          event.note ? make('p', {class: 'note'}, visibleText(event.note)) : '',
          text === '' && event.note ? '' : block(text)));
    }));
    return make('div', {class: 'bytes'}, make('div', {class: 'label'}, 'Transcript'), list);
  }

  // ---- rows

  function casesElement(requirement) {
    const list = casesOf.get(requirement.id) || [];
    if (list.length === 0) return make('p', {class: 'quiet'}, 'No case of this run tests it.');
    const idle = list.filter(skipped).length;
    const broken = cardOf.has(requirement.id) ? make('a', {href: '#' + cardOf.get(requirement.id)}, `Broken in ${countText(casesOf, requirement.id)}`)
      : counted(list.length - idle, 'case');
    return make('div', {}, make('p', {}, broken, idle > 0 ? `; ${counted(idle, 'other')} not exercised or not applicable.` : '.'),
      make('ul', {class: 'links'}, ...list.map((one) => make('li', {}, badge(one.verdict), ' ', caseLink(one.id)))));
  }

  function requirementRow(requirement) {
    const row = make('details', {class: 'req', id: 'req/' + requirement.id},
      make('summary', {}, badge(requirement.verdict), make('span', {class: 'id'}, requirement.id),
        make('span', {}, visibleText(requirement.text)),
        make('span', {class: 'where'}, citation(requirement.clause) || 'no clause', make('br', {}),
          requirement.level + ' \u00b7 ' + requirement.class)));
    return folds.lazy(row, () => row.append(make('div', {class: 'inside'}, reasonElement(requirement), aboutElement(requirement),
      whyElement(requirement), casesElement(requirement), seenElement(requirement))));
  }

  function caseRow(one) {
    const row = make('details', {class: 'case', id: 'case/' + one.id},
      make('summary', {}, badge(one.verdict), make('span', {class: 'id'}, one.id),
        make('span', {}, visibleText(one.title), knownTag(isKnown(one))),
        make('span', {class: 'where'}, skipped(one) ? '' : one['duration-ms'].toFixed(1) + ' ms')));
    return folds.lazy(row, () => {
      const inside = make('div', {class: 'inside'},
        reasonElement(one),
        one.findings.length === 0 ? expectationElement(one) : '');
      for (const finding of one.findings) {
        inside.append(evidenceElement(one, finding, make('span', {},
          make('a', {href: '#req/' + finding.requirement}, make('code', {}, finding.requirement)), ' ', make('b', {}, visibleText(finding.message)))));
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
    return make('section', {id, class: 'list', 'aria-labelledby': id + '-title'},
      make('h2', {id: id + '-title'}, title, about ? make('span', {class: 'quiet'}, about) : ''), ...children);
  }

  // ---- the page

  function cardsElement() {
    const exercised = data.counts.pass + data.counts.warn + data.counts.fail;
    const cards = causes.map((found, place) => {
      const element = cardElement(found, place, casesOf);
      const about = [...new Set(found.charges.map((each) => each.finding.requirement))].map((id) => requirements.get(id)).filter(Boolean);
      filter.add('finding', element, found.verdict, about, [found.title, ...about.map((each) => each.text),
        ...found.charges.flatMap(({one, finding}) => [one.id, one.title, finding.message])]);
      return element;
    });
    const element = section('findings', 'Findings', cards.length < 2 ? '' : 'what hurts most comes first', ...cards, cards.length === 0
      ? make('p', {class: 'panel empty'}, exercised > 0
        ? 'Nothing that was exercised fails or warns.' : 'Nothing was exercised, so nothing can be said.')
      : filter.emptyNote('finding', 'The filter hides all findings.'));
    element.classList.remove('list');
    return element;
  }

  function printButtons() {
    const print = (everything) => {
      document.documentElement.classList.toggle('with-lists', everything);
      window.print();
    };
    return make('span', {class: 'print'}, make('button', {type: 'button', class: 'small', on: {click: () => print(false)}}, 'Print'),
      make('button', {type: 'button', class: 'small', on: {click: () => print(true)}}, 'Print with all lists'));
  }

  function build() {
    const findings = cardsElement();
    const rows = data.requirements.map((requirement) => {
      const row = requirementRow(requirement);
      filter.add('requirement', row, requirement.verdict, [requirement], [requirement.text, citation(requirement.clause)]);
      return row;
    });
    const caseRows = data.cases.map((one) => {
      const row = caseRow(one);
      filter.add('case', row, one.verdict, one.requirements.map((id) => requirements.get(id)).filter(Boolean),
        [...one.requirements, one.id, one.title, one.baseline ? kExpectations[one.baseline.expectation] : '', ...one.findings.map((each) => each.message)]);
      return row;
    });
    const ledger = document.getElementById('ledger-body');
    ledger.className = 'panel rows';
    ledger.replaceChildren(...rows, filter.emptyNote('requirement', 'The filter hides all requirements.'));
    const jump = make('nav', {class: 'jump', 'aria-label': 'Sections'}, ...[['findings', 'Findings'], ['classes', 'Classes'],
      ['requirements', 'Requirements'], ['cases', 'Cases'], ['observations', 'Observations'], ['not-exercised', 'Not exercised'], ['about', 'This run']]
      .filter(([id]) => id !== 'classes' || document.getElementById(id))
      .map(([id, title]) => make('a', {href: '#' + id}, title)), printButtons());
    const verdicts = new Set([...data.cases, ...data.requirements].map((each) => each.verdict));
    document.getElementById('page').replaceWith(jump, filter.element(data.classes.map((each) => each.name), verdicts), findings);
    document.getElementById('rest').replaceWith(section('cases', 'Cases', `${data.cases.length - data.counts['not-applicable']} that apply`,
      make('div', {class: 'panel rows'}, ...caseRows, filter.emptyNote('case', 'The filter hides all cases.'))),
      observationsElement(), notExercisedElement(), status);
    filter.apply();
  }

  // A place that the filter hides, or that is closed, is opened.
  function follow() {
    const {place, settings} = address.read();
    if (settings) {
      filter.restore(settings);
      if (settings.has('open')) {
        folds.restore(settings.get('open'));
        address.keep('open', settings.get('open'));
      }
    }
    const requirement = place.startsWith('finding/') ? cardOf.get(place.slice('finding/'.length)) : undefined;
    const element = document.getElementById(place) || (requirement && document.getElementById(requirement));
    address.write();
    if (!element) return;
    if (element.hidden) filter.clear();
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
  // On paper nothing can be opened.
  addEventListener('beforeprint', () => folds.quietly(() => {
    for (const fold of document.querySelectorAll('.card, .card .fold')) fold.fill();
  }));
  addEventListener('afterprint', () => document.documentElement.classList.remove('with-lists'));
  follow();
  document.documentElement.setAttribute('data-ready', String(cases.size));
})();
