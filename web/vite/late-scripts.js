/* Asks for a page's scripts when the page has been painted: what can be read comes before what makes it move. The last of the files starts the page. */
(function () {
  var files = document.currentScript.dataset.files.split(' ');
  var entry = files.pop();

  function add(name, attributes) {
    document.head.append(Object.assign(document.createElement(name), { crossOrigin: '' }, attributes));
  }

  function ask() {
    files.forEach(function (file) {
      add('link', { rel: 'modulepreload', href: file });
    });
    add('script', { type: 'module', src: entry });
  }

  /* A page in a tab behind is not painted. */
  addEventListener('DOMContentLoaded', function () {
    if (document.hidden) ask();
    else requestAnimationFrame(function () { setTimeout(ask); });
  });
})();
