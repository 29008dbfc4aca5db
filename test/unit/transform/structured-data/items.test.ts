// Items of JSON-LD, microdata and RDFa.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataOf, jsonLd } from '../../../support/structured-data.ts';

const itemsOf = (html: string) => dataOf(html).items;
const item = (syntax: string, types: string[], properties: object, id?: string) => ({
  syntax,
  types,
  ...(id !== undefined && { id }),
  properties,
});

test('JSON-LD: scripts, lists and graphs give one item each, without the address of the vocabulary', () => {
  const html =
    jsonLd({ '@context': 'https://schema.org', '@type': 'WebSite', name: 'Shop' }) +
    jsonLd([{ '@type': ['http://schema.org/Product', 'schema:Thing'], 'https://schema.org/name': 'Lamp' }]) +
    jsonLd({
      '@context': 'http://schema.org/',
      '@graph': [{ '@type': 'Person', name: 'Ann', age: 30, isFamilyFriendly: true }],
    });
  assert.deepEqual(itemsOf(html), [
    item('json-ld', ['WebSite'], { name: ['Shop'] }),
    item('json-ld', ['Product', 'Thing'], { name: ['Lamp'] }),
    item('json-ld', ['Person'], { name: ['Ann'], age: [30], isFamilyFriendly: [true] }),
  ]);
});

test('JSON-LD: aliases and prefixes of the context are resolved', () => {
  const html = jsonLd({
    '@context': { s: 'http://schema.org/', titel: 's:name', preis: { '@id': 's:price' }, art: '@type', nummer: '@id' },
    art: 's:Offer',
    nummer: '#offer',
    titel: 'Sale',
    preis: '12.00',
    's:sku': 'A1',
  });
  assert.deepEqual(itemsOf(html), [
    item('json-ld', ['Offer'], { name: ['Sale'], price: ['12.00'], sku: ['A1'] }, 'https://site.test/shop/page#offer'),
  ]);
});

test('JSON-LD: references are joined across scripts, parts of one thing are merged, cycles end', () => {
  const html =
    jsonLd({ '@type': 'Product', '@id': '#p', name: 'Lamp', brand: { '@id': '#b' } }) +
    jsonLd({
      '@graph': [
        { '@type': 'Brand', '@id': '#b', name: 'Acme', makes: { '@id': '#p' } },
        { '@id': '#p', sku: 'L1' },
      ],
    });
  const [product, brand, ...rest] = itemsOf(html);
  const id = (name: string) => `https://site.test/shop/page#${name}`;
  assert.deepEqual(rest, []);
  assert.deepEqual(
    product,
    item(
      'json-ld',
      ['Product'],
      {
        name: ['Lamp'],
        brand: [item('json-ld', ['Brand'], { name: ['Acme'], makes: [id('p')] }, id('b'))],
        sku: ['L1'],
      },
      id('p'),
    ),
  );
  assert.equal(brand?.id, id('b'));
});

test('JSON-LD: values are plain text, constants are names, addresses are absolute', () => {
  const html = jsonLd({
    '@type': 'Product',
    name: 'Salt &amp; Pepper',
    description: '<p>Two <b>mills</b></p><p>Oak</p>',
    image: ['../img/1.jpg', { '@type': 'ImageObject', url: '/img/2.jpg' }],
    size: { '@value': 'L', '@language': 'en' },
    colors: { '@list': ['red', null, 'blue'] },
    offers: { '@type': 'Offer', availability: 'http://schema.org/InStock' },
  });
  assert.deepEqual(itemsOf(html)[0]?.properties, {
    name: ['Salt & Pepper'],
    description: ['Two mills\nOak'],
    image: ['https://site.test/img/1.jpg', item('json-ld', ['ImageObject'], { url: ['https://site.test/img/2.jpg'] })],
    size: ['L'],
    colors: ['red', 'blue'],
    offers: [item('json-ld', ['Offer'], { availability: ['InStock'] })],
  });
});

