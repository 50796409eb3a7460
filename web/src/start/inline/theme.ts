/* Sets the colour theme before the first paint. The build puts it into the pages themselves. */
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('franchise360-theme');
  } catch (error) {
    /* Storage may be blocked; the system's preference then decides. */
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-bs-theme', dark ? 'dark' : 'light');
})();
