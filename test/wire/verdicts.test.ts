// Pages that are not what was asked for, such as login walls, are reported and not charged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../support/use-service.ts';

interface Scraped {
  success: boolean;
  code?: string;
  error?: string;
  warning?: string;
  data: { warning?: string; metadata: Record<string, unknown> };
}

const scene = useService();

const scrape = (host: string, path: string) => scene.service.scrape<Scraped>({ url: scene.web.url(host, path) });

for (const status of [200, 403, 503]) {
  for (const kind of ['vendor', 'unmarked']) {
    test(`a challenge (${kind}, status ${status}) is an error`, async () => {
      const answer = await scrape('challenge.test', `/${kind}/${status}`);
      assert.deepEqual([answer.status, answer.body.success, answer.body.code], [500, false, 'SCRAPE_SITE_ERROR']);
      if (kind === 'vendor') assert.match(answer.body.error!, /Cloudflare/);
    });
  }
}

const standIns: [host: string, path: string, verdict: string][] = [
  ['login.test', '/account', 'login-wall'],
  ['shell.test', '/app', 'empty-shell'],
  ['shell.test', '/spinner', 'empty-shell'],
  ['error.test', '/soft-404', 'soft-404'],
  ['error.test', '/soft-404-german', 'soft-404'],
  ['parked.test', '/', 'parked'],
];
for (const [host, path, verdict] of standIns) {
  test(`${host}${path} is reported as ${verdict} and not charged`, async () => {
    const { status, body } = await scrape(host, path);
    assert.equal(status, 200);
    const { metadata, warning } = body.data;
    assert.deepEqual([metadata.verdict, metadata.creditsUsed], [verdict, 0]);
    assert.equal(typeof metadata.error, 'string');
    assert.ok(warning?.includes(String(metadata.error)));
    assert.equal(body.warning, warning);
  });
}

for (const [host, path] of [
  ['login.test', '/article'],
  ['shell.test', '/rendered'],
  ['error.test', '/404-article'],
  ['news.test', '/article/3'],
] as const) {
  test(`${host}${path} is content`, async () => {
    const { metadata } = (await scrape(host, path)).body.data;
    assert.deepEqual([metadata.verdict, metadata.creditsUsed], [undefined, 1]);
  });
}
