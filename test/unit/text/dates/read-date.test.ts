import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDate } from '../../../../src/text/dates/read-date.ts';

const NOW = Date.UTC(2031, 4, 1, 12);
const read = (text: string): string | undefined => {
  const time = readDate(text, NOW);
  return time === undefined ? undefined : new Date(time).toISOString().replace('.000Z', 'Z');
};

function table(rows: Record<string, string | undefined>): void {
  for (const [text, expected] of Object.entries(rows)) assert.equal(read(text), expected, text);
}

test('ISO dates may be partial, and are UTC without a zone', () => {
  table({
    '2031-04-07': '2031-04-07T00:00:00Z',
    ' 2031-04-07T10:20:30Z ': '2031-04-07T10:20:30Z',
    '2031-04-07T10:20:30.250+02:00': '2031-04-07T08:20:30.250Z',
    '2031-04-07 10:20': '2031-04-07T10:20:00Z',
    '2031-04-07T10:00:00-0530': '2031-04-07T15:30:00Z',
    '2031-04-07-05:00': '2031-04-07T05:00:00Z',
    '2031/04/07': '2031-04-07T00:00:00Z',
    '2031-04': '2031-04-01T00:00:00Z',
    '2031': '2031-01-01T00:00:00Z',
    '20310407': '2031-04-07T00:00:00Z',
    '20310407102030': '2031-04-07T10:20:30Z',
    '20310407T102030Z': '2031-04-07T10:20:30Z',
  });
});

test('dates of mails and programs are read, with common zone names', () => {
  table({
    'Mon, 07 Apr 2031 10:00:00 +0000': '2031-04-07T10:00:00Z',
    'Mon, 7 Apr 2031 10:00:00 EST': '2031-04-07T15:00:00Z',
    '07 Apr 2031 10:00 GMT': '2031-04-07T10:00:00Z',
    'Mon Apr 07 2031 10:00:00 GMT+0200 (CEST)': '2031-04-07T08:00:00Z',
    '04/07/2031, 08:00 PM, +0000 UTC': '2031-04-07T20:00:00Z',
  });
});

test('months may be written out, in several languages and orders', () => {
  for (const text of [
    'April 7, 2031',
    'Apr. 7th, 2031',
    '7 April 2031',
    '7. April 2031',
    '07-Apr-2031',
    '7 avril 2031',
    '7 de abril de 2031',
    '2031 Apr 7',
    '2031年4月7日',
    '07.04.2031',
    'Monday, April 7, 2031',
  ]) {
    assert.equal(read(text), '2031-04-07T00:00:00Z', text);
  }
  table({ 'April 7, 2031 at 9:05 pm': '2031-04-07T21:05:00Z', '2024 Mar': '2024-03-01T00:00:00Z' });
});

test('relative dates are read', () => {
  table({
    '3 days ago': '2031-04-28T12:00:00Z',
    '2 hours ago': '2031-05-01T10:00:00Z',
    'an hour ago': '2031-05-01T11:00:00Z',
    '5 mins ago': '2031-05-01T11:55:00Z',
    '2w ago': '2031-04-17T12:00:00Z',
    Yesterday: '2031-04-30T12:00:00Z',
    today: '2031-05-01T12:00:00Z',
  });
});

test('unix time is read in seconds and in milliseconds', () => {
  table({ '1900000000': '2030-03-17T17:46:40Z', '1900000000000': '2030-03-17T17:46:40Z' });
});

test('ambiguous, impossible, future and unset dates are rejected', () => {
  const texts = [
    ...['', 'soon', 'next week', '3 days', '2031-02-30', '2031-13-01', '2031-04-07T25:00', '04/07/2031', '0001-01-01'],
    ...['1970-01-01T00:00:00Z', '2031-06-01', 'April 7th 2031 by Bob', '2019 ABC', '12:30', 'v1.2.3', '2031-04-07x'],
    ...['9'.repeat(10_000), `April 7, 2031${' '.repeat(200)}`],
  ];
  for (const text of texts) assert.equal(read(text), undefined, text.slice(0, 40));
  assert.equal(read('13/04/2031'), '2031-04-13T00:00:00Z');
  assert.equal(read('2031-05-02'), '2031-05-02T00:00:00Z', 'less than a day ahead may be due to time zones');
});
