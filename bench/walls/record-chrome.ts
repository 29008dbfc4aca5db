// How the installed Chromium speaks: what the walls of this bench take for an ordinary browser.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EXECUTABLE } from '../../test/support/browser/browser.ts';
import { CHROME, type ChromeRecord } from '../../test/support/walls/chrome.ts';
import { startFingerprintServer } from '../../test/support/walls/fingerprint-server.ts';

const START_MS = 60_000;

/** The stored record of a Chromium where none is installed. */
export async function recordChrome(): Promise<ChromeRecord> {
  if (EXECUTABLE === undefined) return CHROME;
  let record: ChromeRecord | undefined;
  const server = await startFingerprintServer(['localhost'], ({ tls, http2, headerNames, path }) => {
    if (path === '/') record = { tls, http2, headerNames };
    return { status: 200, body: '<p>Thank you.</p>' };
  });
  const profile = mkdtempSync(join(tmpdir(), 'trawl-chrome-'));
  const flags = ['--headless', '--no-sandbox', '--ignore-certificate-errors', '--accept-lang=en-US,en', '--dump-dom'];
  try {
    const args = [...flags, `--user-data-dir=${profile}`, `https://localhost:${server.port}/`];
    await promisify(execFile)(EXECUTABLE, args, { timeout: START_MS });
  } finally {
    await server.stop();
    rmSync(profile, { recursive: true, force: true });
  }
  if (!record) throw new Error('The installed Chromium did not load the page that records it.');
  return record;
}
