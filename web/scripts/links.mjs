/**
 * Every address that a page speaks of, with its anchor: links, pictures of all sizes, scripts, sheets, films, captions.
 * @param {string} html
 */
function addressesOf(html) {
  const plain = [...html.matchAll(/\s(?:href|src|poster)="([^"]+)"/g)].map(([, address = '']) => address);
  const sets = [...html.matchAll(/\ssrcset="([^"]+)"/gi)].flatMap(([, set = '']) =>
    set.split(',').map((part) => part.trim().split(' ')[0] ?? ''),
  );
  return [...plain, ...sets].map((address) => address.replaceAll('&amp;', '&'));
}

/**
 * @param {string} html
 * @param {string} anchor
 */
const hasAnchor = (html, anchor) => html.includes(`id="${decodeURIComponent(anchor)}"`);

/**
 * The pages of a site's sitemap, as paths.
 * @param {string} base
 */
export async function sitemapPaths(base) {
  const text = await (await fetch(`${base}/sitemap.xml`)).text();
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);
}

/**
 * Follows every link of a sitemap's pages once.
 * @param {string} base
 * @returns {Promise<{dead: string[], pages: number, links: number, elsewhere: string[]}>} the dead links as
 *   "from → address: why", and the numbers of pages and links checked.
 */
export async function deadLinks(base) {
  const paths = await sitemapPaths(base);
  const origin = new URL(base).origin;
  /** @type {Map<string, string>} */
  const from = new Map();
  /** @type {Set<string>} */
  const elsewhere = new Set();
  /** @type {string[]} */
  const dead = [];
  for (const path of paths) {
    const html = await (await fetch(base + path)).text();
    for (const address of addressesOf(html)) {
      if (/^(mailto:|tel:|data:)/.test(address)) continue;
      const url = new URL(address, base + path);
      if (url.origin !== origin) elsewhere.add(url.href);
      else if (address.startsWith('#')) {
        if (!hasAnchor(html, address.slice(1))) dead.push(`${path} → ${address}: no such anchor`);
      } else if (!from.has(url.href)) from.set(url.href, path);
    }
  }
  for (const [href, path] of from) {
    const answer = await fetch(href);
    const { hash } = new URL(href);
    if (answer.status !== 200) dead.push(`${path} → ${href}: ${answer.status}`);
    else if (hash && !hasAnchor(await answer.text(), hash.slice(1))) dead.push(`${path} → ${href}: no such anchor`);
    await answer.body?.cancel().catch(() => undefined);
  }
  return { dead, pages: paths.length, links: from.size, elsewhere: [...elsewhere] };
}
