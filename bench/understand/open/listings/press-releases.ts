// Press releases of an authority as list items with a date, a link and a sentence each.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const release = (date: string, iso: string, title: string, text: string) => ({ date, iso, title, text });
const ITEMS = [
  {
    name: 'Harbour Authority',
    news: [
      release(
        '12 Mar 2026',
        '2026-03-12',
        'Dredging of the north channel completed',
        'Ships with a draught of 14 metres can now call at any tide.',
      ),
      release(
        '27 Feb 2026',
        '2026-02-27',
        'New crane arrives by sea',
        'The crane is 110 metres tall and was shipped in one piece.',
      ),
      release(
        '5 Jan 2026',
        '2026-01-05',
        'Record year for rail freight',
        'Four in ten containers left the port by train.',
      ),
    ],
  },
  {
    name: 'Water Board',
    news: [
      release(
        '1 Apr 2026',
        '2026-04-01',
        'Reservoirs full for the first time since 2021',
        'No hosepipe ban is expected this summer.',
      ),
      release(
        '18 Mar 2026',
        '2026-03-18',
        'Lead pipes: last street finished',
        'The programme replaced 212 kilometres of pipe.',
      ),
    ],
  },
  {
    name: 'Transport Office',
    news: [
      release('30 Jan 2026', '2026-01-30', 'Night buses every twenty minutes', 'The new timetable starts in May.'),
      release(
        '22 Jan 2026',
        '2026-01-22',
        'Bicycle bridge opens early',
        'The opening was brought forward by six weeks.',
      ),
      release('9 Jan 2026', '2026-01-09', 'Fares frozen until autumn', 'Season tickets stay at 61 euros.'),
      release(
        '19 Dec 2025',
        '2025-12-19',
        'Tunnel closed over the holidays',
        'Traffic is diverted over the old bridge.',
      ),
    ],
  },
  {
    name: 'Forestry Service',
    news: [
      release('8 Feb 2026', '2026-02-08', 'Two million trees planted', 'Most of them are oak and hornbeam.'),
      release(
        '3 Feb 2026',
        '2026-02-03',
        'Paths reopened after the storm',
        'Visitors should still look out for hanging branches.',
      ),
    ],
  },
  {
    name: 'Statistics Bureau',
    news: [
      release('15 Mar 2026', '2026-03-15', 'Rents rose by 2.1 percent', 'The increase was the smallest in nine years.'),
      release('1 Mar 2026', '2026-03-01', 'More people moved to the country', 'One in eight movers left a large city.'),
      release('14 Feb 2026', '2026-02-14', 'Census results online', 'Tables can be downloaded free of charge.'),
    ],
  },
];

export const pressReleases = pagesOf({
  kind: 'listing',
  name: 'press-releases',
  items: ITEMS,
  url: ({ name }) => `https://gov.example/${slug(name)}/press`,
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { articles: { type: 'array', items: { $ref: '#/$defs/Article' } } },
    required: ['articles'],
    $defs: {
      Article: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          published: { type: 'string', format: 'date' },
          teaser: { type: 'string', description: 'The sentence below the title' },
          url: { type: 'string' },
        },
        required: ['title', 'url'],
        additionalProperties: false,
      },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en"><head><title>Press releases – ${item.name}</title></head><body><header><a href="/">gov.example</a><ul class="nav"><li><a href="/a">About us</a></li><li><a href="/s">Services</a></li><li><a href="/c">Contact</a></li></ul></header>
<main><h1>Press releases</h1><ul class="list">${each(
    item.news,
    ({ date, title, text }) =>
      `<li class="list-item"><span class="date">${date}</span><h3><a href="/${slug(item.name)}/press/${slug(title)}">${title}</a></h3><p>${text}</p></li>`,
  )}</ul><p class="pages"><a href="?p=1">1</a> <a href="?p=2">2</a> <a href="?p=2">Next</a></p></main><footer><p>Press office: 555 0100</p></footer></body></html>`,
  expected: (item) => ({
    articles: item.news.map(({ title, iso, text }) => ({
      title,
      published: iso,
      teaser: text,
      url: `https://gov.example/${slug(item.name)}/press/${slug(title)}`,
    })),
  }),
});
