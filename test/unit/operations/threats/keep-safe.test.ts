// Lists without what may not be fetched, and requests that are judged before they are sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { checkRequests, oncePerHost } from '../../../../src/net/checked-requests.ts';
import { hostsOnly, keepSafe } from '../../../../src/operations/threats/keep-safe.ts';
import { openThreatCheck } from '../../../../src/operations/threats/open-threat-check.ts';
import type { ThreatCheckTerms } from '../../../../src/policy/threats/threat-check.ts';
import { judgeWithout } from '../../../support/threats.ts';

const signal = AbortSignal.timeout(60_000);
const urlOf = (url: string) => [url];

test('unsafe entries are removed and counted, and each URL is judged once', async () => {
  const judge = judgeWithout('evil.test');
  const urls = ['http://a.test/1', 'http://evil.test/', 'http://a.test/1', 'not a URL', 'http://b.test/'];
  const { kept, removed } = await keepSafe(judge, urls, urlOf, signal);
  assert.deepEqual(kept, ['http://a.test/1', 'http://a.test/1', 'http://b.test/']);
  assert.deepEqual([removed, judge.asked.size], [2, 3]);
  assert.deepEqual(await keepSafe(undefined, urls, urlOf, signal), { kept: urls, removed: 0 });
});

test('for long lists one URL of a host stands for all, allowed or not', async () => {
  const judge = judgeWithout('evil.test');
  const urls = ['http://a.test', 'http://evil.test'].flatMap((host) =>
    Array.from({ length: 50 }, (_, number) => `${host}/${number}`),
  );
  const { kept, removed } = await keepSafe(hostsOnly(judge), urls, urlOf, signal);
  assert.deepEqual([kept.length, removed, judge.asked.size], [50, 50, 2]);
});

test('of endless hosts only the latest are remembered', async () => {
  let asked = 0;
  const check = oncePerHost(async () => {
    asked += 1;
  });
  const ask = (number: number) => check(new URL(`http://${number}.a.test/`), signal);
  for (let number = 0; number < 3_000; number += 1) await ask(number);
  await ask(2_999);
  assert.equal(asked, 3_000);
  await ask(0);
  assert.equal(asked, 3_001);
});

test('a failure that says nothing about a host is not remembered', async () => {
  let fails = true;
  const check = oncePerHost(async () => {
    if (fails) throw new ServiceError('SCRAPE_TIMEOUT');
  });
  const url = new URL('http://a.test/');
  await assert.rejects(check(url, signal), { code: 'SCRAPE_TIMEOUT' });
  fails = false;
  await check(url, signal);
});

test('a request to a URL that may not be fetched is not sent', async () => {
  const sent: string[] = [];
  const client = { request: async ({ url }: { url: URL }) => sent.push(url.href) } as never;
  const judged = checkRequests(client, judgeWithout('evil.test').check) as {
    request(asked: object, signal: AbortSignal): Promise<unknown>;
  };
  await judged.request({ url: new URL('http://a.test/') }, signal);
  await assert.rejects(judged.request({ url: new URL('http://evil.test/') }, signal), {
    code: 'unsafe_domain_blocked',
  });
  assert.deepEqual(sent, ['http://a.test/']);
  assert.equal(checkRequests(client, undefined), client);
});

test('what applies is made from key, request and kind of work; blocks are recorded with the host alone', async () => {
  const asked: [ThreatCheckTerms, object | undefined][] = [];
  const events: unknown[] = [];
  const deps = {
    threats: {
      checkFor(_team: object, terms: ThreatCheckTerms, options?: object) {
        asked.push([terms, options]);
        return judgeWithout('evil.test');
      },
    },
    security: { record: (event: unknown) => events.push(event) },
  };
  const caller = { team: { id: 'team' }, key: 'fc-abc', address: '192.0.2.1', limits: { domains: ['a.test'] } };
  const threatCheck = await openThreatCheck(deps, caller, { threatProtection: { mode: 'normal' }, safeMode: true });
  await openThreatCheck(deps, { team: { id: 'team' }, isBackground: true }, { lockdown: true });
  assert.deepEqual(asked, [
    [{ override: { mode: 'normal' }, safeMode: true, keyDomains: ['a.test'] }, { isStored: false }],
    [{ isOffline: true }, { isStored: true }],
  ]);
  assert.equal(await threatCheck!.isSafe(new URL('http://evil.test/secret?token=1'), signal), false);
  await assert.rejects(threatCheck!.check(new URL('http://evil.test/'), signal), { code: 'unsafe_domain_blocked' });
  assert.equal(events.length, 2);
  assert.doesNotMatch(JSON.stringify(events), /secret|token/);
  assert.match(JSON.stringify(events[0]), /"target":"evil.test"/);
});
