// Parts of compounds: a word on few pages also finds longer ones that begin with it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPageIndex } from '../../../src/index/open-index.ts';
import { feed, queryOf, searchOf } from '../../conformance/page-index-samples.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';

const DAYS = [
  'Montag',
  'Dienstag',
  'Mittwoch',
  'Donnerstag',
  'Freitag',
  'Samstag',
  'Sonntag',
  'Neujahr',
  'Ostern',
  'Advent',
];

test('a word on few pages finds compounds that begin with it, below pages that have the word', async (t) => {
  const index = await openPageIndex({ file: join(temporaryFolder(t), 'index.db') });
  t.after(() => index.close());
  const bodies = [
    'Der Beitrag zur Krankenkasse steigt',
    'Versicherungsbeiträge richten sich nach dem Einkommen',
    'Eine Versicherung schützt das Haus',
    'The verse of a song',
  ];
  await feed(
    index,
    ...bodies.map((body, at) => ({ url: `https://h${at}.example/`, body, language: at < 3 ? 'de' : 'en' })),
  );
  const find = async (text: string) => (await index.web(searchOf(queryOf(text)))).map(({ url }) => url);
  assert.deepEqual(await find('Versicherungen'), ['https://h2.example/', 'https://h1.example/']);
  assert.deepEqual(await find('Verse'), ['https://h3.example/']);
  const common = DAYS.map((day, at) => ({
    url: `https://day${at}.example/`,
    body: `${day}: Versicherung`,
    language: 'de',
  }));
  await feed(index, ...common);
  assert.ok(!(await find('Versicherung')).includes('https://h1.example/'), 'enough pages have the word itself');
});
