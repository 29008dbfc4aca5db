// Files that take long to read, in a crawl.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runCrawl } from '../support/jobs.ts';
import { NEEDS_TESSERACT } from '../support/ocr.ts';
import { useService } from '../support/use-service.ts';
import { page, type Site, send } from '../support/web/reply.ts';

const scan = readFileSync(new URL('../documents/pdf--scan/source.pdf', import.meta.url));
const site: Site = {
  '/': (exchange) =>
    send(exchange, page('Scans', [1, 2, 3].map((n) => `<a href="/scans/${n}.pdf">Scan ${n}</a>`).join(' '))),
  '/scans/*': (exchange) => send(exchange, scan, { type: 'application/pdf' }),
};
const scene = useService({}, undefined, { 'archive.test': site });

test('a crawl reads scans, and waiting for other scans does not use up their time', NEEDS_TESSERACT, async () => {
  const { documents, problems } = await runCrawl(scene.service, { url: scene.web.url('archive.test'), limit: 9 });
  assert.deepEqual(problems.errors, []);
  const scans = documents.filter(({ metadata }) => /scans\/\d\.pdf$/.test(metadata.url));
  assert.equal(scans.length, 3);
  for (const { markdown } of scans) assert.match(markdown!, /The reading room is open from Monday to Friday/);
});
