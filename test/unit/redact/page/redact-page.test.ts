// A whole page without what was found in it: every field, every way of writing a value, all styles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RedactionOptions } from '../../../../src/contracts/scrape/redaction.ts';
import type { LabelledSpan } from '../../../../src/encoders/names/label-spans.ts';
import type { SvgNode } from '../../../../src/page/page-styles.ts';
import { redactPage, sentencesOf } from '../../../../src/redact/page/redact-page.ts';
import type { RedactablePage } from '../../../../src/redact/page/redactable-page.ts';
import { logo, RECT, STYLES } from '../../../support/page-styles.ts';

const NAMES: Readonly<Record<string, LabelledSpan['type']>> = {
  'Zoë Marlowe': 'PERSON',
  'Jürgen Möller': 'PERSON',
  Rosamund: 'PERSON',
  Lisbon: 'LOCATION',
};

interface Given extends Partial<Omit<RedactablePage, 'source'>> {
  source?: Partial<RedactablePage['source']>;
}

const pageOf = ({ source, content = {}, ...page }: Given): RedactablePage => ({
  metadata: {},
  warnings: [],
  ...page,
  content,
  source: { url: 'https://site.test/', markdown: content.markdown ?? '', ...source },
});

/** As the classifier would, if it knew these names and nothing else. */
function spansIn(text: string): LabelledSpan[] {
  const pattern = new RegExp(Object.keys(NAMES).join('|'), 'g');
  return [...text.matchAll(pattern)].map(({ index, 0: name }) => ({
    start: index,
    end: index + name.length,
    type: NAMES[name]!,
    score: 0.9,
  }));
}

function redact(given: Given, options: Partial<RedactionOptions> = {}): RedactablePage {
  const page = pageOf(given);
  const asked: RedactionOptions = { mode: 'accurate', replaceStyle: 'tag', ...options };
  return redactPage(page, asked, asked.mode === 'fast' ? [] : spansIn(sentencesOf(page)));
}

test('a value that is found once is replaced in every field, however it is written there', () => {
  const { content, metadata, source, warnings } = redact({
    content: {
      markdown: '# About\n\nWritten by Zoë Marlowe in Lisbon. [More](https://site.test/team/zo%C3%AB-marlowe)',
      html: '<h1>About</h1><p class="author-zoe-marlowe">Written by <b>Zo&euml;</b> <i>Marlowe</i> in Lisbon.</p>',
      links: [
        'https://site.test/team/zoe-marlowe',
        'https://site.test/about',
        'https://site.test/team/zo%C3%AB-marlowe',
      ],
      images: ['https://site.test/ZoeMarlowe.jpg'],
    },
    metadata: {
      title: 'ZOË MARLOWE | About',
      ogImage: 'https://site.test/zoe_marlowe.png',
      keywords: ['Lisbon', 'tea'],
    },
    source: {
      title: 'ZOË MARLOWE | About',
      data: {
        items: [
          { syntax: 'json-ld', types: ['Person'], properties: { name: ['Marlowe, Zoë', 'Zoë Marlowe'], age: [7] } },
        ],
        meta: { 'author:Zoë Marlowe': 'x' },
        tables: [{ header: ['Name'], rows: [['Zoë Marlowe']] }],
        pairs: [],
        parts: [],
        records: [],
        embedded: [{ name: 'state', value: { 'zoe.marlowe': { city: 'Lisbon' } } }],
      },
      html: '<script>var author = "Zo\\u00eb Marlowe"</script><!-- Zoë Marlowe --><body data-user="zoe.marlowe">x</body>',
    },
    warnings: ['Zoë Marlowe was cut.'],
  });
  assert.equal(
    content.markdown,
    '# About\n\nWritten by <PERSON> in <LOCATION>. [More](https://site.test/team/<PERSON>)',
  );
  assert.equal(
    content.html,
    '<h1>About</h1><p class="author-&lt;PERSON&gt;">Written by <b>&lt;PERSON&gt;</b><i></i> in &lt;LOCATION&gt;.</p>',
  );
  assert.deepEqual(content.links, ['https://site.test/team/<PERSON>', 'https://site.test/about']);
  assert.deepEqual(content.images, ['https://site.test/<PERSON>.jpg']);
  assert.deepEqual(metadata, {
    title: '<PERSON> | About',
    ogImage: 'https://site.test/<PERSON>.png',
    keywords: ['<LOCATION>', 'tea'],
  });
  assert.deepEqual(warnings, ['<PERSON> was cut.']);
  assert.equal(source.html, '<script></script><body data-user="&lt;PERSON&gt;">x</body>');
  assert.doesNotMatch(JSON.stringify({ content, metadata, source }), /zo[eë]|marlowe|Lisbon/i);
  assert.deepEqual(source.data?.embedded, [{ name: 'state', value: { '<PERSON>': { city: '<LOCATION>' } } }]);
  assert.deepEqual(source.data?.items[0]?.properties.age, [7]);
});

