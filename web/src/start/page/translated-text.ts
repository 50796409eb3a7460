/** Text nodes that a translator took out of the page, and the elements that it put in their place. */
interface Translation {
  texts: readonly Text[];
  shown: readonly Element[];
}

const translations = new WeakMap<Node, Translation>();

const isText = (node: Node | null): node is Text => node?.nodeType === Node.TEXT_NODE;
const isTranslated = (node: Node | null): node is Element => node?.nodeName === 'FONT';

/** Puts a text that a translator replaced back into the page. The translator then translates it again. */
function putBack(node: Node): void {
  const found = translations.get(node);
  if (!found) return;
  found.texts.forEach((text) => translations.delete(text));
  const [first, ...rest] = found.shown.filter(({ parentNode }) => parentNode);
  first?.replaceWith(...found.texts);
  rest.forEach((element) => element.remove());
}

/** Makes a node that React holds for a child of `parent` one again: a translator has replaced or wrapped it. */
function returnTo(parent: Node, node: Node | null): void {
  if (!isText(node) || node.parentNode === parent) return;
  putBack(node);
  let wrapper: Node = node;
  while (isTranslated(wrapper.parentNode) && wrapper.parentNode !== parent) wrapper = wrapper.parentNode;
  if (wrapper !== node && wrapper.parentNode === parent) (wrapper as Element).replaceWith(node);
}

/** React places and removes nodes by these three methods alone. */
function guardChildren(): void {
  const { appendChild, insertBefore, removeChild } = Node.prototype;
  Node.prototype.appendChild = function <T extends Node>(this: Node, node: T): T {
    putBack(node);
    return appendChild.call(this, node) as T;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    putBack(node);
    returnTo(this, before);
    return insertBefore.call(this, node, before) as T;
  };
  Node.prototype.removeChild = function <T extends Node>(this: Node, node: T): T {
    returnTo(this, node);
    return removeChild.call(this, node) as T;
  };
}

/**
 * Keeps the page working while a translator, such as Chrome's, replaces its texts by elements. React keeps references to the removed text
 * nodes: it would throw NotFoundError when it removes such a node or inserts before it, and its updates of the node would be invisible
 * (github.com/facebook/react/issues/11538). Browser methods are patched only once a translator is active.
 */
export function surviveTranslators(): void {
  let guarded = false;
  const written = new MutationObserver((changes) => changes.forEach(({ target }) => putBack(target)));
  const handleChanges = (changes: MutationRecord[]) => {
    for (const { addedNodes, removedNodes, previousSibling, nextSibling } of changes) {
      const texts = [...removedNodes].filter(isText);
      if (texts.length === 0) continue;
      const added = [...addedNodes].filter(isTranslated);
      const shown = added.length > 0 ? added : [previousSibling, nextSibling].filter(isTranslated).slice(0, 1);
      if (shown.length === 0) continue;
      if (!guarded) guardChildren();
      guarded = true;
      for (const text of texts) {
        translations.set(text, { texts, shown });
        written.observe(text, { characterData: true });
      }
    }
  };
  new MutationObserver(handleChanges).observe(document.body, { childList: true, subtree: true });
}
