// What of the page stands in its address, so that a link shows what its sender saw: behind the # the
// place, and behind a ? the filter and the folds that are open.
jrpcheck.address = (() => {
  'use strict';
  const kept = new Map();  // name to text

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch (error) {
      return '';
    }
  }

  const encoded = (text) => encodeURIComponent(text).replace(/%2F/g, '/').replace(/%2C/g, ',').replace(/%20/g, '+');

  // The place, and what is set there; null where nothing is.
  function read() {
    const hash = location.hash.slice(1);
    const cut = hash.indexOf('?');
    if (cut < 0) return {place: decoded(hash), settings: null};
    return {place: decoded(hash.slice(0, cut)), settings: new URLSearchParams(hash.slice(cut + 1))};
  }

  // Going back leads to where the reader has been, not to each letter of a filter.
  function write() {
    const settings = [...kept].filter(([, text]) => text !== undefined).map(([name, text]) => name + '=' + encoded(text));
    const hash = encoded(read().place) + (settings.length > 0 ? '?' + settings.join('&') : '');
    if ('#' + hash === location.hash || hash === location.hash) return;
    try {
      history.replaceState(null, '', hash === '' ? location.pathname + location.search : '#' + hash);
    } catch (error) {
      // A browser may count how often this is done; the page works all the same.
    }
  }

  // `text` undefined: as it is without.
  function keep(name, text) {
    kept.set(name, text);
    write();
  }

  return {read, write, keep};
})();

// Folds that fill when they are opened for the first time, and stand in the address.
jrpcheck.folds = (() => {
  'use strict';
  const all = new Map();  // id to element
  let isQuiet = false;

  // While something opens many at once, none of them is the reader's doing.
  function quietly(act) {
    isQuiet = true;
    act();
    setTimeout(() => {
      isQuiet = false;
    }, 0);
  }

  function remember() {
    if (isQuiet) return;
    const open = [...all].filter(([, fold]) => fold.open).map(([id]) => id);
    const usual = [...all].filter(([, fold]) => fold.isUsuallyOpen).map(([id]) => id);
    jrpcheck.address.keep('open', open.join() === usual.join() ? undefined : open.join());
  }

  function lazy(fold, fill) {
    let filled = false;
    const act = () => {
      if (filled || !fold.open) return;
      filled = true;
      fill(fold);
    };
    fold.fill = () => {
      fold.open = true;
      act();
    };
    fold.addEventListener('toggle', () => {
      act();
      remember();
    });
    if (fold.id) all.set(fold.id, fold);
    return fold;
  }

  // `ids` absent: as it is at first.
  function restore(ids) {
    const open = ids === null ? null : new Set(ids.split(','));
    quietly(() => {
      for (const [id, fold] of all) {
        if (open === null ? fold.isUsuallyOpen : open.has(id)) fold.fill();
        else fold.open = false;
      }
    });
  }

  return {lazy, restore, quietly};
})();
