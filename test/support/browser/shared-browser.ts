// A Chromium that the test files of a process share: starting one takes seconds. Each file opens contexts of its own in it. Files
// that kill browsers or count processes start their own.
import { type Browser, chromium } from 'playwright-core';
import { atWorkerEnd } from '../worker-end.ts';
import { EXECUTABLE } from './browser.ts';

const FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // The hosts of the small web.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
];

let started: Promise<Browser> | undefined;

export async function sharedBrowser(): Promise<Browser> {
  if (!started) atWorkerEnd(async () => (await started)?.close());
  // A page may have brought it down.
  if (!(await started)?.isConnected()) started = launch();
  return started!;
}

const launch = () =>
  chromium.launch({ executablePath: EXECUTABLE, args: FLAGS, chromiumSandbox: process.getuid?.() !== 0 });