test('values of the rules are found again without their separators, and names in local parts of addresses', () => {
  const { content } = redact({
    content: {
      markdown: 'Call +44 20 7946 0958 or write to jurgen.moeller@firm.test, says Jürgen Möller.',
      html: '<a href="tel:+442079460958">call</a> <a href="mailto:jurgen.moeller%40firm.test">mail</a>',
    },
  });
  assert.equal(content.markdown, 'Call <PHONE> or write to <EMAIL>, says <PERSON>.');
  assert.equal(content.html, '<a href="tel:&lt;PHONE&gt;">call</a> <a href="mailto:&lt;EMAIL&gt;">mail</a>');
  const onlyNames = redact(
    { content: { markdown: 'jurgen.moeller@firm.test, moeller, Jürgen Möller' } },
    { entities: ['PERSON'] },
  );
  assert.equal(onlyNames.content.markdown, 'jurgen.moeller@firm.test, moeller, <PERSON>');
  const spelled = redact(
    { content: { markdown: 'juergen.moeller@firm.test is Jürgen Möller' } },
    { entities: ['PERSON'] },
  );
  assert.equal(spelled.content.markdown, '<PERSON>@firm.test is <PERSON>');
});

test('a mask keeps the length, and removing leaves no double spaces', () => {
  const given = {
    content: { markdown: 'By Zoë Marlowe in Lisbon.', html: '<p>By <b>Zoë</b> Marlowe in L&#105;sbon.</p>' },
  };
  const masked = redact(given, { replaceStyle: 'mask' }).content;
  assert.equal(masked.markdown, 'By *********** in ******.');
  assert.equal(masked.html, '<p>By <b>***</b>******** in ******.</p>');
  const removed = redact(given, { replaceStyle: 'remove' }).content;
  assert.equal(removed.markdown, 'By in .');
});

test('only the wanted entities are replaced, and mode fast does without the classifier', () => {
  const markdown = 'Zoë Marlowe, Lisbon, zoe@site.test';
  assert.equal(
    redact({ content: { markdown } }, { entities: ['LOCATION'] }).content.markdown,
    'Zoë Marlowe, <LOCATION>, zoe@site.test',
  );
  assert.match(
    redact({ content: { markdown } }, { mode: 'fast', entities: ['EMAIL'] }).content.markdown!,
    /Marlowe.*<EMAIL>/,
  );
});

test('escapes of Markdown do not hide an address', () => {
  const { content } = redact({ content: { markdown: 'Write to zoe\\_m@site.test \\(now\\).' } });
  assert.equal(content.markdown, 'Write to <EMAIL> \\(now\\).');
});

test('a single word is replaced as it was written, and nowhere if it is mostly no name', () => {
  const { content } = redact({ content: { markdown: 'Rosamund came.', html: '<p>rosamund ROSAMUND Rosamund</p>' } });
  assert.deepEqual([content.markdown, content.html], ['<PERSON> came.', '<p>rosamund ROSAMUND &lt;PERSON&gt;</p>']);
  // The classifier finds it once in four places.
  const page = pageOf({ content: { markdown: 'Rose left. Rose tea. Rose oil. Rose cake.' } });
  const spans: LabelledSpan[] = [{ start: 0, end: 4, type: 'PERSON', score: 0.6 }];
  const options: RedactionOptions = { mode: 'accurate', replaceStyle: 'tag' };
  assert.equal(redactPage(page, options, spans).content.markdown, 'Rose left. Rose tea. Rose oil. Rose cake.');
  const aggressive = redactPage(page, { ...options, mode: 'aggressive', entities: ['PERSON'] }, spans);
  assert.equal(aggressive.content.markdown, '<PERSON> left. <PERSON> tea. <PERSON> oil. <PERSON> cake.');
});

test('a conjunction beside a name, or between two, is no part of a person', () => {
  const redacted = (markdown: string, names: readonly string[], language: string) => {
    const spans = names.map((name): LabelledSpan => {
      const start = markdown.indexOf(name);
      return { start, end: start + name.length, type: 'PERSON', score: 0.9 };
    });
    const page = pageOf({ content: { markdown }, source: { markdown, language } });
    return redactPage(page, { mode: 'aggressive', replaceStyle: 'tag' }, spans).content.markdown;
  };
  const [laura, gasset] = ['Laura Arrieta', 'Ortega'];
  const spanish = `Vino ${laura} y Xabier. Pan y agua y vino. Dijo José ${gasset} y Gasset.`;
  assert.equal(
    redacted(spanish, [`${laura} y`, 'Xabier', gasset], 'es'),
    'Vino <PERSON> y <PERSON>. Pan y agua y vino. Dijo <PERSON> <PERSON> y <PERSON>.',
  );
  assert.equal(redacted('E Ilaria Bo venne. Pane e olio.', ['E Ilaria Bo'], 'it'), 'E <PERSON> venne. Pane e olio.');
  assert.equal(redacted('Anna i Jordi van venir i tornar.', ['i'], 'ca'), '<PERSON> i Jordi van venir i tornar.');
  assert.equal(redacted('E. Bo venne con de la Cruz.', ['E. Bo', 'de la Cruz'], 'it'), '<PERSON> venne con <PERSON>.');
});

