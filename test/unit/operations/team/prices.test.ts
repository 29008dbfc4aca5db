// Every price of the public interface, as it is charged and as it is held before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import type { Format } from '../../../../src/contracts/formats/formats.ts';
import { PRICES, searchPrice } from '../../../../src/contracts/prices.ts';
import { scrapeOptions } from '../../../../src/contracts/scrape/scrape-options.ts';
import { searchRequest } from '../../../../src/contracts/search/search.ts';
import { pagePrice } from '../../../../src/operations/page/document.ts';
import type { Page } from '../../../../src/operations/page/page.ts';
import { failureCredits, sessionCredits } from '../../../../src/operations/team/credits.ts';
import type { TransformResult } from '../../../../src/page/page.ts';
import type { MadeFormat } from '../../../../src/page/understanding.ts';
import { pageCost, searchCost } from '../../../../src/policy/budgets/known-costs.ts';

interface PricedPage {
  options?: object;
  zeroDataRetention?: boolean;
  pages?: number;
  made?: Partial<MadeFormat>;
  isEnhanced?: boolean;
  isRefused?: boolean;
  verdict?: 'login_wall';
  fromCache?: boolean;
  missing?: Format['type'][];
  scans?: number;
}

function charged({ options = {}, zeroDataRetention = false, pages, made, ...priced }: PricedPage): number {
  const given = { ...scrapeOptions.parse(options), zeroDataRetention };
  const page = {
    header: {
      ...{ status: priced.isRefused ? 403 : 200, headers: {}, proxyClass: priced.isEnhanced ? 'enhanced' : 'basic' },
    },
    outcome: {
      verdict: { kind: priced.verdict ?? 'content', reason: '' },
      ...(pages !== undefined && { document: { kind: 'pdf', numPages: pages } }),
    } as TransformResult,
    cacheState: priced.fromCache ? 'hit' : 'miss',
    missing: (priced.missing ?? []).map((type) => ({ type, reason: new ServiceError('UNKNOWN_ERROR') })),
    ...(made && { derived: { content: {}, warnings: [], ...made } }),
  } as unknown as Page;
  const threatCheck =
    priced.scans === undefined ? undefined : ({ credits: () => priced.scans! * PRICES.threatScan } as never);
  return pagePrice(page, { options: given, missing: [], threatCheck });
}
const held = ({ options = {}, zeroDataRetention = false }: PricedPage): number =>
  pageCost({ ...scrapeOptions.parse(options), zeroDataRetention });

const question = { type: 'question', question: 'Why?' };
const json = { type: 'json', prompt: 'Lamps' };

