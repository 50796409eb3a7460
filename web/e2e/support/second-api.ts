import { spawn } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { freePort } from './receiver';
import { ownStack } from './own-stack';

export interface SecondApi {
  site: string;
  close: () => Promise<void>;
}

/**
 * Runs the stack's API a second time, on a separate port and the same data, with changed settings. It starts much faster than a second
 * stack. Program and settings are copied from the running API.
 */
export async function startSecondApi(changes: Record<string, string>): Promise<SecondApi> {
  const running = `/proc/${ownStack().processes.api}`;
  const entries = (await readFile(`${running}/environ`, 'utf8')).split('\0').filter(Boolean);
  const environment = Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
  const port = await freePort();
  const site = `http://localhost:${port}`;
  const api = spawn(await readlink(`${running}/exe`), {
    env: { ...environment, ...changes, HTTP_ADDR: `127.0.0.1:${port}`, METRICS_ADDR: '127.0.0.1:0', PUBLIC_URL: site },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => api.once('exit', () => resolve()));
  const close = async () => {
    api.kill('SIGTERM');
    await ended;
  };
  for (let tries = 0; tries < 1800 && api.exitCode === null; tries += 1) {
    const answer = await fetch(`${site}/readyz`).catch(() => undefined);
    if (answer?.ok) return { site, close };
    await sleep(100);
  }
  await close();
  return expect.fail('the second api did not answer');
}
