import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const QUERY = '?component';

/**
 * Turns `import Bell from 'bootstrap-icons/icons/bell.svg?component'` into a React component,
 * so that only the icons in use are shipped and none of them costs a request.
 */
export function svgComponent(): Plugin {
  return {
    name: 'svg-component',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(`.svg${QUERY}`)) return null;
      const source = await readFile(id.slice(0, -QUERY.length), 'utf8');
      const viewBox = /viewBox="([^"]+)"/.exec(source)?.[1] ?? '0 0 16 16';
      const inner = source
        .replace(/^[\s\S]*?<svg[^>]*>/, '')
        .replace(/<\/svg>\s*$/, '')
        .trim();
      return `import { jsx } from 'react/jsx-runtime';
const markup = { __html: ${JSON.stringify(inner)} };
export default function SvgIcon(props) {
  return jsx('svg', {
    viewBox: ${JSON.stringify(viewBox)}, width: '1em', height: '1em', fill: 'currentColor',
    'aria-hidden': true, focusable: 'false', ...props, dangerouslySetInnerHTML: markup,
  });
}`;
    },
  };
}
