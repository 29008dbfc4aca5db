import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { z } from 'zod';
import { agentRequest } from '../../../../src/contracts/agent/agent.ts';
import { extractRequest } from '../../../../src/contracts/agent/extract.ts';
import { batchRequest } from '../../../../src/contracts/crawl/batch.ts';
import { crawlRequest } from '../../../../src/contracts/crawl/crawl.ts';
import { mapRequest } from '../../../../src/contracts/crawl/map.ts';
import type { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { createMonitorRequest } from '../../../../src/contracts/monitor/monitor.ts';
import { scrapeRequest } from '../../../../src/contracts/scrape/scrape.ts';
import { searchRequest } from '../../../../src/contracts/search/search.ts';
import { type KeyLimits, keyLimits } from '../../../../src/contracts/team/policy.ts';
import { readAsked } from '../../../../src/policy/asked.ts';
import { isKeyDomain } from '../../../../src/policy/keys/key-domains.ts';
import { checkKeyScopes, createKeyAdmission } from '../../../../src/policy/keys/key-rules.ts';
import { ROUTE_POLICY } from '../../../../src/policy/route-policy.ts';

type Call = keyof typeof ROUTE_POLICY;

const team = { id: 'team', name: 'team' };
const admit = createKeyAdmission();
const PAGE = 'https://example.com/';
const monitor = (targets: object[]) => ({ name: 'prices', schedule: { text: 'every hour' }, targets });

/** What the rules say about a call: 'fine', or the text of the refusal. */
function outcome(call: Call, limits: KeyLimits, body?: unknown, address = '192.0.2.1', networks?: string[]): string {
  try {
    const caller = { team: { ...team, settings: { networks } }, limits, address };
    admit(caller, ROUTE_POLICY[call]);
    checkKeyScopes(limits, ROUTE_POLICY[call], readAsked(body ?? {}, ROUTE_POLICY[call].asks));
    return 'fine';
  } catch (error) {
    const { code, status, message } = error as ServiceError;
    assert.equal(status, 403);
    return `${code}: ${message}`;
  }
}

const refusal = (kind: string, allowed: string, what: string, names: string) =>
  `KEY_RESTRICTED: Request blocked: this API key is restricted to the following ${kind}: ${allowed}. Requested ${what} not allowed: ${names}.`;

describe('operations', () => {
  const limits: KeyLimits = { operations: ['scrape', 'map'] };
  const crawl = refusal('operations', 'scrape, map', 'operation', 'crawl');
  const cases: [Call, string][] = [
    ['scrape', 'fine'],
    ['getScrape', 'fine'],
    ['map', 'fine'],
    ['crawl', crawl],
    ['crawlStatus', crawl],
    ['cancelCrawl', crawl],
    ['batchScrape', refusal('operations', 'scrape, map', 'operation', 'batch-scrape')],
    ['interact', refusal('operations', 'scrape, map', 'operation', 'browser')],
    ['searchPapers', refusal('operations', 'scrape, map', 'operation', 'research')],
    ['creditUsage', 'fine'],
    ['activity', 'fine'],
    ['queueStatus', 'fine'],
    ['concurrencyCheck', 'fine'],
    ['feedback', 'fine'],
    ['searchFeedback', 'fine'],
  ];
  for (const [call, expected] of cases) test(call, () => assert.equal(outcome(call, limits), expected));

  test('an empty list restricts nothing', () => assert.equal(outcome('crawl', { operations: [] }), 'fine'));
});

describe('formats', () => {
  const limits: KeyLimits = { formats: ['markdown'] };
  const formats = (names: string) => refusal('formats', 'markdown', 'formats', names);
  const actions = (names: string) => refusal('formats', 'markdown', 'actions', names);
  const cases: [string, Call, z.ZodType, object, string][] = [
    ['allowed', 'scrape', scrapeRequest, { url: PAGE, formats: ['markdown'] }, 'fine'],
    ['the default', 'scrape', scrapeRequest, { url: PAGE }, 'fine'],
    ['not allowed', 'scrape', scrapeRequest, { url: PAGE, formats: ['markdown', 'rawHtml'] }, formats('rawHtml')],
    ['two', 'scrape', scrapeRequest, { url: PAGE, formats: ['html', { type: 'json' }] }, formats('html, json')],
    [
      'a screenshot by an action',
      'scrape',
      scrapeRequest,
      { url: PAGE, actions: [{ type: 'screenshot' }] },
      formats('screenshot'),
    ],
    [
      'actions that return content',
      'scrape',
      scrapeRequest,
      { url: PAGE, actions: [{ type: 'scrape' }, { type: 'executeJavascript', script: '1' }, { type: 'generatePDF' }] },
      actions('scrape, executeJavascript, pdf'),
    ],
    [
      'other actions',
      'scrape',
      scrapeRequest,
      {
        url: PAGE,
        actions: [
          { type: 'wait', milliseconds: 1 },
          { type: 'click', selector: 'a' },
        ],
      },
      'fine',
    ],
    ['a batch', 'batchScrape', batchRequest, { urls: [PAGE], formats: ['links'] }, formats('links')],
    [
      'a crawl',
      'crawl',
      crawlRequest,
      { url: PAGE, scrapeOptions: { formats: ['html'], actions: [{ type: 'pdf' }] } },
      formats('html'),
    ],
    ['a search without formats', 'search', searchRequest, { query: 'x' }, 'fine'],
    ['a search', 'search', searchRequest, { query: 'x', scrapeOptions: { formats: ['summary'] } }, formats('summary')],
    [
      'a monitor',
      'createMonitor',
      createMonitorRequest,
      monitor([
        { type: 'scrape', urls: [PAGE] },
        { type: 'crawl', url: PAGE, scrapeOptions: { formats: ['links'] } },
      ]),
      formats('links'),
    ],
    [
      'an extraction',
      'extract',
      extractRequest,
      { urls: [PAGE], scrapeOptions: { formats: ['html'] } },
      formats('html'),
    ],
    ['an agent', 'startAgent', agentRequest, { prompt: 'x' }, 'fine'],
  ];
  for (const [name, call, schema, body, expected] of cases)
    test(`${name} (${call})`, () => assert.equal(outcome(call, limits, schema.parse(body)), expected));

  test('an empty list restricts nothing', () =>
    assert.equal(outcome('scrape', { formats: [] }, scrapeRequest.parse({ url: PAGE, formats: ['html'] })), 'fine'));

  test('a key without markdown cannot scrape with the default, but can extract', () => {
    const json: KeyLimits = { formats: ['json'] };
    assert.equal(
      outcome('scrape', json, scrapeRequest.parse({ url: PAGE })),
      refusal('formats', 'json', 'formats', 'markdown'),
    );
    assert.equal(outcome('extract', json, extractRequest.parse({ urls: [PAGE] })), 'fine');
  });
});

describe('domains', () => {
  const limits: KeyLimits = { domains: ['example.com', '*.example.org'] };
  const domains = (names: string) => refusal('domains', 'example.com, *.example.org', 'domains', names);
  const cases: [string, Call, z.ZodType, object, string][] = [
    ['the host itself', 'scrape', scrapeRequest, { url: PAGE }, 'fine'],
    ['without protocol, in capitals', 'scrape', scrapeRequest, { url: 'EXAMPLE.com./a' }, 'fine'],
    ['another port', 'scrape', scrapeRequest, { url: 'http://example.com:8080/' }, 'fine'],
    ['a subdomain of a plain entry', 'map', mapRequest, { url: 'https://www.example.com' }, domains('www.example.com')],
    ['below a wildcard', 'crawl', crawlRequest, { url: 'https://a.b.example.org/' }, 'fine'],
    ['the domain of a wildcard itself', 'crawl', crawlRequest, { url: 'https://example.org/' }, domains('example.org')],
    [
      'a host that only ends alike',
      'scrape',
      scrapeRequest,
      { url: 'https://notexample.com' },
      domains('notexample.com'),
    ],
    [
      'some of a batch',
      'batchScrape',
      batchRequest,
      { urls: [PAGE, 'https://evil.test/', 'evil.test/2', 'http://[::1]/'] },
      domains('evil.test, ::1'),
    ],
    ['an agent', 'startAgent', agentRequest, { prompt: 'x', urls: ['evil.test'] }, domains('evil.test')],
    ['a site to extract from', 'extract', extractRequest, { urls: ['https://evil.test/*'] }, domains('evil.test')],
    [
      'targets of a monitor',
      'createMonitor',
      createMonitorRequest,
      monitor([
        { type: 'scrape', urls: [PAGE, 'https://evil.test/'] },
        { type: 'crawl', url: 'https://also-evil.test' },
      ]),
      domains('evil.test, also-evil.test'),
    ],
    ['a search takes no URL', 'search', searchRequest, { query: 'x' }, 'fine'],
  ];
  for (const [name, call, schema, body, expected] of cases)
    test(`${name} (${call})`, () => assert.equal(outcome(call, limits, schema.parse(body)), expected));

  test('long lists are cut in the text', () => {
    const urls = Array.from({ length: 30 }, (_, i) => `https://evil-${i}.test/`);
    assert.match(outcome('batchScrape', limits, batchRequest.parse({ urls })), /evil-19\.test and 10 more\.$/);
  });

  test('entries are stored as hosts are written; other texts are refused', () => {
    const read = (domain: string) => keyLimits.safeParse({ domains: [domain] }).data?.domains?.[0];
    assert.equal(read('Bücher.Example.'), 'xn--bcher-kva.example');
    assert.equal(read('*.Example.COM'), '*.example.com');
    assert.equal(read('127.0.0.1'), '127.0.0.1');
    for (const wrong of ['', '*', '*.', 'https://example.com', 'example.com/a', 'example.com:80', 'a.*.com', 'a@b.com'])
      assert.equal(read(wrong), undefined, wrong);
    assert.equal(isKeyDomain([read('bücher.example')!], new URL('https://BÜCHER.example/')), true);
  });
});

describe('networks', () => {
  const blocked = (whose: string, address: string) =>
    `NETWORK_NOT_ALLOWED: Request blocked: this ${whose} does not allow requests from ${address}. Send it from an allowed network, or ask who manages the ${whose} to allow this one.`;
  const key = (...networks: string[]): KeyLimits => ({ networks });
  const cases: [string, KeyLimits, string[] | undefined, string, string][] = [
    ['an address', key('192.0.2.1'), undefined, '192.0.2.1', 'fine'],
    ['a range', key('10.0.0.0/8', '192.0.2.0/24'), undefined, '192.0.2.77', 'fine'],
    ['outside', key('10.0.0.0/8'), undefined, '192.0.2.1', blocked('API key', 'the address 192.0.2.1')],
    ['a mapped address', key('192.0.2.0/24'), undefined, '::ffff:192.0.2.1', 'fine'],
    ['a mapped range', key('::ffff:192.0.2.0/120'), undefined, '192.0.2.1', 'fine'],
    ['IPv6', key('2001:db8::/32'), undefined, '2001:db8:1::1', 'fine'],
    ['IPv4 is not in an IPv6 range', key('::/0'), undefined, '192.0.2.1', blocked('API key', 'the address 192.0.2.1')],
    ['the team', {}, ['10.0.0.0/8'], '192.0.2.1', blocked('team', 'the address 192.0.2.1')],
    ['both lists hold', key('10.1.0.0/16'), ['10.0.0.0/8'], '10.2.0.1', blocked('API key', 'the address 10.2.0.1')],
    ['both allow it', key('10.1.0.0/16'), ['10.0.0.0/8'], '10.1.0.1', 'fine'],
    ['no address', key('0.0.0.0/0', '::/0'), undefined, '', blocked('API key', 'an unknown address')],
    ['no address at all', key('0.0.0.0/0'), undefined, 'unknown', blocked('API key', 'the address unknown')],
    ['a damaged entry', key('10.0.0.0/99'), undefined, '10.0.0.1', blocked('API key', 'the address 10.0.0.1')],
    ['empty lists', key(), [], '192.0.2.1', 'fine'],
  ];
  for (const [name, limits, networks, address, expected] of cases)
    test(name, () => assert.equal(outcome('creditUsage', limits, undefined, address, networks), expected));

  test('only networks are accepted', () => {
    for (const wrong of ['', 'example.com', '10.0.0/8', '10.0.0.0/33', '::/129'])
      assert.equal(keyLimits.safeParse({ networks: [wrong] }).success, false, wrong);
  });
});
