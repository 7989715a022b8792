// Elements of the page, bytes made visible, and what differs between expected and actual. Whatever a
// server said goes into text nodes and nowhere else.
const jrpcheck = (() => {
  'use strict';
  const kFold = 1200;      // characters of a text that are shown at once
  const kUnfold = 100000;  // and how many more each time they are asked for
  const kWords = {pass: 'pass', warn: 'warn', fail: 'fail', 'not-exercised': 'not exercised',
    'not-applicable': 'not applicable'};

  // ---- elements

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === undefined || value === false) continue;
      if (name === 'on') {
        for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
      } else {
        element.setAttribute(name, value === true ? '' : value);
      }
    }
    element.append(...children.filter((child) => child !== undefined && child !== ''));
    return element;
  }

  const badge = (verdict) =>
    make('span', {class: 'verdict ' + verdict}, kWords[verdict] || verdict);
  const caseLink = (id) => make('a', {href: '#case/' + id}, make('code', {}, id));
  const citation = (clause) =>
    clause === '-' ? '' : /^\d/.test(clause) ? 'JSON-RPC 2.0 \u00a7' + clause : clause;

  // ---- bytes made visible

  // Marks that join the character before them, blanks that are no U+0020, and what Unicode holds twice.
  const kLookAlikes = '\\u00a0\\u0300-\\u036f\\u037e\\u0483-\\u0489\\u1161-\\u11ff\\u1680\\u1ab0-\\u1aff\\u1dc0-\\u1dff' +
    '\\u1fef\\u2000-\\u200a\\u202f\\u205f\\u20d0-\\u20e2\\u20e4-\\u20ff\\u2126\\u212a\\u212b\\u2800\\u3000\\u3099\\u309a' +
    '\\ud7b0-\\ud7ff\\uf900-\\ufaff\\ufe20-\\ufe2f\\u{2f800}-\\u{2fa1f}';

  // Controls, characters that are invisible or turn the direction of writing, and what is no
  // character at all.
  const kHidden = new RegExp('[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5' +
    '\\u180b-\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufe00-\\ufe0f' +
    '\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff\\u{e0000}-\\u{e0fff}\\u{10ff00}-\\u{10ffff}' + kLookAlikes + ']', 'gu');
  const kNames = {'\n': '\\n', '\r': '\\r', '\t': '\\t'};

  function nameOf(character) {
    if (kNames[character]) return kNames[character];
    const code = character.codePointAt(0);
    return code < 0x100 ? '\\x' + code.toString(16).padStart(2, '0')
                        : '\\u{' + code.toString(16) + '}';
  }

  // Bytes that are not UTF-8 stand as \xff; they travel as characters of a private plane.
  const kPrivate = 0x10ff00;
  function textOfBase64(base64) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const strict = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
    let text = '';
    let at = 0;
    while (at < bytes.length) {
      const lead = bytes[at];
      const length = lead < 0x80 ? 1 : lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      let end = at + 1;
      if (lead < 0x80) {
        while (end < bytes.length && bytes[end] < 0x80) ++end;
      } else {
        end = at + length;
      }
      try {
        text += strict.decode(bytes.subarray(at, end));
        at = end;
      } catch (error) {
        text += String.fromCodePoint(kPrivate + lead);
        ++at;
      }
    }
    return text;
  }

  // Where such characters are meant they are named, lest they pass for bytes.
  const textOf = (event) => event.base64 !== undefined ? textOfBase64(event.base64)
    : (event.text || '').replace(/[\u{10ff00}-\u{10ffff}]/gu,
      (character) => '\\u{' + character.codePointAt(0).toString(16) + '}');

  function appendVisible(parent, text) {
    let last = 0;
    for (const match of text.matchAll(kHidden)) {
      if (match.index > last) parent.append(text.slice(last, match.index));
      const code = match[0].codePointAt(0);
      const name = code >= kPrivate ? '\\x' + (code - kPrivate).toString(16).padStart(2, '0')
                                    : nameOf(match[0]);
      parent.append(make('span', {class: 'esc'}, name));
      if (match[0] === '\n') parent.append('\n');
      last = match.index + match[0].length;
    }
    if (last < text.length) parent.append(text.slice(last));
  }

  // What a program says as it dies has lines of its own, which stand in it as \n.
  const kLastWords = 'standard error ends with: ';
  function lastWords(text) {
    const at = text.indexOf(kLastWords) + kLastWords.length;
    const lines = text.slice(at).split('\\n').filter(Boolean);
    return make('div', {}, make('pre', {}, visibleText(text.slice(0, at - 1)), ...lines.flatMap((line) => ['\n', visibleText(line)])));
  }

  // A <pre> that holds the text, its beginning first where it is long.
  function block(text, marks) {
    if (text.length < kFold && text.includes(kLastWords)) return lastWords(text);
    const pre = make('pre', {});
    if (text === '') {
      pre.append(make('span', {class: 'quiet'}, '(nothing)'));
      return make('div', {}, pre);
    }
    const box = make('div', {}, pre);
    let at = 0;
    const show = (count) => {
      let end = Math.min(at + count, text.length);
      if (/[\ud800-\udbff]/.test(text[end - 1])) ++end;  // half a character
      const piece = text.slice(at, end);
      if (at === 0 && marks) appendMarked(pre, piece, marks);
      else appendVisible(pre, piece);
      at = end;
    };
    show(kFold);
    if (at < text.length) {
      const left = () => `Show more: ${(text.length - at).toLocaleString('en')} characters are folded`;
      const button = make('button', {type: 'button', class: 'small more', on: {click: () => {
        show(kUnfold);
        if (at < text.length) button.textContent = left();
        else button.remove();
      }}}, left());
      box.append(button);
    }
    return box;
  }

  // ---- what differs between expected and actual

  // What the description of the expectation says of a part, and where the reply has that part.
  const kParts = [
    {expected: /\bid ((?:(?:null|-?\d[\d.eE+-]*|"(?:[^"\\]|\\.)*")(?: or )?)+)/g,
     actual: /"id"\s*:\s*(null|true|false|-?\d[\d.eE+-]*|"(?:[^"\\]|\\.)*")/g},
    {expected: /\berror ((?:-?\d+(?: or )?)+)/g, actual: /"code"\s*:\s*(-?\d[\d.eE+-]*|null|"(?:[^"\\]|\\.)*")/g},
    {expected: /\bresult (-?\d[\d.eE+-]*|null|true|false|"(?:[^"\\]|\\.)*")/g,
     actual: /"result"\s*:\s*(null|true|false|-?\d[\d.eE+-]*|"(?:[^"\\]|\\.)*")/g},
    {expected: /"jsonrpc"\s*:\s*("2\.0")/g, actual: /"jsonrpc"\s*:\s*(null|true|false|-?\d[\d.eE+-]*|"(?:[^"\\]|\\.)*")/g},
  ];

  function rangesOf(pattern, text) {
    return [...text.matchAll(pattern)].map((match) => {
      const begin = match.index + match[0].lastIndexOf(match[1]);
      return {begin, end: begin + match[1].length, text: match[1]};
    });
  }

  // Marks what stands on one side and not on the other; nothing where that cannot be told.
  function difference(expected, actual) {
    const marks = {expected: [], actual: []};
    const alternatives = expected.includes(', or ');  // a part may belong to another of them
    for (const part of kParts) {
      const wanted = rangesOf(part.expected, expected.slice(0, kFold));
      const got = rangesOf(part.actual, actual.slice(0, kFold));
      const allowed = new Set(wanted.flatMap((range) => range.text.split(' or ')));
      if (wanted.length === 0) continue;
      const wrong = got.filter((range) => !allowed.has(range.text));
      if (wrong.length === 0 && (got.length > 0 || alternatives || actual[0] !== '{')) continue;
      marks.actual.push(...wrong);
      marks.expected.push(...wanted);
    }
    // What is expected in place of a reply, or a reply in place of that, differs as a whole.
    if (marks.expected.length === 0 && marks.actual.length === 0 && actual.length < 200 &&
        /^(silence|HTTP \d|a closed|no answer)/.test(expected) !==
        /^(silence|HTTP \d+: nothing|a closed|no answer|nothing)/.test(actual)) {
      marks.actual.push({begin: 0, end: actual.length});
    }
    for (const side of Object.values(marks)) side.sort((a, b) => a.begin - b.begin);
    return marks;
  }

  function appendMarked(parent, text, ranges) {
    let last = 0;
    for (const range of ranges) {
      if (range.begin < last || range.begin >= text.length) continue;
      appendVisible(parent, text.slice(last, range.begin));
      const mark = make('mark', {});
      appendVisible(mark, text.slice(range.begin, range.end));
      parent.append(mark);
      last = range.end;
    }
    appendVisible(parent, text.slice(last));
  }

  function visibleText(text) {
    const fragment = document.createDocumentFragment();
    appendVisible(fragment, text);
    return fragment;
  }

  // ---- what can be copied, and what stands under a label

  const status = make('p', {class: 'away', role: 'status'});
  const kCopied = 2000;  // milliseconds for which a button says so
  function copyButton(text, what) {
    let reset;
    const say = (button, word, message) => {
      button.textContent = word;
      status.textContent = message;
      clearTimeout(reset);
      reset = setTimeout(() => {
        button.textContent = 'Copy';
        status.textContent = '';
      }, kCopied);
    };
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
      if (copied) say(button, 'Copied', 'Copied ' + what);
      else say(button, 'Not copied', 'Copying is not allowed here');
    }}}, 'Copy');
  }

  function labelled(label, text, kind, marks, button) {
    return make('div', {class: 'bytes ' + (kind || '')},
      make('div', {class: 'label'}, make('span', {}, label), button), block(text, marks));
  }

  // What a run says of addresses is not trusted: a link leads to a page, and nowhere else.
  function outward(address, ...children) {
    if (!/^https:\/\/[a-z0-9.-]+\//.test(address || '')) return make('span', {}, ...children);
    return make('a', {href: address, rel: 'noreferrer noopener', target: '_blank'}, ...children);
  }

  const counted = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

  return {kWords, make, badge, caseLink, citation, textOf, block, difference, visibleText, status, copyButton,
    labelled, outward, counted};
})();
