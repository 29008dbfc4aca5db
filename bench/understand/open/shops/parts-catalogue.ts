// A trade catalogue: a table of quantity prices, key data in a definition list, stock levels as numbers.
import { pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    name: 'Ball bearing 6204-2RS',
    mfr: 'Kugelwerk',
    part: '6204-2RS-C3',
    stock: 1840,
    price: '£3.42',
    n: 3.42,
    moq: 10,
    lead: '3 weeks',
    bore: '20 mm',
  },
  {
    name: 'Timing belt HTD 5M-450',
    mfr: 'Rotaflex',
    part: 'HTD5M450-15',
    stock: 76,
    price: '£11.80',
    n: 11.8,
    moq: 1,
    lead: '5 days',
    bore: '15 mm',
  },
];

export const partsCatalogue = pagesOf({
  kind: 'shop',
  name: 'parts-catalogue',
  items: ITEMS,
  url: ({ part }) => `https://partsdepot.example/p/${slug(part)}`,
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      manufacturer: { type: 'string' },
      manufacturer_part_number: { type: 'string' },
      unit_price: { type: 'number' },
      stock_level: { type: 'integer' },
      minimum_order_quantity: { type: 'integer' },
      lead_time: { type: 'string' },
      price_breaks: {
        type: 'array',
        items: { type: 'object', properties: { quantity: { type: 'integer' }, price: { type: 'number' } } },
      },
      datasheet_url: { type: 'string', format: 'uri' },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en-GB"><head><title>${item.name} | ${item.mfr} | Parts Depot</title></head><body><header><a href="/">Parts Depot</a></header><main><h1>${item.name}</h1><dl class="key-data"><dt>Manufacturer</dt><dd><a href="/m/1">${item.mfr}</a></dd><dt>Mfr. Part No.</dt><dd>${item.part}</dd><dt>Minimum order quantity</dt><dd>${item.moq}</dd><dt>Lead time</dt><dd>${item.lead}</dd><dt>Datasheet</dt><dd><a href="/ds/${slug(item.part)}.pdf">Download PDF</a></dd></dl>
<div class="avail"><strong>${item.stock.toLocaleString('en-GB')}</strong> in stock</div><div class="pricing"><p>Unit price: <b>${item.price}</b> (ex. VAT)</p><table><thead><tr><th>Quantity</th><th>Price each</th></tr></thead><tbody><tr><td>1</td><td>${item.price}</td></tr><tr><td>50</td><td>£${(item.n * 0.9).toFixed(2)}</td></tr><tr><td>250</td><td>£${(item.n * 0.8).toFixed(2)}</td></tr></tbody></table></div><h2>Technical data</h2><table><tr><td>Bore</td><td>${item.bore}</td></tr><tr><td>Seal</td><td>Rubber</td></tr></table></main></body></html>`,
  expected: (item) => ({
    name: item.name,
    manufacturer: item.mfr,
    manufacturer_part_number: item.part,
    unit_price: item.n,
    stock_level: item.stock,
    minimum_order_quantity: item.moq,
    lead_time: item.lead,
    price_breaks: [
      { quantity: 1, price: item.n },
      { quantity: 50, price: Number((item.n * 0.9).toFixed(2)) },
      { quantity: 250, price: Number((item.n * 0.8).toFixed(2)) },
    ],
    datasheet_url: `https://partsdepot.example/ds/${slug(item.part)}.pdf`,
  }),
});
