import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Marked } from 'marked';
import type { Plugin } from 'vite';
import { languages, type Language, type LanguageCode } from '../src/lib/languages.ts';

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/;
const WORDS_A_MINUTE = 220;

/** The `key: value` lines at the head of a text. */
function fields(source: string): Record<string, string> {
  const head = FRONT_MATTER.exec(source)?.[1] ?? '';
  const lines = head.split('\n').map((line) => /^(\w+):\s*(.+)$/.exec(line.trim()));
  return Object.fromEntries(lines.flatMap((line) => (line?.[1] && line[2] ? [[line[1], line[2].trim()]] : [])));
}

function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/<[^>]+>/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** The words of a text without its marks. */
export function plain(markdown: string): string {
  return markdown
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/^\s*(?:[-+*]|\d+\.|#+|>)\s+/gm, '')
    .replace(/^\|?[\s:|-]+\|$/gm, '')
    .replace(/[*_`]/g, '')
    .replace(/\s*\|\s*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Headings get anchors, tables and code may scroll by themselves, other sites' links keep our address to themselves; our own
 * stay in the language.
 */
const markedIn = ({ base, table: tableName }: Language) =>
  new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchor(text)}">${text}</h${depth}>\n`;
      },
      table({ header, rows }) {
        const cells = (row: typeof header, tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
        const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
        const label = `${tableName}: ${header.map((cell) => plain(cell.text)).join(', ')}`.replace(/[&<>"]/g, '');
        return `<div class="table-box" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${cells(header, 'th')}</tr></thead><tbody>${body}</tbody></table></div>`;
      },
      code({ text, lang }) {
        const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
        return `<pre tabindex="0"><code class="language-${lang || 'text'}">${escaped}\n</code></pre>\n`;
      },
      link({ href, tokens }) {
        const rel = href.startsWith('http') ? ' rel="noopener noreferrer"' : '';
        return `<a href="${href.startsWith('/') ? base : ''}${href}"${rel}>${this.parser.parseInline(tokens)}</a>`;
      },
    },
  });

/**
 * Makes the texts of src/content readable by the pages, at build time: `a.md` gives `meta`, `headings` and `html`,
 * `a.md?meta` its head alone, for lists, and `a.md?text` its plain words, for the search. In another language than
 * English `src/content/help/a.md` is read from `src/content/<language>/help/a.md` where there is one.
 */
export function markdown(language: LanguageCode): Plugin {
  const marked = markedIn(languages[language]);
  return {
    name: 'markdown',
    enforce: 'pre',
    async load(id) {
      const [file = '', query] = id.split('?');
      if (!file.endsWith('.md')) return null;
      const translated = file.replace('/src/content/', `/src/content/${language}/`);
      const source = await readFile(existsSync(translated) ? translated : file, 'utf8');
      const body = source.replace(FRONT_MATTER, '');
      const minutes = Math.max(1, Math.round(plain(body).split(' ').length / WORDS_A_MINUTE));
      const meta = { slug: basename(file, '.md'), minutes, ...fields(source) };
      if (query === 'meta') return `export const meta = ${JSON.stringify(meta)};`;
      if (query === 'text') return `export const text = ${JSON.stringify(plain(body))};`;
      const headings = [...body.matchAll(/^## (.+)$/gm)].map(([, text = '']) => ({ id: anchor(text), text }));
      return `export const meta = ${JSON.stringify(meta)};
export const headings = ${JSON.stringify(headings)};
export const html = ${JSON.stringify(marked.parse(body))};`;
    },
  };
}
