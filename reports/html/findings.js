// Findings: a card for each cause, with what was sent, what was expected, what came, and why it matters.
jrpcheck.findings = (() => {
  'use strict';
  const {make, badge, caseLink, citation, difference, visibleText, copyButton, labelled, outward, counted,
    folds} = jrpcheck;
  const kHarms = {dies: 'dies', hangs: 'hangs', deaf: 'goes deaf', 'loses-answers': 'loses or mixes up answers'};
  const kOpenAtFirst = 3;  // cards; the others are a line each

  const skipped = (one) => one.verdict.startsWith('not-');

  // ---- what the baseline of known failures says of a case

  const kExpectations = {known: 'known failure', flaky: 'known to be flaky', unexpected: 'unexpected',
    stale: 'stale in the baseline', unchecked: 'listed in the baseline'};
  const isKnown = (one) => Boolean(one.baseline) && one.findings.length > 0 &&
    ['known', 'flaky'].includes(one.baseline.expectation);
  const knownTag = (known) => known ? make('span', {class: 'tag'}, ' known') : '';
  function expectationElement(one) {
    if (!one.baseline) return '';
    const {expectation, detail, reason} = one.baseline;
    const text = [kExpectations[expectation], detail, reason].filter(Boolean).join(': ');
    return make('p', {class: 'expectation is-' + expectation}, visibleText(text));
  }

  // ---- one finding

  const titled = (one) => make('span', {}, caseLink(one.id), ' ', visibleText(one.title));

  function evidenceElement(one, finding, lead) {
    const marks = difference(finding.expected, finding.actual);
    return make('div', {class: 'finding is-' + finding.severity},
      expectationElement(one),
      make('p', {class: 'lead'}, lead),
      labelled('Sent', finding.sent || '', 'sent'),
      make('div', {class: 'pair'},
        labelled('Expected', finding.expected, 'expected', marks.expected),
        labelled('Got', finding.actual, 'got', marks.actual)));
  }

  function reproduceElement(one) {
    if (!one.reproduce) return '';
    return labelled('Try it yourself', one.reproduce, 'try', undefined, copyButton(one.reproduce, 'the command of ' + one.id));
  }

  // ---- what is known of a requirement, whoever breaks it

  const clauseElement = (requirement) => citation(requirement.clause) === '' ? 'no document says it'
    : outward(requirement.link, citation(requirement.clause));

  function aboutElement(requirement) {
    return make('p', {class: 'about'}, clauseElement(requirement), ` \u00b7 ${requirement.level} \u00b7 ${requirement.class}`);
  }

  function whyElement(requirement) {
    return requirement.why ? make('p', {class: 'why'}, make('b', {}, 'Why it matters '), visibleText(requirement.why)) : '';
  }

  // "owner/project #7: what was seen": what names the thread leads there.
  function seenElement(requirement) {
    const seen = requirement.seen || [];
    if (seen.length === 0) return '';
    return make('div', {class: 'seen'}, make('b', {}, 'Seen in the wild'), make('ul', {}, ...seen.map((each) => {
      const end = each.text.indexOf(':');
      if (end < 0 || !each.link) return make('li', {}, visibleText(each.text));
      return make('li', {}, outward(each.link, visibleText(each.text.slice(0, end))), visibleText(each.text.slice(end)));
    })));
  }

  // The same words wherever they stand: "3 of 9 cases".
  function countText(casesOf, id) {
    const cases = (casesOf.get(id) || []).filter((one) => !skipped(one));
    const broken = cases.filter((one) => one.findings.some((finding) => finding.requirement === id));
    return `${broken.length} of ${counted(cases.length, 'case')}`;
  }

  // ---- cards

  // {cause, requirement, charges: [{one, finding}], verdict, id, title}
  function causesOf(data, cases, requirements) {
    const ids = new Map();
    return data.causes.map((cause) => {
      const charges = cause.findings.map((each) => ({one: cases.get(each.case), finding: cases.get(each.case).findings[each.finding]}));
      const first = charges[0].finding;
      const name = cause.failure ? cause.failure.toLowerCase().replace(/[^a-z0-9]+/g, '-') : first.requirement;
      const number = (ids.get(name) || 0) + 1;
      ids.set(name, number);
      return {cause, charges, verdict: cause.harm === 'warning' ? 'warn' : 'fail', id: 'finding/' + name + (number > 1 ? '/' + number : ''),
        requirement: requirements.get(first.requirement),
        title: cause.failure ? cause.failure + ' in place of answers.' : first.message};
    });
  }

  function summaryElement({cause, charges, verdict, title}, where) {
    const harm = kHarms[cause.harm];
    return make('summary', {}, badge(verdict),
      make('h3', {}, visibleText(title), harm ? make('span', {class: 'harm'}, harm) : '', knownTag(cause.known)),
      make('span', {class: 'where'}, make('code', {}, cause.failure ? '' : charges[0].finding.requirement), make('span', {}, where)));
  }

  function othersElement(id, charges) {
    const [first, ...others] = charges;
    if (others.length === 0) return '';
    const ids = [...new Set(others.map((each) => each.one.id))].filter((each) => each !== first.one.id);
    const words = ids.length === 0 ? counted(others.length, 'more finding') + ' in the same case'
      : counted(ids.length, 'more case') + ', the same way';
    const fold = make('details', {class: 'fold', id: id + '/more'}, make('summary', {}, words));
    return folds.lazy(fold, () => fold.append(...others.map((each) => evidenceElement(each.one, each.finding, titled(each.one)))));
  }

  function brokenElement(charges, casesOf) {
    const ids = [...new Set(charges.map((each) => each.finding.requirement))];
    if (ids.length < 2) return '';
    return make('p', {class: 'about'}, 'Breaks ', ...ids.flatMap((id, i) => [i === 0 ? '' : ', ',
      make('a', {href: '#req/' + id}, make('code', {}, id)), ` (${countText(casesOf, id)})`]), '.');
  }

  function fillCard(found, casesOf) {
    const {requirement, charges, id} = found;
    const [first] = charges;
    const inside = make('div', {class: 'inside'});
    if (requirement && !found.cause.failure) {
      inside.append(make('p', {class: 'asks'}, visibleText(requirement.text)), aboutElement(requirement), whyElement(requirement));
    }
    inside.append(brokenElement(charges, casesOf), evidenceElement(first.one, first.finding, titled(first.one)),
      reproduceElement(first.one), othersElement(id, charges));
    if (requirement) {
      if (!found.cause.failure) inside.append(seenElement(requirement));
      inside.append(make('p', {class: 'about'}, make('a', {href: '#req/' + requirement.id}, 'All cases of this rule'), ' \u00b7 ',
        make('a', {href: '#' + id}, 'Link to this finding'), ' \u00b7 ', make('code', {}, 'jrpcheck explain ' + requirement.id)));
    }
    return inside;
  }

  // "1 case, 7 more warn", where it does not fail in all of them.
  function casesInWords(charges) {
    const all = new Set(charges.map((each) => each.one.id)).size;
    const failing = new Set(charges.filter((each) => each.finding.severity === 'fail').map((each) => each.one.id)).size;
    const warning = all - failing;
    if (failing === 0 || warning === 0) return counted(all, 'case');
    return `${counted(failing, 'case')}, ${warning} more warn${warning === 1 ? 's' : ''}`;
  }

  // "3 of 9 cases", where this cause alone breaks the rule; else how many it breaks in this way.
  function whereText({cause, charges, requirement}, casesOf) {
    const words = casesInWords(charges);
    if (cause.failure || !requirement) return words;
    const ids = new Set(charges.map((each) => each.one.id));
    const all = countText(casesOf, requirement.id);
    if (words.includes(',')) return `this way in ${words}; broken in ${all}`;
    return all.startsWith(ids.size + ' of ') ? all : `this way in ${ids.size}, broken in ${all}`;
  }

  function cardElement(found, place, casesOf) {
    const card = make('details', {class: 'panel card is-' + found.verdict, id: found.id}, summaryElement(found, whereText(found, casesOf)));
    card.isUsuallyOpen = place < kOpenAtFirst;
    folds.lazy(card, () => card.append(fillCard(found, casesOf)));
    if (card.isUsuallyOpen) card.fill();
    return card;
  }

  return {skipped, isKnown, knownTag, kExpectations, expectationElement, evidenceElement, reproduceElement, aboutElement,
    whyElement, seenElement, countText, causesOf, cardElement};
})();
