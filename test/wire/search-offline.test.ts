// A machine without a network: the providers that need no key are tried once, and later searches do not wait for them.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { until } from '../support/jobs.ts';
import { search, trySearch } from '../support/search/search.ts';
import { type RunningProgram, startService } from '../support/service.ts';

// A name server that receives everything and never answers, as with a cut line.
const silence = createSocket('udp4');
let service: RunningProgram;
before(async () => {
  silence.bind(0, '127.0.0.1');
  await once(silence, 'listening');
  service = await startService({
    TRAWL_KEYLESS_PROVIDERS: 'on',
    TRAWL_INDEX_MANUAL: 'on',
    TRAWL_DNS: `127.0.0.1:${(silence.address() as AddressInfo).port}`,
  });
});
after(async () => {
  await service?.stop();
  silence.close();
});

const QUESTION = { query: 'how to crawl a whole site site:127.0.0.1', explain: true };
const ask = (more: object = {}) => search(service, { ...QUESTION, ...more });

test('the first search tries each provider once, later ones none, and one sentence says why', async () => {
  // Until the manual is indexed, nobody can answer.
  const { body: first } = await until(
    () => trySearch(service, QUESTION),
    ({ status }) => status === 200,
  );
  const tried = first.explain!.providers.filter(({ provider }) => provider !== 'index');
  assert.ok(tried.length > 0);
  for (const { provider, state, requests } of tried) {
    assert.ok(state !== 'answered' && requests <= 1, `${provider} ${state} ${requests}`);
    const lines = service.output().stderr.match(new RegExp(`"provider":"${provider}"`, 'g'));
    assert.equal(lines?.length, 1, provider);
  }
  assert.equal(
    first.warning,
    "No search provider on the Internet could be reached; these results come from this service's own index.",
  );

  const second = await until(ask, ({ explain }) =>
    explain!.providers.every(({ state }) => state === 'answered' || state === 'resting'),
  );
  const rest = second.explain!.providers.filter(({ provider }) => provider !== 'index');
  assert.ok(rest.every(({ state, requests }) => state === 'resting' && requests === 0));
  assert.equal(second.warning, first.warning);
});

test('the index still answers', async () => {
  const { data } = await until(ask, ({ data }) => data.web!.length > 0);
  assert.match(data.web![0]!.url, /\/docs\//);
});

test('every source is answered', async () => {
  const { data, warning } = await ask({ sources: ['web', 'news', 'images'] });
  assert.deepEqual(Object.keys(data), ['web', 'news', 'images']);
  assert.match(warning!, /^No search provider on the Internet could be reached/);
});

test('a search that the index cannot answer fails instead of claiming that there is nothing', async () => {
  const { status, body } = await trySearch(service, { query: 'xyzzyplugh', categories: ['research', 'github'] });
  assert.deepEqual([status, body.code], [500, 'UNKNOWN_ERROR']);
  assert.match(body.error, /^No search provider on the Internet could be reached\. This service's own index has no/);
});
