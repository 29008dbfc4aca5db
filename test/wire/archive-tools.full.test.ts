// Other programs read our archives: warcio every record with its digests, and pywb replays a rendered page byte for byte.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { archiveTools } from '../../scripts/archive-tools.ts';
import { BROWSER_SETTINGS, NEEDS_BROWSER } from '../support/browser/browser.ts';
import { CRAWL, runCrawl } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';
import { KEPT, KEPT_BODIES } from '../support/web/kept-pages.ts';

const DRIVER = join(import.meta.dirname, '../support/python/replay_archive.py');
const tools = archiveTools();

interface Outcome {
  /** Type, URL, whether its digests are right, and what is wrong. */
  records: [type: string, url: string | null, passed: boolean | null, problems: string[]][];
  replayed: Record<string, { status: number; coding: string | null; body: string }>;
}

async function replay(file: Uint8Array, urls: string[]): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-replay-'));
  try {
    await writeFile(join(folder, 'kept.wacz'), file);
    const python = (tools as { python: string }).python;
    const driver = spawn(python, [DRIVER, join(folder, 'kept.wacz'), ...urls], { cwd: folder, timeout: 120_000 });
    const [stdout, stderr] = await Promise.all([text(driver.stdout), text(driver.stderr)]);
    const answer = stdout.split('\n').find((line) => line.startsWith('{"records"'));
    assert.ok(answer, stderr);
    return JSON.parse(answer) as Outcome;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('warcio and pywb', { skip: 'problem' in tools ? tools.problem : NEEDS_BROWSER.skip }, () => {
  const scene = useService(BROWSER_SETTINGS, undefined, KEPT);

  test('read the archive of a crawl, and replay its rendered page byte for byte', async () => {
    const url = (path: string) => scene.web.url('kept.test', path);
    const scrapeOptions = { waitFor: 300 };
    const { id } = await runCrawl(scene.service, { url: url('/'), limit: 3, archive: true, scrapeOptions });
    const response = await scene.service.fetch(`${CRAWL}/${id}/export?format=wacz`);
    const file = new Uint8Array(await response.arrayBuffer());
    const { records, replayed } = await replay(file, Object.keys(KEPT_BODIES).map(url));
    assert.ok(records.some(([type]) => type === 'response') && records.some(([type]) => type === 'revisit'));
    for (const [type, target, passed, problems] of records)
      assert.notEqual(passed, false, `${type} ${target} ${problems}`);
    for (const [path, body] of Object.entries(KEPT_BODIES)) {
      const { status, coding, body: found } = replayed[url(path)]!;
      assert.deepEqual([path, status, coding ?? ''], [path, 200, path === '/' ? 'gzip' : '']);
      assert.ok(Buffer.from(found, 'base64').equals(body), path);
    }
  });
});
