import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countryOf } from '../../../src/redact/expected-countries.ts';
import { findByRules } from '../../../src/redact/find-by-rules.ts';
import { expectFound } from '../../support/redaction.ts';

test('finds persons after titles and by known names', () => {
  expectFound('Contact Dr. ⟦Quentin Abernathy⟧ or Mrs ⟦Zyx⟧.', { entity: 'PERSON', language: 'en' });
  const german = 'Es grüßt Frau ⟦Annegret von Trossau⟧. Die Sitzung leitete ⟦Klaus Wippermann⟧.';
  expectFound(german, { entity: 'PERSON', language: 'de' });
  expectFound('By ⟦Ottilie Penhaligon⟧\n\n"No," ⟦Tarquin Mowbray⟧ said. Author: ⟦Keziah Osgood⟧. Write us.', {
    entity: 'PERSON',
    language: 'en',
  });
  expectFound('A shop run by ⟦Marta Lindqvist⟧. Write to her.', { entity: 'PERSON', language: 'en' });
  expectFound('The Quick Guide to Linux Kernel Programming', { entity: 'PERSON', language: 'en' });
});

test('a conjunction joins two persons, or the surnames of one', () => {
  const spanish = { entity: 'PERSON', language: 'es', mode: 'aggressive' } as const;
  expectFound('Ayer hablaron ⟦Laura Gómez⟧ y ⟦Juan Martínez⟧ de ello.', spanish);
  expectFound('Lo escribió ⟦José Ortega y Gasset⟧ en Madrid.', spanish);
});

test('finds addresses in the ways that six languages write them', () => {
  const place = (marked: string, language: string) => expectFound(marked, { entity: 'LOCATION', language });
  place('Besuchen Sie uns: ⟦Lindenstraße 12a, 10969 Berlin⟧.', 'de');
  place('Visit ⟦221 Copperfield Road, Springfield, IL 62704⟧ or ⟦10 Elm Close⟧', 'en');
  place('Adresse : ⟦12 bis, rue de la Paix, 75002 Paris⟧', 'fr');
  place('Estamos en ⟦Calle de Alcalá, 42, 28014 Madrid⟧', 'es');
  place('Sede: ⟦Via Garibaldi 5, 20121 Milano⟧', 'it');
  place('Kantoor: ⟦Keizersgracht 100, 1015 AA Amsterdam⟧', 'nl');
});

test('finds coordinates in every mode, names only where lists are used', () => {
  const text = 'At 52.520008, 13.404954 in Hamburg with Anna Müller.';
  const rules = (mode: 'accurate' | 'fast') => findByRules(text, { mode, language: 'en' }).map(({ rule }) => rule);
  assert.deepEqual(rules('accurate'), ['coordinates']);
  assert.deepEqual(rules('fast'), ['coordinates', 'place-name', 'given-name']);
});

test('the country is that of the domain, otherwise the requested one', () => {
  assert.equal(countryOf('https://www.example.co.uk/a', 'US'), 'GB');
  assert.equal(countryOf('https://example.io', 'nl'), 'NL');
  assert.equal(countryOf('https://example.org', undefined), undefined);
});
