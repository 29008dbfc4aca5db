// Dates as people write them, future ones included.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FoundDate, findDate } from '../../../../../src/understand/json/values/read-date.ts';

test('dates are found in texts of several languages', () => {
  const cases: [text: string, language: string | undefined, found: Omit<FoundDate, 'text'> | undefined][] = [
    ['Published on May 12, 2024 by X', 'en', { day: '2024-05-12' }],
    ['12. Mai 2031, 19:30 Uhr', 'de', { day: '2031-05-12', time: '19:30:00' }],
    ['04/07/2024', 'en-US', { day: '2024-04-07' }],
    ['04/07/2024', 'en-GB', { day: '2024-07-04' }],
    ['04/07/2024', undefined, undefined],
    ['2024-05-01T10:00:00+0200', 'en', { day: '2024-05-01', time: '10:00:00', zone: '+02:00' }],
    ['12 de mayo de 2024', 'es', { day: '2024-05-12' }],
    ['Sat, 3 Aug 2030 at 7pm', 'en', { day: '2030-08-03', time: '19:00:00' }],
    ['le 3 août 2024 à 20h30', 'fr', { day: '2024-08-03', time: '20:30:00' }],
    ['99.99.2024', 'de', undefined],
    ['2024-13-45', 'en', undefined],
  ];
  for (const [text, language, found] of cases) {
    const { text: written, ...date } = findDate(text, language) ?? {};
    assert.deepEqual(written === undefined ? undefined : date, found, text);
    assert.ok(written === undefined || text.includes(written), text);
  }
});
