import { readdirSync, readFileSync } from 'node:fs';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { GalleryPage } from './gallery-page';

const here = 'src/features/gallery/components';
/** What a control of another one shows, what needs a page of its own, and what has no look. */
const elsewhere =
  /^(form\/(combo-box|field|option-list|unsaved-changes.*)|list\/(list-filter|list-search|page-bar)|site\/article-view|language-.*|way-on)$/;

test('the gallery shows each component of ui/ and passes the accessibility check', async () => {
  const { user, container } = renderRoutes([{ path: '/', element: <GalleryPage /> }], { at: '/' });
  await user.click(await screen.findByRole('checkbox', { name: '200 % text' }));
  expect(document.documentElement).toHaveClass('gallery-large');
  await user.click(screen.getByRole('checkbox', { name: 'Dark' }));
  expect(screen.getByRole('main')).toHaveAttribute('data-bs-theme', 'dark');
  expect(await accessibilityFaults(container)).toEqual([]);
  const code = ['gallery-page', 'gallery-fields', 'gallery-list', 'gallery-site']
    .map((name) => readFileSync(`${here}/${name}.tsx`, 'utf8'))
    .join();
  const components = ['', 'form/', 'list/', 'site/'].flatMap((folder) =>
    readdirSync(`src/ui/${folder}`)
      .filter((name) => /^[\w-]+\.tsx$/.test(name))
      .map((name) => `${folder}${name.replace('.tsx', '')}`),
  );
  expect(components.filter((name) => !code.includes(`@/ui/${name}'`) && !elsewhere.test(name))).toEqual([]);
});
