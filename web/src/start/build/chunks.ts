import type { Manifest, ManifestChunk } from 'vite';

/** Adds a chunk and all that it imports. */
function visit(manifest: Manifest, key: string, into: Set<string>): void {
  if (into.has(key)) return;
  into.add(key);
  for (const next of manifest[key]?.imports ?? []) visit(manifest, next, into);
}

/** The chunks that every page loads: the entry, and its imports. */
export function chunksOfEveryPage(manifest: Manifest): Set<string> {
  const found = new Set<string>();
  visit(manifest, 'index.html', found);
  for (const part of manifest['index.html']?.dynamicImports ?? []) visit(manifest, part, found);
  return found;
}

/** The files of these chunks. */
export const filesOf = (manifest: Manifest, chunks: Iterable<string>): string[] =>
  [...chunks].flatMap((key) => manifest[key]?.file ?? []);

export interface PageAssets {
  /** The style sheets of the page and of its late parts. */
  styles: string[];
  scripts: string[];
}

/** What a page's modules need beyond the chunks of every page, and the style sheets of its late parts. */
export function assetsOf(manifest: Manifest, sources: readonly string[], late: readonly string[]): PageAssets {
  const started = chunksOfEveryPage(manifest);
  const seen = new Set<string>();
  const visitAll = (names: readonly string[]): ManifestChunk[] => {
    for (const name of names) {
      if (!manifest[name]) throw new Error(`no chunk was built from ${name}`);
      visit(manifest, name, seen);
    }
    return [...seen].flatMap((key) => (!started.has(key) && manifest[key]) || []);
  };
  const scripts = visitAll(sources).map((chunk) => chunk.file);
  return { scripts, styles: [...new Set(visitAll(late).flatMap((chunk) => chunk.css ?? []))] };
}
