// A potter's own site: facts in "Label: value" lines and in prose, an old price in hidden text.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    name: 'Speckled Dinner Plate',
    price: '£34',
    old: '£29',
    size: '27 cm',
    care: 'Dishwasher safe',
    clay: 'stoneware',
    lead: 'three weeks',
    left: 6,
  },
  {
    name: 'Tall Celadon Vase',
    price: '£120',
    old: '£99',
    size: '38 cm',
    care: 'Wipe clean only',
    clay: 'porcelain',
    lead: 'eight weeks',
    left: 1,
  },
  {
    name: 'Raku Tea Bowl',
    price: '£58',
    old: '£55',
    size: '12 cm',
    care: 'Hand wash',
    clay: 'raku clay',
    lead: 'two weeks',
    left: 0,
  },
  {
    name: 'Terracotta Herb Pot',
    price: '£18.50',
    old: '£16',
    size: '15 cm',
    care: 'Frost proof',
    clay: 'terracotta',
    lead: 'five days',
    left: 24,
  },
  {
    name: 'Pair of Egg Cups',
    price: '£22',
    old: '£20',
    size: '6 cm',
    care: 'Dishwasher safe',
    clay: 'stoneware',
    lead: 'ten days',
    left: 3,
  },
];

export const potteryProse = pagesOf({
  kind: 'shop',
  name: 'pottery-prose',
  items: ITEMS,
  url: ({ name }) => `https://jessamypots.example/shop/${slug(name)}/`,
  schema: {
    type: 'object',
    properties: {
      item: { type: 'string', description: 'What is sold' },
      price: { type: 'number' },
      currency: { type: 'string', enum: ['GBP', 'EUR', 'USD'] },
      height: { type: 'string' },
      care: { type: 'string', description: 'Care instructions' },
      material: { type: 'string', description: 'The clay it is made of' },
      leadTime: { type: 'string', description: 'How long until it is ready' },
      quantityLeft: { type: 'integer', description: 'How many are left' },
      discountCode: { type: 'string' },
    },
    required: ['item', 'price'],
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en-GB"><head><meta name="viewport" content="width=device-width"><title>${item.name} — Jessamy Pots</title></head><body>
<div class="site-title"><a href="/">Jessamy Pots</a></div><div class="links"><a href="/shop">Shop</a> / <a href="/about">About</a> / <a href="/stockists">Stockists</a></div>
<div class="content"><h2>${item.name}</h2><div style="display:none">${item.name}, last year's price ${item.old}, left: 99</div>
<p>Thrown on a kick wheel in my studio in Stroud and fired twice. No two are quite alike, so the one you receive will differ a little from the photographs.</p>
<p><strong>Price:</strong> ${item.price}<br><strong>Height:</strong> ${item.size}<br><strong>Care:</strong> ${item.care}<br><strong>Clay:</strong> ${item.clay}<br><strong>Lead time:</strong> ${item.lead}</p>
<p>${item.left === 0 ? 'None left in the studio at the moment.' : `Left in the studio: ${item.left}`}</p>
<p>Postage is £6 within the UK, however many pieces you order. If something breaks on the way, send me a photograph and I will replace it.</p></div>
<div class="newsletter">Join the mailing list for 10% off your first order</div><p class="small">Jessamy Hart, Unit 4, The Old Brewery, Stroud</p></body></html>`,
  expected: (item) => ({
    item: item.name,
    price: Number(item.price.slice(1)),
    currency: 'GBP',
    height: item.size,
    care: item.care,
    material: item.clay,
    leadTime: item.lead,
    quantityLeft: item.left === 0 ? anyOf(0, null) : item.left,
    discountCode: null,
  }),
});