const BROKEN: Record<string, string> = {
  'a trailing comma': '{"@type":"Thing","name":"N",}',
  'a comment': '{"@type":"Thing", // the type\n "name":"N"}',
  'a raw line break': '{"@type":"Thing","name":"N\n"}',
  'a comment of HTML around it': '<!-- {"@type":"Thing","name":"N"} -->',
  'a CDATA section': '//<![CDATA[\n{"@type":"Thing","name":"N"}\n//]]>',
  'character references': '{&quot;@type&quot;:&quot;Thing&quot;,&quot;name&quot;:&quot;N&quot;}',
  'a semicolon at the end': '{"@type":"Thing","name":"N"};',
  'no end': '{"@type":"Thing","name":"N"',
  'single quotes': "{'@type':'Thing','name':'N'}",
};
for (const [fault, script] of Object.entries(BROKEN)) {
  test(`JSON-LD with ${fault} is read`, () => {
    assert.deepEqual(itemsOf(jsonLd(script)), [item('json-ld', ['Thing'], { name: ['N'] })]);
  });
}

test('what is not an object is not JSON-LD, and does not hide the next script', () => {
  const html = ['', 'null', '"x"', '42', 'var a = 1', '<html>', '{"@type":"Thing","name":"N"}'].map(jsonLd).join('');
  assert.equal(itemsOf(html).length, 1);
});

test('microdata: nested items, itemref, itemid, lists of names and the values of each element', () => {
  const html = `
    <section itemscope itemtype="https://schema.org/Recipe" itemid="/r/1" itemref="extra missing">
      <h1 itemprop="name headline">Soup</h1><img itemprop="image" data-src="/soup.jpg">
      <time itemprop="cookTime" datetime="PT1H">an hour</time><data itemprop="yield" value="4">four</data>
      <link itemprop="url" href="/soup"><meta itemprop="inLanguage" content="en">
      <ul><li itemprop="recipeIngredient">Salt</li><li itemprop="recipeIngredient">Water</li></ul>
      <div itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="name" href="/ann">Ann</a></div>
      <div itemscope itemtype="https://schema.org/WPAdBlock"><b itemprop="name">Not the recipe</b></div>
    </section>
    <p id="extra" style="display:none"><span itemprop="keywords">warm</span></p>`;
  const [recipe, other] = itemsOf(html);
  assert.deepEqual(
    recipe,
    item(
      'microdata',
      ['Recipe'],
      {
        name: ['Soup'],
        headline: ['Soup'],
        image: ['https://site.test/soup.jpg'],
        cookTime: ['PT1H'],
        yield: ['4'],
        url: ['https://site.test/soup'],
        inLanguage: ['en'],
        recipeIngredient: ['Salt', 'Water'],
        author: [item('microdata', ['Person'], { name: ['Ann'] })],
        keywords: ['warm'],
      },
      'https://site.test/r/1',
    ),
  );
  assert.deepEqual(other, item('microdata', ['WPAdBlock'], { name: ['Not the recipe'] }));
});

test('RDFa: typed parts, prefixes, content, relations', () => {
  const html = `
    <div vocab="https://schema.org/" typeof="Event" resource="#gig">
      <h2 property="name">Gig</h2><span property="schema:startDate" content="2026-01-02">2 January</span>
      <div property="location" typeof="Place"><span property="name">Hall</span></div>
      <div rel="schema:offers"><div typeof="schema:Offer"><span property="schema:price">12</span></div></div>
    </div>`;
  assert.deepEqual(itemsOf(html), [
    item(
      'rdfa',
      ['Event'],
      {
        name: ['Gig'],
        startDate: ['2026-01-02'],
        location: [item('rdfa', ['Place'], { name: ['Hall'] })],
        offers: [item('rdfa', ['Offer'], { price: ['12'] })],
      },
      'https://site.test/shop/page#gig',
    ),
  ]);
});

test('names that reach the prototype are left out', () => {
  const html = `${jsonLd('{"@type":"Thing","__proto__":{"polluted":1},"constructor":"c","name":"N"}')}
    <div itemscope itemtype="Thing"><i itemprop="__proto__">x</i><i itemprop="name">N</i></div>
    <meta name="__proto__" content="x"><script id="__proto__" type="application/json">{"__proto__":{"polluted":1},"a":[1]}</script>`;
  const data = dataOf(html);
  assert.deepEqual(
    data.items.map(({ properties }) => Object.keys(properties)),
    [['name'], ['name']],
  );
  assert.deepEqual(data.meta, {});
  assert.deepEqual(data.embedded, [{ value: { a: [1] } }]);
  assert.equal(({} as { polluted?: number }).polluted, undefined);
});
