import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { chromiumPath } from '../../scripts/chromium.mjs';
import { results } from './failure';
import { workers } from './workers';

/** The addresses of the parts of a running stack, as its command writes them. */
export interface StackAddresses {
  site: string;
  sms_inbox: string;
  /** The PayU sandbox. */
  gateway: string;
  /** The Razorpay sandbox. */
  razorpay: string;
  /** Where the records of the stack's own DNS are set. */
  dns_server: string;
  /** Process ids by the part's name. */
  processes: Record<string, number>;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser's executable. */
    chromium: string;
    /** One for each worker. */
    stacks: StackAddresses[];
  }
}

/** How long a first start may take, in milliseconds: it compiles everything, on a slow machine for minutes. */
const START_MS = 1_800_000;

async function addressesOf(file: string): Promise<StackAddresses> {
  return JSON.parse(await readFile(file, 'utf8')) as StackAddresses;
}

async function startStack(file: string): Promise<ChildProcess> {
  const repository = join(import.meta.dirname, '../../..');
  const stack = spawn('go', ['run', './scripts/devstack', '-throwaway', '-json', file], {
    cwd: repository,
    stdio: ['ignore', 'inherit', 'inherit'],
    // No test looks at traces, and a line per request would bury the tests' own report.
    env: { ...process.env, LOG_LEVEL: 'warn', OTEL_SDK_DISABLED: 'true' },
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

/** In milliseconds: a day, the offset of Indian time, and how long a run may take. */
const DAY = 86_400_000;
const IST = 19_800_000;
const RUN = 3 * 3_600_000;

/** Lets a stack whose day would end during the run begin in the next one: a plan that was bought yesterday costs less to change. */
async function beginEarly({ site }: StackAddresses): Promise<void> {
  const now = await fetch(`${site}/dev/clock`);
  const time = Date.parse(((await now.json()) as { data: { now: string } }).data.now) + IST;
  const left = DAY - (time % DAY);
  if (left > RUN) return;
  const moved = await fetch(`${site}/dev/clock`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ advance_seconds: Math.ceil(left / 1000) + 60 }),
  });
  if (!moved.ok) throw new Error(`the stack's clock did not move: ${await moved.text()}`);
}

async function stopStack(stack: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => stack.once('exit', resolve));
  stack.kill('SIGTERM');
  await ended;
}

/** The running stack that the environment names: see setup. */
async function givenStack(): Promise<StackAddresses | undefined> {
  const { E2E_STACK_JSON: file, E2E_BASE_URL: site } = process.env;
  if (file) {
    const stack = await addressesOf(file);
    return { ...stack, site: site ?? stack.site };
  }
  return site ? { site, sms_inbox: '', gateway: '', razorpay: '', dns_server: '', processes: {} } : undefined;
}

/**
 * Provides each test worker with a stack: the stack in E2E_STACK_JSON, or a temporary one. E2E_BASE_URL alone is enough for pages that need
 * no inbox and no gateway.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  await rm(results, { recursive: true, force: true });
  project.provide('chromium', chromiumPath());
  const given = await givenStack();
  if (given) {
    project.provide('stacks', [given]);
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'franchise360-e2e-stack-'));
  const running: ChildProcess[] = [];
  const stop = async () => {
    await Promise.all(running.map(stopStack));
    await rm(folder, { recursive: true, force: true });
  };
  const stacks: StackAddresses[] = [];
  try {
    // Start them one by one: the first compiles, and the others reuse the result.
    while (stacks.length < workers()) {
      const file = join(folder, `stack-${stacks.length}.json`);
      running.push(await startStack(file));
      const addresses = await addressesOf(file);
      await beginEarly(addresses);
      stacks.push(addresses);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('stacks', stacks);
  return stop;
}
