// Homes to rent in Ireland: a list over two pages, facts in definition lists, some homes already let.
import { each, slug } from '../../../understand/labelled-page.ts';
import { date, integer, listOf, number, object, taskTemplate, text } from '../../task.ts';

const HOST = 'mulcahylettings.test';
const home = (address: string, area: string, rent: number, beds: number, from: string, ber: string) => ({
  address,
  area,
  rent,
  beds,
  from,
  ber,
});
const HOMES = [
  home('Flat 4, 12 Glencar Road', 'Salthill', 1450, 2, '2026-04-01', 'B2'),
  home('7 Weir View', 'Newcastle', 1975, 3, '2026-03-15', 'C1'),
  home('The Old Forge, Barna', 'Barna', 2600, 4, '2026-05-02', 'D1'),
  home('Apt 21, Dock Gate', 'City Centre', 1680, 1, '2026-03-01', 'A3'),
  home('33 Lurgan Park', 'Renmore', 1820, 3, '2026-06-20', 'C2'),
];
type Home = (typeof HOMES)[number];
const path = (one: Home) => `/to-let/${slug(one.address)}`;
const longDate = (iso: string) =>
  new Date(iso).toLocaleDateString('en-IE', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="en-IE"><head><meta charset="utf-8"><title>${title} – Mulcahy Lettings</title></head><body><header><strong>Mulcahy Lettings</strong> <a href="/">Home</a> <a href="/to-let">To let</a> <a href="/landlords">Landlords</a> <a href="/tenants">Tenants</a></header><div id="main">${body}</div><footer>PSRA licence 003811. Eyre Street, Galway. We use essential cookies only.</footer></body></html>`;
const row = (one: Home) =>
  `<section class="listing"><h3><a href="${path(one)}">${one.address}</a></h3><p>${one.area} – ${one.beds} bed – €${one.rent.toLocaleString('en-IE')} per month</p></section>`;
const list = (at: number) =>
  layout(
    `To let, page ${at}`,
    `<h1>Homes to let</h1>${each(HOMES.slice((at - 1) * 3, at * 3), row)}<p>${at === 1 ? '<a href="/to-let?p=2">Older listings »</a>' : '<a href="/to-let">« Newer listings</a>'}</p><h2>Recently let</h2><p>14 Sea Road (was €1,550 per month)</p>`,
  );
const detail = (one: Home) =>
  layout(
    one.address,
    `<h1>${one.address}</h1><dl><dt>Area</dt><dd>${one.area}</dd><dt>Rent</dt><dd>€${one.rent.toLocaleString('en-IE')} per month</dd><dt>Bedrooms</dt><dd>${one.beds}</dd><dt>Available from</dt><dd>${longDate(one.from)}</dd><dt>BER</dt><dd>${one.ber}</dd><dt>Deposit</dt><dd>One month's rent</dd></dl><p>Bright and quiet, near shops and the bus. Viewings on Saturdays by appointment.</p>`,
  );

export const lettings = taskTemplate({
  name: 'lettings',
  sites: {
    [HOST]: {
      '/': layout(
        'Homes in Galway',
        '<h1>Homes in Galway</h1><p>Letting since 1991. <a href="/to-let">See all homes</a></p>',
      ),
      '/to-let': list(1),
      '/to-let?p=2': list(2),
      ...Object.fromEntries(HOMES.map((one) => [path(one), detail(one)])),
      '/tenants': layout('Tenants', '<h1>Tenants</h1><p>Bring two references and proof of income.</p>'),
    },
  },
  tasks: [
    {
      name: 'lettings-list',
      prompt: 'All homes to let with address, area, monthly rent and number of bedrooms',
      urls: [`http://${HOST}/to-let`],
      schema: object({
        homes: listOf({ address: text(), area: text(), rent: number('per month, in euros'), bedrooms: integer() }),
      }),
      expected: { homes: HOMES.map(({ address, area, rent, beds }) => ({ address, area, rent, bedrooms: beds })) },
      pages: [`${HOST}/to-let`, `${HOST}/to-let?p=2`],
    },
    {
      name: 'lettings-search',
      prompt: 'The Old Forge, Barna, to let: monthly rent, energy rating (BER) and from when it is available',
      schema: object({ rent: number('per month, in euros'), ber: text('energy rating'), availableFrom: date() }),
      expected: { rent: 2600, ber: 'D1', availableFrom: '2026-05-02' },
      pages: [`${HOST}/to-let/the-old-forge-barna`],
    },
  ],
});
