// Countries by code and by name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countryNamed, isCountry, languageOfCountry } from '../../../src/text/countries.ts';

test('only existing upper-case codes are countries, and a lookup accepts either case', () => {
  for (const code of ['US', 'DE', 'JP', 'GB', 'BR']) assert.ok(isCountry(code), code);
  for (const code of ['us', 'ZZ', 'XQ', 'U', 'USA', 'D1', '', 'D E']) assert.equal(isCountry(code), false, code);
  assert.equal(countryNamed('de'), 'DE');
  assert.equal(countryNamed(' jp '), 'JP');
});

test('common names of countries are recognised', () => {
  const named: Record<string, string> = {
    Germany: 'DE',
    'united states': 'US',
    USA: 'US',
    uk: 'GB',
    England: 'GB',
    'United Kingdom': 'GB',
    Turkey: 'TR',
    Türkiye: 'TR',
    'South Korea': 'KR',
    Brazil: 'BR',
  };
  for (const [name, code] of Object.entries(named)) assert.equal(countryNamed(name), code, name);
  for (const name of ['Atlantis', '', 'Munich', 'x'.repeat(10_000), 'constructor', '__proto__']) {
    assert.equal(countryNamed(name), undefined, name.slice(0, 20));
  }
});

test('a country has a main language', () => {
  assert.deepEqual(['AT', 'US', 'JP', 'BR', 'FR'].map(languageOfCountry), ['de', 'en', 'ja', 'pt', 'fr']);
});
