// Tables, labels with values, repeated blocks, meta tags and embedded JSON of a page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataOf } from '../../../support/structured-data.ts';

test('a table has its caption, its header and its rows, with spans filled in', () => {
  const { tables } =
    dataOf(`<table><caption>Prices</caption><thead><tr><th>Size</th><th colspan="2">Price</th></tr></thead>
    <tr><td>S</td><td>1</td><td>2</td></tr><tr><td>M</td><td colspan="2">sold out</td></tr></table>`);
  assert.deepEqual(tables, [
    {
      caption: 'Prices',
      header: ['Size', 'Price', 'Price'],
      rows: [
        ['S', '1', '2'],
        ['M', 'sold out', 'sold out'],
      ],
    },
  ]);
});

test('a table of properties gives labels with values, once or twice a row', () => {
  const { pairs, tables } = dataOf(`
    <table><tr><th>Weight</th><td>2 kg</td></tr><tr><th>Maker:</th><td><a href="/acme">Acme</a></td></tr></table>
    <table><tr><td>Width</td><td>10 cm</td></tr><tr><td>Height</td><td>20 cm</td></tr></table>
    <table><tr><th>RAM</th><td>8 GB</td><th>Disk</th><td>1 TB</td></tr><tr><th>CPU</th><td>A</td><th>GPU</th><td>B</td></tr></table>`);
  assert.deepEqual(pairs, [
    { label: 'Weight', value: '2 kg' },
    { label: 'Maker', value: 'Acme', href: 'https://site.test/acme' },
    { label: 'Width', value: '10 cm' },
    { label: 'Height', value: '20 cm' },
    { label: 'RAM', value: '8 GB' },
    { label: 'Disk', value: '1 TB' },
    { label: 'CPU', value: 'A' },
    { label: 'GPU', value: 'B' },
  ]);
  assert.deepEqual(tables[1]?.header, []);
});

test('labels: definition lists, bold words, lines, and elements that are named as labels', () => {
  const { pairs } = dataOf(`
    <dl><dt>ISBN</dt><dd>978</dd><div><dt>Author</dt><dd>Ann</dd><dd>Bob</dd></div></dl>
    <p><b>Date:</b> 1 May<br><strong>Place</strong>: Rome <b>Fee:</b> none</p>
    <ul><li>Colour: red</li><li>Opening at 10:30</li><li>See https://site.test/x</li></ul>
    <div class="row"><span class="spec-label">Material</span><span>Oak</span></div>
    <div><div>Doors:</div><div>19:00</div></div>`);
  assert.deepEqual(
    pairs.map(({ label, value }) => [label, value]),
    [
      ['ISBN', '978'],
      ['Author', 'Ann'],
      ['Author', 'Bob'],
      ['Material', 'Oak'],
      ['Date', '1 May'],
      ['Place', 'Rome'],
      ['Fee', 'none'],
      ['Colour', 'red'],
      ['Doors', '19:00'],
    ],
  );
});

test('hidden text is not a fact', () => {
  const { pairs, tables, records } = dataOf(`<p>${'Some text that readers see. '.repeat(20)}</p>
    <p style="display:none"><b>Price:</b> 1</p><dl hidden><dt>Price</dt><dd>2</dd></dl><template><p>Price: 3</p></template>
    <table style="display: none"><tr><th>Price</th><td>4</td></tr><tr><th>Tax</th><td>5</td></tr></table>
    <ul hidden><li><b>A</b> 1 <i>x</i></li><li><b>B</b> 2 <i>x</i></li><li><b>C</b> 3 <i>x</i></li></ul>`);
  assert.deepEqual({ pairs, tables, records }, { pairs: [], tables: [], records: [] });
});

test('cards are records with title, link, image, section and named fields; menus are not', () => {
  const card = (
    name: string,
    price: string,
  ) => `<li class="card card-${name}"><a href="/p/${name}"><img src="/${name}.jpg" alt="">
    <h3>${name}</h3></a><span class="product-price">${price}</span><time datetime="2026-05-01">1 May</time><p>Weight: 2 kg</p></li>`;
  const { records } =
    dataOf(`<nav><ul><li><a href="/a">A</a> 1</li><li><a href="/b">B</a> 2</li><li><a href="/c">C</a> 3</li></ul></nav>
    <ul class="menu"><li><a href="/d">D</a></li><li><a href="/e">E</a></li><li><a href="/f">F</a></li></ul>
    <h2>Lamps</h2><ul>${card('Ada', '$1')}${card('Bea', '$2')}</ul><h2>Chairs</h2><ul>${card('Cy', '$3')}</ul>`);
  assert.equal(records.length, 1);
  assert.deepEqual(
    records[0]?.map(({ title, href, section }) => [title, href, section]),
    [
      ['Ada', 'https://site.test/p/Ada', 'Lamps'],
      ['Bea', 'https://site.test/p/Bea', 'Lamps'],
    ],
  );
  assert.equal(records[0]?.[0]?.image, 'https://site.test/Ada.jpg');
  assert.deepEqual(records[0]?.[0]?.fields, [
    { label: 'h3', value: 'Ada' },
    { label: 'product price', value: '$1' },
    { label: 'time', value: '2026-05-01' },
    { label: 'p', value: 'Weight: 2 kg' },
    { label: 'Weight', value: '2 kg' },
  ]);
});

test('meta tags have absolute addresses, repeated ones are joined', () => {
  const { meta } = dataOf(`<head><meta property="og:image" content="/a.png"><meta name="Description" content="D">
    <meta property="article:tag" content="x"><meta property="article:tag" content="y"><link rel="canonical" href="/c"></head>
    <body><div itemscope><meta itemprop="sku" content="1"></div></body>`);
  assert.deepEqual(meta, {
    'og:image': 'https://site.test/a.png',
    description: 'D',
    'article:tag': 'x, y',
    canonical: 'https://site.test/c',
  });
});

test('embedded JSON: data scripts, attributes and assignments of plain JSON', () => {
  const { embedded } = dataOf(`
    <script id="__NEXT_DATA__" type="application/json">{"props":{"price":12}}</script>
    <form data-product_variations='[{"sku":"A1","display_price":12}]' data-other="{x"></form>
    <script>var product = {"id":1,"name":"a } b","variants":[{}]}; window["state"] = {"a":[1,2,3],"b":{"c":"d"}};
      window.config = {unquoted: true, never: run()}; window.__D__ = JSON.parse("{\\"deep\\":{\\"x\\":[1,2]}}");</script>`);
  assert.deepEqual(embedded, [
    { name: '__NEXT_DATA__', value: { props: { price: 12 } } },
    { name: 'data-product_variations', value: [{ sku: 'A1', display_price: 12 }] },
    { name: 'product', value: { id: 1, name: 'a } b', variants: [{}] } },
    { name: 'state', value: { a: [1, 2, 3], b: { c: 'd' } } },
    { name: '__D__', value: { deep: { x: [1, 2] } } },
  ]);
});