/** What is charged, and what is held before if that is something else. */
const PAGES: [name: string, page: PricedPage, credits: number, heldBefore?: number][] = [
  ['a page', {}, 1],
  ['a page of the cache', { fromCache: true }, 1],
  ['a page that the site answers with an error', { isRefused: true }, 1],
  ['a login wall', { verdict: 'login_wall' }, 0, 1],
  ['json', { options: { formats: [json] }, made: { content: { json: {} } } }, 5],
  ['json that could not be made', { options: { formats: [json] }, made: {} }, 1, 5],
  [
    'changes by field',
    {
      options: { formats: ['markdown', { type: 'changeTracking', modes: ['json'], prompt: 'Prices' }] },
      made: { content: { changeTracking: {} } } as Partial<MadeFormat>,
    },
    5,
  ],
  [
    'a program that is run again',
    { options: { formats: [{ ...json, type: 'deterministicJson' }] }, made: { credits: 2 } },
    3,
    10,
  ],
  [
    'a program that is written',
    { options: { formats: [{ ...json, type: 'deterministicJson' }] }, made: { credits: 9 } },
    10,
  ],
  ['a question', { options: { formats: [question] }, made: { content: { answer: '' } } }, 5],
  [
    'a question that the page does not answer',
    { options: { formats: [question] }, made: { content: { answer: 'Not stated on this page.' } } },
    1,
    5,
  ],
  [
    'a question and highlights',
    {
      options: { formats: [question, { type: 'highlights', query: 'Lamps' }] },
      made: { content: { answer: '', highlights: [] } } as Partial<MadeFormat>,
    },
    9,
  ],
  ['audio and video', { options: { formats: ['audio', 'video'] } }, 9],
  ['audio that the page does not have', { options: { formats: ['audio'] }, missing: ['audio'] }, 1, 5],
  ['redaction', { options: { redactPII: true } }, 5],
  ['a file with three pages', { pages: 3 }, 3, 1],
  ['a file with three pages, redacted', { options: { redactPII: true }, pages: 3 }, 15, 5],
  ['a check for instructions', { options: { checkPromptInjection: true }, made: { credits: 4 } }, 5],
  ['a hit under lockdown', { options: { lockdown: true }, fromCache: true }, 5],
  [
    'a hit under lockdown and zero data retention',
    { options: { lockdown: true }, zeroDataRetention: true, fromCache: true },
    5,
  ],
  ['zero data retention', { zeroDataRetention: true }, 2],
  ['the enhanced proxy', { options: { proxy: 'enhanced' }, isEnhanced: true }, 5],
  ['the enhanced proxy, chosen on the way', { isEnhanced: true }, 5, 1],
  ['the enhanced proxy, which was refused as well', { isEnhanced: true, isRefused: true }, 1],
  ['a page of the cache that once needed it', { isEnhanced: true, fromCache: true }, 1],
  ['two URLs that a risk service was asked about', { scans: 2 }, 5, 1],
  ['formats without a price', { options: { formats: ['summary', 'links', 'images', 'branding', 'product'] } }, 1],
];

for (const [name, page, credits, heldBefore = credits] of PAGES) {
  test(`${name}: ${credits}, held before: ${heldBefore}`, () => {
    assert.equal(charged(page), credits);
    assert.equal(held(page), heldBefore);
  });
}

test('failures are free, but an unknown host and a miss under lockdown cost 1', () => {
  assert.equal(failureCredits(new ServiceError('SCRAPE_TIMEOUT')), 0);
  assert.equal(failureCredits(new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR')), 1);
  assert.equal(failureCredits(new ServiceError('SCRAPE_LOCKDOWN_CACHE_MISS')), 1);
  assert.equal(failureCredits(new ServiceError('unsafe_domain_blocked'), { credits: () => 2 }), 2);
});

test('a search costs 2 for every ten results begun, 10 without a trace, and no more if it is anonymous', () => {
  const results = [0, 1, 10, 11, 100];
  assert.deepEqual(
    results.map((count) => searchPrice(count, { isTraceless: false })),
    [0, 2, 2, 4, 20],
  );
  assert.deepEqual(
    results.map((count) => searchPrice(count, { isTraceless: true })),
    [0, 10, 10, 20, 100],
  );
  const cost = (body: object) => searchCost(searchRequest.parse({ query: 'lamps', ...body }));
  assert.equal(cost({}), 2);
  assert.equal(cost({ limit: 20, enterprise: ['zdr'] }), 20);
  assert.equal(cost({ limit: 20, enterprise: ['anon'] }), 4);
  assert.equal(cost({ limit: 20, enterprise: ['anon', 'zdr'] }), 20);
  assert.equal(cost({ limit: 20, sources: ['web', 'news', 'web'] }), 8);
});

test('a session costs 2 a minute, 7 with a prompt, by the second after the first minute', () => {
  const minutes = [0, 60_000, 61_000, 90_000, 600_000];
  assert.deepEqual(
    minutes.map((ms) => sessionCredits(ms, { isPrompted: false })),
    [2, 2, 3, 3, 20],
  );
  assert.deepEqual(
    minutes.map((ms) => sessionCredits(ms, { isPrompted: true })),
    [7, 7, 8, 11, 70],
  );
});