test('parts of a name are replaced as they are written, unless they are mostly other words', () => {
  const names = redact({ content: { markdown: 'Zoë Marlowe sat. Marlowe sang. MARLOWE Road, Zoë.' } });
  assert.equal(names.content.markdown, '<PERSON> sat. <PERSON> sang. MARLOWE Road, Zoë.');
  const page = pageOf({ content: { markdown: 'By Will Green. Green tea, green leaves, a green cup. Will it?' } });
  const spans: LabelledSpan[] = [{ start: 3, end: 13, type: 'PERSON', score: 0.9 }];
  const options: RedactionOptions = { mode: 'accurate', replaceStyle: 'tag' };
  const { markdown } = redactPage(page, options, spans).content;
  assert.equal(markdown, 'By <PERSON>. Green tea, green leaves, a green cup. <PERSON> it?');
});

test('blocks of a PDF keep pointing to their place in the Markdown', () => {
  const markdown = 'By Zoë Marlowe.\n\nThe second block.';
  const block = (content: string) => {
    const start = markdown.indexOf(content);
    return { ...BLOCK, content, markdownSpan: [start, start + content.length] as [number, number] };
  };
  const items = [block('By Zoë Marlowe.'), block('The second block.')];
  const { content } = redact({
    content: {
      markdown,
      pages: [{ pageNumber: 1, markdown }],
      blocks: [{ pageNumber: 1, width: null, height: null, status: 'ok', items }],
    },
  });
  assert.equal(content.pages![0]!.markdown, 'By <PERSON>.\n\nThe second block.');
  for (const { content: text, markdownSpan } of content.blocks![0]!.items) {
    assert.equal(content.markdown!.slice(...markdownSpan!), text);
  }
});

test('hostile markup is read in linear time and loses no text', () => {
  const bulk = 40_000;
  const sources = [
    '<a '.repeat(bulk),
    `<a${' '.repeat(bulk)}>`,
    '<a b="'.repeat(bulk),
    "<a b='c".repeat(bulk),
    '<!--'.repeat(bulk),
    '<script>'.repeat(bulk),
    '&'.repeat(bulk),
    '<p>Zoë '.repeat(5_000),
    'a-'.repeat(bulk),
    '%41'.repeat(bulk),
  ];
  for (const html of sources) redact({ content: { html, markdown: 'Zoë Marlowe' } });
  const odd = redact({
    content: { markdown: 'Zoë Marlowe', html: '<p a=b c = "d" / e>Zo&euml; Marlowe<br/>1 < 2 &amp; x' },
  });
  assert.equal(odd.content.html, '<p a=b c = "d" / e>&lt;PERSON&gt;<br/>1 < 2 &amp; x');
});

const BLOCK = {
  id: 'p1.b1',
  type: 'text' as const,
  label: null,
  bbox: null,
  readingOrder: 0,
  source: null,
  confidence: { layout: null, ocr: null },
};

test('of how a page looks, names and addresses are replaced, and drawings keep their shape', () => {
  const path = 'M4111 1111l1111 1111 4155 552671';
  const drawn: SvgNode = {
    name: 'svg',
    attributes: {},
    children: [
      { name: 'title', attributes: {}, text: 'Zoë Marlowe', children: [] },
      { name: 'path', attributes: { d: path }, children: [] },
    ],
  };
  const { url: _, ...picture } = logo('https://site.test/zoe-marlowe.png', true);
  const styles = {
    ...STYLES,
    names: { title: 'Zoë Marlowe, potter' },
    logos: [
      { ...logo('https://site.test/zoe-marlowe.png', true), alt: 'Zoë Marlowe' },
      { ...picture, kind: 'svg' as const, svg: drawn, rect: RECT },
    ],
    buttons: STYLES.buttons.map((button) => ({ ...button, text: 'Write to zoe@marlowe.test' })),
  };
  const { source } = redact({ content: { markdown: 'By Zoë Marlowe.' }, source: { styles } });
  const written = JSON.stringify(source.styles);
  assert.ok(!/marlowe/i.test(written), written);
  assert.ok(written.includes(path));
  assert.deepEqual(source.styles?.buttons[0]?.radii, STYLES.buttons[0]!.radii);
});
