// A US electronics store without any markup for programs: a price in three elements, facts in a two-column table.
import { anyOf, each, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    name: 'Lumen 27" 4K Monitor',
    maker: 'Visara',
    model: 'VS-27U4',
    dollars: '349',
    cents: '99',
    list: '$429.99',
    screen: '27 in',
    weight: '11.9 lb',
    year: 2025,
    ports: 'HDMI, DisplayPort, USB-C',
    votes: '1,048',
    stars: '4.5',
    stock: 'In Stock',
  },
  {
    name: 'Atlas 14 Laptop',
    maker: 'Corvid',
    model: 'AT14-2026',
    dollars: '1,249',
    cents: '00',
    list: '$1,399.00',
    screen: '14 in',
    weight: '2.9 lb',
    year: 2026,
    ports: 'USB-C, USB-A',
    votes: '87',
    stars: '4.8',
    stock: 'Only 3 left',
  },
  {
    name: 'PocketBeam Mini Projector',
    maker: 'Oriel',
    model: 'PB-100',
    dollars: '199',
    cents: '50',
    list: '$249.00',
    screen: 'up to 100 in',
    weight: '1.4 lb',
    year: 2024,
    ports: 'HDMI',
    votes: '312',
    stars: '3.9',
    stock: 'Out of Stock',
  },
  {
    name: 'Slate 11 Tablet',
    maker: 'Corvid',
    model: 'SL11-64',
    dollars: '289',
    cents: '00',
    list: '$329.00',
    screen: '11 in',
    weight: '1.0 lb',
    year: 2025,
    ports: 'USB-C',
    votes: '2,310',
    stars: '4.3',
    stock: 'In Stock',
  },
  {
    name: 'Panorama 34 Curved Display',
    maker: 'Visara',
    model: 'VS-34C',
    dollars: '2,099',
    cents: '95',
    list: '$2,499.95',
    screen: '34 in',
    weight: '19.8 lb',
    year: 2026,
    ports: 'HDMI, DisplayPort',
    votes: '56',
    stars: '4.1',
    stock: 'Currently unavailable',
  },
];

export const specTableStore = pagesOf({
  kind: 'shop',
  name: 'spec-table-store',
  items: ITEMS,
  url: ({ name, model }) => `https://circuitbarn.example/dp/${model}?ref=${slug(name)}`,
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      price: { type: 'string', description: 'The price that you pay today, e.g. $19.99' },
      listPrice: { type: 'string', description: 'The crossed-out list price' },
      manufacturer: { type: 'string' },
      modelNumber: { type: 'string' },
      screenSize: { type: 'string' },
      itemWeight: { type: 'string' },
      releaseYear: { type: 'integer' },
      stars: { type: 'number', description: 'out of five' },
      numberOfRatings: { type: 'integer' },
      isAvailable: { type: 'boolean' },
    },
  },
  html: (
    item,
    at,
  ) => `<html lang="en-us"><head><title>CircuitBarn.example: ${item.name}: Electronics</title><style>.hide{display:none}</style></head><body>
<div id="nav-belt"><a href="/">CircuitBarn</a><span>Deliver to New York 10001</span><a href="/account">Hello, sign in</a><a href="/cart">Cart $0.00</a></div>
<div id="ppd"><div id="left"><img src="/i/${item.model}.jpg" alt=""></div><div id="center"><h1 id="title"><span>&nbsp; ${item.name} &nbsp;</span></h1>
<div><a class="stars" href="#reviews"><i class="icon icon-star"><span>${item.stars} out of 5 stars</span></i></a> <a href="#reviews">${item.votes} ratings</a></div><hr>
<div class="price-block"><span class="price" aria-hidden="true"><span class="sym">$</span><span class="whole">${item.dollars}</span><sup class="frac">${item.cents}</sup></span><span class="hide">$0.00</span> <span class="list">List: <s>${item.list}</s></span></div>
<ul class="bullets"><li>Set up in minutes, with everything that you need in the box</li><li>Two-year limited warranty and free chat support</li><li>Ports: ${item.ports}</li></ul></div>
<div id="right"><div id="availability"><span>${item.stock}</span></div><button>Add to Cart</button><p>Protection plan from $38.99</p></div></div>
<h2>Technical Details</h2><table class="prodDet"><tbody><tr><th>Manufacturer</th><td>‎${item.maker}</td></tr><tr><th>Item model number</th><td>${item.model}</td></tr>
<tr><th>Standing screen display size</th><td>${item.screen}</td></tr><tr><th>Item Weight</th><td>${item.weight}</td></tr><tr><th>Year released</th><td>${item.year}</td></tr></tbody></table>
<h2>Customers also viewed</h2><ol>${each(
    ITEMS.filter((_, other) => other !== at).slice(0, 3),
    (other) =>
      `<li><a href="/dp/${other.model}">${other.name}</a> <span class="price">$${other.dollars}.${other.cents}</span></li>`,
  )}</ol><div id="foot">Conditions of Use | Privacy Notice | © 2026</div></body></html>`,
  expected: (item) => ({
    name: item.name,
    price: anyOf(
      `$${item.dollars}.${item.cents}`,
      `${item.dollars}.${item.cents}`,
      `$${item.dollars.replace(',', '')}.${item.cents}`,
    ),
    listPrice: item.list,
    manufacturer: item.maker,
    modelNumber: item.model,
    screenSize: item.screen,
    itemWeight: item.weight,
    releaseYear: item.year,
    stars: Number(item.stars),
    numberOfRatings: Number(item.votes.replace(',', '')),
    isAvailable: !/^(Out|Currently)/.test(item.stock),
  }),
});
