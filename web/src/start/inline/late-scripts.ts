/* Asks for a page's scripts when the page has been painted: what can be read comes before what makes it move. The last of the files starts the page. */
(function () {
  var root = document.documentElement;
  var files = document.currentScript.dataset.files.split(' ');
  var entry = files.pop();
  var asked = false;

  function add(name, attributes) {
    document.head.append(Object.assign(document.createElement(name), { crossOrigin: '' }, attributes));
  }

  function ask() {
    if (asked) return;
    asked = true;
    files.forEach(function (file) {
      add('link', { rel: 'modulepreload', href: file });
    });
    add('script', { type: 'module', src: entry });
  }

  /*
   * The sections that the first look left out are laid out when somebody begins to read on or to use the page, one by
   * one, so that a slow phone answers in between. Nobody waits for what is not looked at.
   */
  var MOVES = ['scroll', 'wheel', 'pointerdown', 'touchstart', 'keydown', 'resize'];

  function layOut(sections) {
    var section = sections.shift();
    if (!section) return root.removeAttribute('data-first-look');
    section.style.contentVisibility = 'visible';
    setTimeout(layOut, 50, sections);
  }

  function handleMove() {
    MOVES.forEach(function (move) {
      removeEventListener(move, handleMove, true);
    });
    layOut(Array.from(document.querySelectorAll('.site-section')));
  }

  root.setAttribute('data-first-look', '');
  document.addEventListener('hydrated', function () {
    if (scrollY > 0 || location.hash) return handleMove();
    MOVES.forEach(function (move) {
      addEventListener(move, handleMove, { capture: true, passive: true });
    });
  });

  /* A page in a tab behind is not painted, and an old browser does not tell. */
  addEventListener('DOMContentLoaded', function () {
    if (document.hidden) return ask();
    setTimeout(ask, 1500);
    try {
      new PerformanceObserver(function (list) {
        if (list.getEntriesByName('first-contentful-paint').length > 0) ask();
      }).observe({ type: 'paint', buffered: true });
    } catch {
      ask();
    }
  });
})();
