// A British shop without structured data: divs with utility classes, prices split into spans, a comparison on another page.
import { each, slug } from '../../../understand/labelled-page.ts';
import { integer, listOf, number, object, taskTemplate, text } from '../../task.ts';

const HOST = 'fenwickandglow.test';
const LAMPS = [
  { name: 'Halden desk lamp', pounds: 64, pence: '50', finish: 'Brushed brass', watts: 9, height: 42, code: 'FG-2207' },
  {
    name: 'Osprey floor lamp',
    pounds: 185,
    pence: '00',
    finish: 'Matt black',
    watts: 14,
    height: 158,
    code: 'FG-3110',
  },
  { name: 'Pip night light', pounds: 18, pence: '95', finish: 'Opal', watts: 2, height: 11, code: 'FG-1043' },
  { name: 'Tamar pendant', pounds: 129, pence: '00', finish: 'Smoked glass', watts: 12, height: 30, code: 'FG-4055' },
];
type Lamp = (typeof LAMPS)[number];
const path = (lamp: Lamp) => `/lighting/${slug(lamp.name)}-${lamp.code.toLowerCase()}`;
const price = (lamp: Lamp) =>
  `<span class="font-bold">£</span><span class="text-2xl font-bold">${lamp.pounds}</span><span class="text-sm align-top">.${lamp.pence}</span>`;
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>${title} | Fenwick & Glow</title></head><body class="bg-stone-50"><div class="bg-black text-white text-center">Spend £50 more for free delivery</div><div class="flex gap-4"><a href="/">Fenwick &amp; Glow</a><a href="/lighting">Lighting</a><a href="/mirrors">Mirrors</a><a href="/journal">Journal</a><a href="/help/returns">Returns</a></div><div class="container">${body}</div><div class="grid grid-cols-3"><div>Visit us: 17 Pump Court, Lewes</div><div>Call 01273 555 014</div><div>Join 8,000 readers of our letter</div></div></body></html>`;
const tile = (lamp: Lamp) =>
  `<div class="group relative"><a href="${path(lamp)}"><div class="aspect-square"></div><div class="mt-2">${lamp.name}</div></a><div>${price(lamp)}</div><div class="text-xs">or 3 payments of £${(lamp.pounds / 3).toFixed(2)}</div></div>`;
const product = (lamp: Lamp) =>
  layout(
    lamp.name,
    `<div class="flex"><div class="w-1/2"><img src="/i/${lamp.code}.webp" alt=""></div><div class="w-1/2"><div class="text-3xl">${lamp.name}</div><div>${price(lamp)}</div><div class="text-green-700">Made to order, 2 to 3 weeks</div><div class="mt-4">Turned and wired by hand in Sussex. Every lamp is tested for an hour before it leaves us.</div><div class="divide-y"><div class="flex justify-between"><div>Finish</div><div>${lamp.finish}</div></div><div class="flex justify-between"><div>Height</div><div>${lamp.height} cm</div></div><div class="flex justify-between"><div>Power</div><div>${lamp.watts} W</div></div><div class="flex justify-between"><div>Product code</div><div>${lamp.code}</div></div></div></div></div><div class="mt-12 text-xl">Pairs well with</div><div class="grid">${each(LAMPS.filter((other) => other !== lamp).slice(0, 2), tile)}</div>`,
  );

export const lampShop = taskTemplate({
  name: 'lamp-shop',
  sites: {
    [HOST]: {
      '/': layout(
        'Lamps made in Sussex',
        `<div class="text-5xl">Light, made slowly</div><div class="grid">${tile(LAMPS[2]!)}</div>`,
      ),
      '/lighting': layout(
        'Lighting',
        `<div class="text-3xl">Lighting</div><div>4 products</div><div class="grid">${each(LAMPS, tile)}</div>`,
      ),
      ...Object.fromEntries(LAMPS.map((lamp) => [path(lamp), product(lamp)])),
      '/help/returns': layout(
        'Returns',
        '<div class="text-3xl">Returns</div><div>You may return an unused lamp within 45 days. We pay the postage within the UK. Made-to-order pendants cannot be returned.</div>',
      ),
      '/journal': layout(
        'Journal',
        '<div class="text-3xl">Journal</div><div>How to choose a bulb: warm light has 2,700 kelvin.</div>',
      ),
    },
  },
  tasks: [
    {
      name: 'lamp-object',
      prompt: 'What does the Osprey floor lamp cost, what is its finish, height in cm and product code?',
      urls: [`http://${HOST}/`],
      schema: object({ price: number('in pounds'), finish: text(), height: number('in cm'), productCode: text() }),
      expected: { price: 185, finish: 'Matt black', height: 158, productCode: 'FG-3110' },
      pages: [`${HOST}/lighting/osprey-floor-lamp-fg-3110`],
    },
    {
      name: 'lamp-list',
      prompt: 'All lamps with name, price in pounds, finish and power in watts',
      urls: [`http://${HOST}/lighting`],
      schema: object({
        lamps: listOf({ name: text(), price: number('in pounds'), finish: text(), watts: integer('power in watts') }),
      }),
      expected: {
        lamps: LAMPS.map(({ name, pounds, pence, finish, watts }) => ({
          name,
          price: Number(`${pounds}.${pence}`),
          finish,
          watts,
        })),
      },
      pages: LAMPS.map((lamp) => HOST + path(lamp)),
      derived: ['lamps[].price'],
    },
    {
      name: 'lamp-question',
      prompt: 'How long do I have to return a lamp to Fenwick & Glow, and which products cannot be returned?',
      urls: [`http://${HOST}/`],
      statements: ['You may return an unused lamp within 45 days', 'Made-to-order pendants cannot be returned'],
      pages: [`${HOST}/help/returns`],
    },
  ],
});
