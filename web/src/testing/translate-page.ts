/**
 * Imitates Chrome's "Translate": replaces every text node by two <font> elements, now and for later additions, until the
 * returned function is called. It references nothing outside itself, so that browser tests can send it into a page.
 */
export function translatePage(): () => void {
  const translated = (text: string) => {
    const outer = document.createElement('font');
    const inner = document.createElement('font');
    inner.textContent = text;
    outer.append(inner);
    return outer;
  };
  const translate = (root: Element) => {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (walk.nextNode()) found.push(walk.currentNode as Text);
    for (const node of found) {
      if (!node.data.trim() || node.parentElement?.closest('script, style, textarea, font')) continue;
      node.replaceWith(translated(node.data));
    }
  };
  translate(document.body);
  const handleChanges = (changes: MutationRecord[]) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node.nodeType === Node.ELEMENT_NODE && node.nodeName !== 'FONT') translate(node as Element);
  };
  const observer = new MutationObserver(handleChanges);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
