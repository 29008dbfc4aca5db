// Results of a search without classes: a list with a link, a line of facts and a paragraph for each.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const paper = (t: string, who: string, d: string, iso: string, pages: number, abs: string) => ({
  t,
  who,
  d,
  iso,
  pages,
  abs,
});
const ITEMS = [
  {
    q: 'groundwater',
    n: 128,
    papers: [
      paper(
        'Nitrate in shallow wells',
        'L. Haas, P. Ito',
        '4 March 2025',
        '2025-03-04',
        18,
        'We sampled ninety wells over three summers and found a clear seasonal pattern.',
      ),
      paper(
        'Recharge under frozen soil',
        'M. Lindqvist',
        '19 November 2024',
        '2024-11-19',
        9,
        'A simple model explains why snowmelt rarely reaches the deeper layers.',
      ),
      paper(
        'Springs of the western slope',
        'A. Bose, C. Reid',
        '30 June 2023',
        '2023-06-30',
        31,
        'This survey maps two hundred springs and the land that feeds them.',
      ),
    ],
  },
];

export const searchPlain = pagesOf({
  kind: 'listing',
  name: 'search-plain',
  items: ITEMS,
  url: ({ q }) => `https://openpapers.example/search?q=${q}`,
  schema: {
    type: 'object',
    properties: {
      totalResults: { type: 'integer' },
      results: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            title: { type: 'string' },
            authors: { type: 'string' },
            published: { type: 'string', format: 'date' },
            pages: { type: 'integer' },
            abstract: { type: 'string' },
            url: { type: 'string' },
          },
        },
      },
      nextPage: { type: 'string' },
    },
  },
  html: (item) =>
    `<!doctype html><html lang="en"><head><title>Search: ${item.q}</title></head><body><p><a href="/">Open Papers</a></p><h1>Search results for “${item.q}”</h1><p>${item.n} results</p><ol>${each(item.papers, (p) => `<li><a href="/paper/${slug(p.t)}">${p.t}</a><br><small>by ${p.who} | ${p.d} | ${p.pages} pages</small><p>${p.abs}</p></li>`)}</ol><p><a rel="next" href="/search?q=${item.q}&amp;page=2">Next page</a></p></body></html>`,
  expected: (item) => ({
    totalResults: item.n,
    results: item.papers.map((p) => ({
      title: p.t,
      authors: p.who,
      published: p.iso,
      pages: p.pages,
      abstract: p.abs,
      url: `https://openpapers.example/paper/${slug(p.t)}`,
    })),
    nextPage: `https://openpapers.example/search?q=${item.q}&page=2`,
  }),
});
