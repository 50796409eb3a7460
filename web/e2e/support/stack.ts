import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { chromiumPath } from '../../scripts/chromium.mjs';
import { results } from './failure';

/** Where the parts of a running stack answer, as its command writes them. */
export interface StackAddresses {
  site: string;
  sms_inbox: string;
  /** The PayU sandbox. */
  gateway: string;
  /** The Razorpay sandbox. */
  razorpay: string;
  /** Where records are told to the stack's own DNS. */
  dns_server: string;
  /** Process ids by the name of the part. */
  processes: Record<string, number>;
}

declare module 'vitest' {
  interface ProvidedContext {
    baseUrl: string;
    /** The program of the browser. */
    chromium: string;
    stack: StackAddresses;
  }
}

/** A first start compiles everything, on a slow machine for minutes, so it may take this long, in milliseconds. */
const START_MS = 900_000;

async function addressesOf(file: string): Promise<StackAddresses> {
  return JSON.parse(await readFile(file, 'utf8')) as StackAddresses;
}

async function startStack(file: string): Promise<ChildProcess> {
  const repository = join(import.meta.dirname, '../../..');
  const stack = spawn('go', ['run', './scripts/devstack', '-throwaway', '-json', file], {
    cwd: repository,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const until = Date.now() + START_MS;
  while (!existsSync(file)) {
    if (stack.exitCode !== null) throw new Error(`the stack ended with ${stack.exitCode} before it answered`);
    if (Date.now() > until) {
      stack.kill('SIGTERM');
      throw new Error('the stack did not answer in time');
    }
    await sleep(250);
  }
  return stack;
}

async function stopStack(stack: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => stack.once('exit', resolve));
  stack.kill('SIGTERM');
  await ended;
}

/**
 * Gives the tests a stack: the one whose addresses E2E_STACK_JSON names, else a throw-away one of their own.
 * E2E_BASE_URL alone serves for pages that need no inbox and no gateway.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  await rm(results, { recursive: true, force: true });
  project.provide('chromium', chromiumPath());
  const given = process.env.E2E_STACK_JSON;
  if (given || process.env.E2E_BASE_URL) {
    const stack = given
      ? await addressesOf(given)
      : {
          site: process.env.E2E_BASE_URL ?? '',
          sms_inbox: '',
          gateway: '',
          razorpay: '',
          dns_server: '',
          processes: {},
        };
    project.provide('baseUrl', process.env.E2E_BASE_URL ?? stack.site);
    project.provide('stack', stack);
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'franchise360-e2e-stack-'));
  const file = join(folder, 'stack.json');
  const process_ = await startStack(file);
  const stack = await addressesOf(file);
  project.provide('baseUrl', stack.site);
  project.provide('stack', stack);
  return async () => {
    await stopStack(process_);
    await rm(folder, { recursive: true, force: true });
  };
}
