// Values that several providers receive in the same form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Conditions, TimeRange } from '../../../../../src/contracts/search/search-query.ts';
import { problemKindOf } from '../../../../../src/search/providers/toolkit/answer-problem.ts';
import {
  coveringPreset,
  dayBounds,
  domainsOf,
  knownLanguage,
  withVerifiableDates,
} from '../../../../../src/search/providers/toolkit/request-values.ts';
import { hostsOfCategory } from '../../../../../src/urls/categories.ts';
import { NOW, question } from '../../../../support/provider-server.ts';

const HOUR_MS = 3_600_000;

test('a time range without a preset of its own is covered by the next longer preset', () => {
  const hours: [number, string | undefined][] = [
    [1, 'day'],
    [24, 'day'],
    [25, 'week'],
    [24 * 8, 'month'],
    [24 * 100, 'year'],
    [24 * 400, undefined],
  ];
  for (const [count, preset] of hours) assert.equal(coveringPreset({ from: NOW - count * HOUR_MS }, NOW), preset);
  assert.equal(coveringPreset({ until: NOW }, NOW), undefined);
});

test('a preset stays itself, however long its month or year', () => {
  assert.equal(coveringPreset({ from: NOW - 31 * 24 * HOUR_MS, preset: 'month' }, NOW), 'month');
  assert.equal(coveringPreset({ from: NOW - 366 * 24 * HOUR_MS, preset: 'year' }, NOW), 'year');
  assert.equal(coveringPreset({ from: NOW - HOUR_MS, preset: 'hour' }, NOW), 'day');
});

test('an open range starts in 1970 or ends today', () => {
  const until = Date.UTC(2026, 0, 2);
  assert.deepEqual(dayBounds({ until }, NOW), ['1970-01-01', '2026-01-01']);
  assert.deepEqual(dayBounds({ from: until }, NOW), ['2026-01-02', '2026-10-15']);
});

test('undated results are dropped only for ranges shorter than a day', () => {
  const results = [
    { url: 'https://a.example/', title: '', description: '', date: NOW },
    { url: 'https://b.example/', title: '', description: '' },
  ];
  const kept = (time?: TimeRange) => withVerifiableDates(results, time, NOW).length;
  assert.equal(kept(), 2);
  assert.equal(kept({ from: NOW - 24 * HOUR_MS }), 2);
  assert.equal(kept({ until: NOW }), 2);
  assert.equal(kept({ from: NOW - 6 * HOUR_MS }), 1);
});

const domains = (text: string, conditions: Partial<Conditions> = {}) => {
  const { query, conditions: all } = question(text, { conditions });
  return domainsOf(query, all);
};

test('sites in the query take precedence over domains, and domains over the hosts of categories', () => {
  assert.deepEqual(domains('tide site:a.example site:b.example', { includeDomains: ['c.example'] }).include, [
    'a.example',
    'b.example',
  ]);
  const both = domains('tide', { includeDomains: ['c.example'], categories: ['github'] });
  assert.deepEqual(both.include, ['c.example']);
  assert.deepEqual(domains('tide -site:x.c.example', { includeDomains: ['c.example'] }).exclude, ['x.c.example']);
  assert.deepEqual(domains('tide', { categories: ['github'] }).include, [...hostsOfCategory('github')]);
});

test('a category without hosts allows every host, and a path cannot be excluded', () => {
  assert.deepEqual(domains('tide', { categories: ['github', 'pdf'] }).include, []);
  assert.deepEqual(domains('tide -site:a.example -site:b.example/part', { excludeDomains: ['c.example'] }), {
    include: [],
    exclude: ['c.example', 'a.example'],
  });
});

test('languages are written as the providers know them, or not at all', () => {
  assert.equal(knownLanguage('zh', 'TW'), 'zh-hant');
  assert.equal(knownLanguage('zh', 'CN'), 'zh-hans');
  assert.equal(knownLanguage('ja', 'JP'), 'jp');
  assert.equal(knownLanguage('no', 'NO'), 'nb');
  assert.equal(knownLanguage('pt', 'PT'), 'pt-pt');
  assert.equal(knownLanguage('de', 'AT'), 'de');
  assert.equal(knownLanguage('tlh', 'US'), undefined);
});

test('an error message is classified by its words', () => {
  assert.equal(problemKindOf('Your account has run out of searches.'), 'quota');
  assert.equal(problemKindOf('Insufficient credit to perform this request.'), 'quota');
  assert.equal(problemKindOf('Invalid API key'), 'key');
  assert.equal(problemKindOf('Unsupported `location` parameter.'), 'refused');
});
