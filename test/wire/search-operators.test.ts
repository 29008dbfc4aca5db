// Every operator of the query language over HTTP: the page that violates it ranks first until the operator is used.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useSearch } from '../support/search/search.ts';
import { OPERATOR_PAGES, RELATED_PAGES } from '../support/search/search-corpus.ts';

const scene = useSearch({}, [...OPERATOR_PAGES, ...RELATED_PAGES]);

interface OperatorCase {
  /** The query without the operator. */
  words: string;
  operator: string;
  /** Found first without the operator, and left out by it. */
  loud: string;
  /** The pages that match the operator. */
  kept: string[];
  /** A word that ranks the matching pages first, for the negation. */
  own: string;
}

const CASES: Record<string, OperatorCase> = {
  'quotes find the exact words in their order': {
    words: 'amber falcon',
    operator: '"amber falcon"',
    loud: 'birds.test/loud',
    kept: ['birds.test/faint'],
    own: 'plumage',
  },
  'site: finds pages of a host and its subdomains': {
    words: 'brass kettle',
    operator: 'site:south.test',
    loud: 'north.test/kettles',
    kept: ['shop.south.test/kettles/used', 'south.test/kettles'],
    own: 'spout',
  },
  'site: with a path finds pages of a part of a host': {
    words: 'brass kettle',
    operator: 'site:shop.south.test/kettles',
    loud: 'north.test/kettles',
    kept: ['shop.south.test/kettles/used'],
    own: 'handle',
  },
  'filetype: finds files of that type': {
    words: 'cargo tonnage',
    operator: 'filetype:csv',
    loud: 'trade.test/loud',
    kept: ['trade.test/files/tonnage.csv'],
    own: 'crane',
  },
  'filetype: recognises plain text': {
    words: 'cargo tonnage',
    operator: 'filetype:txt',
    loud: 'trade.test/loud',
    kept: ['trade.test/files/notes.txt'],
    own: 'tally',
  },
  'filetype: recognises JSON': {
    words: 'cargo tonnage',
    operator: 'filetype:json',
    loud: 'trade.test/loud',
    kept: ['trade.test/files/berths.json'],
    own: 'winch',
  },
  'inurl: finds addresses with the word': {
    words: 'walnut cabinet',
    operator: 'inurl:joinery',
    loud: 'wood.test/loud',
    kept: ['wood.test/joinery/faint'],
    own: 'hinge',
  },
  'allinurl: finds addresses with all words': {
    words: 'velvet curtain',
    operator: 'allinurl:rooms drapery',
    loud: 'fabric.test/rooms/loud',
    kept: ['fabric.test/rooms/drapery/faint'],
    own: 'tassel',
  },
  'intitle: finds titles with the word': {
    words: 'saffron broth',
    operator: 'intitle:pantry',
    loud: 'soup.test/loud',
    kept: ['soup.test/faint'],
    own: 'ladle',
  },
  'intitle: accepts a quoted text': {
    words: 'juniper candle',
    operator: 'intitle:"workshop diary"',
    loud: 'wax.test/loud',
    kept: ['wax.test/faint'],
    own: 'wick',
  },
  'allintitle: finds titles with all words': {
    words: 'juniper candle',
    operator: 'allintitle:workshop beginners',
    loud: 'wax.test/loud',
    kept: ['wax.test/faint'],
    own: 'wick',
  },
  'related: finds other hosts that are similar': {
    words: 'blight',
    operator: 'related:orchard.test',
    loud: 'field.test/potatoes',
    kept: ['grafters.test/'],
    own: 'grafting clubs',
  },
};

for (const [name, { words, operator, loud, kept, own }] of Object.entries(CASES)) {
  describe(name, () => {
    test('and leaves out the page that would be first without it', async () => {
      assert.equal((await scene.hostPaths(words))[0], loud);
      assert.deepEqual((await scene.hostPaths(`${words} ${operator}`)).sort(), kept);
    });

    test('and the opposite after a minus', async () => {
      const question = `${words} ${own}`;
      const all = await scene.hostPaths(question);
      assert.ok(kept.includes(all[0]!), `${question}: ${all}`);
      // The list of an `all` operator takes every word behind it.
      const without = await scene.hostPaths(`${question} -${operator}`);
      assert.ok(without.includes(loud), `${question} -${operator}: ${without}`);
      assert.deepEqual(
        without.filter((address) => kept.includes(address)),
        [],
      );
    });
  });
}

