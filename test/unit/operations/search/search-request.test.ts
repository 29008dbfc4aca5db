// A search request, read: the conditions of each source, the place that is meant, and what the team may ask for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchRequest } from '../../../../src/contracts/search.ts';
import { readSearch } from '../../../../src/operations/search/search-request.ts';

const NOW = Date.UTC(2026, 5, 15, 12);
const DAY = 86_400_000;

const readWith = (features: string[], more: object) =>
  readSearch(searchRequest.parse({ query: 'harbour', ...more }), features, NOW);
const read = (more: object = {}) => readWith(['zdr', 'anon'], more);
const place = (more: object) => {
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
        language: 'en',
      },
    },
  ]);
  assert.deepEqual([isTraceless, isAnonymous, warnings], [false, false, []]);
});

test('the country is the one given, else the last part of the location, else the default', () => {
  assert.deepEqual(place({ country: 'at' }), ['AT', 'de', undefined]);
  assert.deepEqual(place({ location: 'Lyon, Rhône, France' }), ['FR', 'fr', 'Lyon, Rhône, France']);
  assert.deepEqual(place({ location: 'Lyon,France', country: 'JP' }), ['JP', 'ja', 'Lyon,France']);
  assert.deepEqual(place({ location: 'Atlantis' }), ['US', 'en', 'Atlantis']);
  assert.deepEqual(place({ location: ',,,' }), ['US', 'en', ',,,']);
});

test('a language that is given goes before that of the country', () => {
  assert.deepEqual(place({ country: 'CH', lang: 'fr' })[1], 'fr');
  assert.deepEqual(place({ lang: 'pt-BR' })[1], 'pt');
  assert.deepEqual(place({ lang: 'klingon' })[1], 'en');
});

test('each source has its own time and place', () => {
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

test('a source that is named twice is searched once, as it was named last', () => {
  const { sources } = read({ sources: ['web', { type: 'web', tbs: 'qdr:d' }] });
  assert.equal(sources.length, 1);
  assert.equal(sources[0]!.conditions.time?.preset, 'day');
});

test('unknown categories are named, known ones kept', () => {
  const { sources, warnings } = read({ categories: ['gov', 'github', 'developer'] });
  assert.deepEqual(sources[0]!.conditions.categories, ['github']);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /'gov', 'developer'/);
});

test('what leaves no trace must be allowed to the team', () => {
  assert.deepEqual(
    [read({ enterprise: ['zdr'] }).isTraceless, read({ zeroDataRetention: true }).isTraceless],
    [true, true],
  );
  const { isTraceless, isAnonymous } = read({ enterprise: ['anon', 'default'] });
  assert.deepEqual([isTraceless, isAnonymous], [false, true]);
  assert.throws(() => readWith(['anon'], { enterprise: ['zdr'] }), { code: 'FEATURE_NOT_ENABLED' });
  assert.throws(() => readWith(['zdr'], { enterprise: ['anon'] }), { code: 'FEATURE_NOT_ENABLED' });
});

test('a time filter that nobody understands is refused', () => {
  assert.throws(() => read({ tbs: 'soon' }), { code: 'BAD_REQUEST' });
  assert.throws(() => read({ sources: [{ type: 'web', tbs: 'soon' }] }), { code: 'BAD_REQUEST' });
});
