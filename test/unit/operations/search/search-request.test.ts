// How a search request is read: the conditions of each source, and the region.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchRequest } from '../../../../src/contracts/search/search.ts';
import { readSearch } from '../../../../src/operations/search/search-request.ts';

const NOW = Date.UTC(2026, 5, 15, 12);
const DAY = 86_400_000;

const read = (more: object = {}) => readSearch(searchRequest.parse({ query: 'harbour', ...more }), NOW);
const regionOf = (more: object) => {
  const { country, language, location } = read(more).sources[0]!.conditions;
  return [country, language, location];
};

test('a plain search has no conditions', () => {
  const { sources, isTraceless, isAnonymous, warnings } = read();
  assert.deepEqual(sources, [
    {
      source: 'web',
      conditions: {
        sortByDate: false,
        includeDomains: [],
        excludeDomains: [],
        categories: [],
        country: 'US',
      },
    },
  ]);
  assert.deepEqual([isTraceless, isAnonymous, warnings], [false, false, []]);
});

test('the country is the given one, or the last part of the location, or the default', () => {
  assert.deepEqual(regionOf({ country: 'at' }), ['AT', undefined, undefined]);
  assert.deepEqual(regionOf({ location: 'Lyon, Rhône, France' }), ['FR', undefined, 'Lyon, Rhône, France']);
  assert.deepEqual(regionOf({ location: 'Lyon,France', country: 'JP' }), ['JP', undefined, 'Lyon,France']);
  assert.deepEqual(regionOf({ location: 'Atlantis' }), ['US', undefined, 'Atlantis']);
  assert.deepEqual(regionOf({ location: ',,,' }), ['US', undefined, ',,,']);
});

test('the language is the given one: a country does not imply any', () => {
  assert.deepEqual(regionOf({ country: 'CH', lang: 'fr' })[1], 'fr');
  assert.deepEqual(regionOf({ lang: 'pt-BR' })[1], 'pt');
  assert.deepEqual(regionOf({ lang: 'klingon' })[1], undefined);
});

test('each source has its own time range and location', () => {
  const { sources } = read({
    tbs: 'qdr:w',
    location: 'Germany',
    sources: [{ type: 'web', tbs: 'sbd:1', location: 'Japan' }, 'news'],
  });
  const [web, news] = sources.map(({ conditions }) => conditions);
  assert.deepEqual([web!.time, web!.sortByDate, web!.country], [undefined, true, 'JP']);
  assert.deepEqual(
    [news!.time, news!.sortByDate, news!.country],
    [{ from: NOW - 7 * DAY, preset: 'week' }, false, 'DE'],
  );
});

test('a source that is named twice is searched once, with the last options', () => {
  const { sources } = read({ sources: ['web', { type: 'web', tbs: 'qdr:d' }] });
  assert.equal(sources.length, 1);
  assert.equal(sources[0]!.conditions.time?.preset, 'day');
});

test('unknown categories cause a warning, and known ones are kept', () => {
  const { sources, warnings } = read({ categories: ['poems', 'github', 'recipes'] });
  assert.deepEqual(sources[0]!.conditions.categories, ['github']);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /'poems', 'recipes'/);
});

test('searches without retention and anonymous searches are recognised', () => {
  assert.deepEqual(
    [read({ enterprise: ['zdr'] }).isTraceless, read({ zeroDataRetention: true }).isTraceless],
    [true, true],
  );
  const { isTraceless, isAnonymous } = read({ enterprise: ['anon', 'default'] });
  assert.deepEqual([isTraceless, isAnonymous], [false, true]);
});

test('an unknown time filter is refused', () => {
  assert.throws(() => read({ tbs: 'soon' }), { code: 'INVALID_SEARCH_REQUEST' });
  assert.throws(() => read({ sources: [{ type: 'web', tbs: 'soon' }] }), { code: 'INVALID_SEARCH_REQUEST' });
});
