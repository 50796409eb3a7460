/* Keeps what people press and type before the page's scripts have arrived, and does it again once they have. */
(function () {
  var root = document.documentElement;
  var presses = [];
  var typed = [];

  function early() {
    return !root.hasAttribute('data-hydrated');
  }

  function keep(event, act) {
    event.preventDefault();
    event.stopPropagation();
    presses.push(act);
    root.setAttribute('data-waiting', '');
  }

  addEventListener(
    'click',
    function (event) {
      var control = early() && event.isTrusted && event.target.closest('button');
      if (control)
        keep(event, function () {
          control.click();
        });
    },
    true,
  );

  /* A box changes at once; the page's scripts hear of it later, by a press that ends in what the person chose. */
  addEventListener(
    'change',
    function (event) {
      var box = event.target;
      if (!early() || (box.type !== 'checkbox' && box.type !== 'radio')) return;
      var chosen = box.checked;
      presses.push(function () {
        box.checked = !chosen;
        box.click();
      });
    },
    true,
  );

  /* A form that left by itself would put what was typed into the address. */
  addEventListener(
    'submit',
    function (event) {
      if (early())
        keep(event, function () {
          event.target.requestSubmit();
        });
    },
    true,
  );

  addEventListener(
    'input',
    function (event) {
      var field = event.target;
      if (!early() || field.type === 'checkbox' || field.type === 'radio') return;
      var before = typed.find(function (entry) {
        return entry.field === field;
      });
      if (before) before.value = field.value;
      else typed.push({ field: field, value: field.value });
    },
    true,
  );

  document.addEventListener('hydrated', function () {
    typed.forEach(function (entry) {
      var write = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(entry.field), 'value').set;
      /* Emptied first, as React's own record of the value has it, so that the change is one. */
      entry.field.value = '';
      write.call(entry.field, entry.value);
      entry.field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    presses.forEach(function (act) {
      act();
    });
    typed = presses = [];
    root.removeAttribute('data-waiting');
  });
})();