test('a minus leaves out pages with the word', async () => {
  assert.deepEqual(await scene.hostPaths('slate quarry'), ['stone.test/loud', 'stone.test/faint']);
  assert.deepEqual(await scene.hostPaths('slate quarry -dust'), ['stone.test/faint']);
  assert.deepEqual(await scene.hostPaths('slate quarry -DUST'), ['stone.test/faint']);
});

test('the beginning of a word in the address is enough, with other words and alone', async () => {
  assert.deepEqual(await scene.hostPaths('walnut cabinet inurl:join'), ['wood.test/joinery/faint']);
  assert.deepEqual(await scene.hostPaths('inurl:join'), ['wood.test/joinery/faint']);
  assert.deepEqual((await scene.hostPaths('site:south.* brass kettle')).sort(), [
    'shop.south.test/kettles/used',
    'south.test/kettles',
  ]);
});

test('a word is not found by another that only begins like it', async () => {
  // The word "after" is everywhere in the corpus.
  assert.deepEqual(await scene.hostPaths('afternoon'), []);
});

describe('combinations', () => {
  test('several sites, or several file types, are alternatives', async () => {
    assert.deepEqual((await scene.hostPaths('brass kettle site:north.test OR site:shop.south.test')).sort(), [
      'north.test/kettles',
      'shop.south.test/kettles/used',
    ]);
    assert.deepEqual((await scene.hostPaths('cargo tonnage filetype:csv filetype:txt')).sort(), [
      'trade.test/files/notes.txt',
      'trade.test/files/tonnage.csv',
    ]);
  });

  test('all other conditions must hold together', async () => {
    const paths = await scene.hostPaths('cargo site:trade.test inurl:files -filetype:csv -"the tally"');
    assert.deepEqual(paths, ['trade.test/files/berths.json']);
    assert.deepEqual(await scene.hostPaths('brass kettle site:south.test -site:shop.south.test'), [
      'south.test/kettles',
    ]);
    assert.deepEqual(await scene.hostPaths('"amber falcon" site:north.test'), []);
  });

  test('operators alone are a query', async () => {
    assert.deepEqual(await scene.hostPaths('site:wood.test inurl:joinery'), ['wood.test/joinery/faint']);
    assert.deepEqual(await scene.hostPaths('related:orchard.test'), ['grafters.test/']);
  });
});

test('a query without a word to look for finds nothing, costs nothing and says why', async () => {
  for (const query of ['😀', '!!!', '-falcon', '-site:south.test -filetype:pdf', '"…" - ()', 'imagesize:800x600']) {
    const { data, creditsUsed, warning } = await scene.search({ query });
    assert.deepEqual([data, creditsUsed], [{ web: [] }, 0], query);
    assert.match(warning!, /^The query has no word to look for, so nothing was searched\. Add a word/, query);
  }
  const both = await scene.search({ query: 'imagesize:800x600', sources: ['web', 'images'] });
  assert.match(both.warning!, /so `web` was not searched\./);
  for (const query of ['site:south.test', 'filetype:csv', 'inurl:joinery', 'intitle:pantry', 'related:orchard.test']) {
    const { data, warning } = await scene.search({ query });
    assert.ok(data.web!.length > 0, query);
    assert.equal(warning, undefined, query);
  }
});

test('a `related:` that nobody could apply is named', async () => {
  const warning = async (query: string) => (await scene.search({ query })).warning;
  assert.match(
    (await warning('related:nowhere.test'))!,
    /Nobody could apply `related:nowhere\.test`: the index has no page/,
  );
  assert.match((await warning('blight -related:nowhere.test'))!, /`-related:nowhere\.test`/);
  assert.equal(await warning('blight related:orchard.test'), undefined);
});

test('odd queries are answered, whatever they contain', async () => {
  const odd = [
    '"',
    '"amber falcon',
    '-',
    '- - -',
    'site:',
    'site:*',
    'site:south.*',
    'SITE:SOUTH.TEST brass',
    'filetype:',
    'intitle:""',
    'imagesize:0x0 larger:x',
    '(((',
    'OR OR OR',
    '-site:south.test',
    '\u202eamber\u0000 falcon',
    '🦅 "🦅"',
    'NEAR(amber falcon) AND NOT* ^title:{x}',
    `${'a '.repeat(249)}b`,
  ];
  for (const query of odd) await scene.search({ query });
  assert.deepEqual(await scene.hostPaths('"amber falcon'), ['birds.test/faint']);
  assert.deepEqual((await scene.hostPaths('SITE:SOUTH.TEST brass')).sort(), [
    'shop.south.test/kettles/used',
    'south.test/kettles',
  ]);
});
