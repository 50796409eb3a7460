import '@/styles/main.scss';
import { nextTask } from '@/lib/next-task';

/** Evaluates the libraries and the site one by one; together they keep a slow phone busy for a fifth of a second. */
async function begin(): Promise<void> {
  await import('./parts/react');
  await nextTask();
  await import('./parts/router');
  await nextTask();
  const { start } = await import('./start');
  await nextTask();
  await start();
}

void begin();
