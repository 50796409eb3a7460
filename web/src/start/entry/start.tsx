import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { languageBase } from '@/lib/language';
import { namesTodaysRate } from '@/content/gst';
import { builtOn } from '@/lib/today';
import { nextTask } from '@/start/page/next-task';
import { surviveTranslators } from '@/start/page/translated-text';
import { isWaiting } from '@/start/page/waiting';
import { loadMatches } from './load-matches';
import { consoleOnDemand, isConsole, loadConsole, siteRoutes } from '@/app/router';

/** Hydrates the prerendered page, or renders it if the markup is missing. */
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html lacks #root');
  // Complete from the first render on, which must equal the prerendered markup where there is some.
  const routes = siteRoutes(isConsole(window.location.pathname) ? await loadConsole() : []);
  await loadMatches(routes, window.location.pathname, languageBase);
  await nextTask();
  // Hydration compares each text with the markup. Markup with an old tax rate, or changed by a translator, is rendered from scratch
  // instead.
  const prerendered =
    root.firstElementChild !== null && !isWaiting(root) && namesTodaysRate(builtOn) && !root.querySelector('font');
  // Somebody may have scrolled in the markup; only a router that was handed a page leaves it where it is.
  const router = createBrowserRouter(routes, {
    basename: languageBase || undefined,
    patchRoutesOnNavigation: consoleOnDemand(),
    ...(prerendered && { hydrationData: { loaderData: {} } }),
  });
  await nextTask();
  surviveTranslators();
  const app = (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  );
  // As a transition it is done in slices, between which a slow phone still scrolls.
  if (prerendered) startTransition(() => void hydrateRoot(root, app));
  else createRoot(root).render(app);
}

void start();
