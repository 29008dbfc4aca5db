// A local newspaper: JSON-LD for the article itself, facts in prose, and a later article that corrects an earlier one.
import { each, jsonLdScript } from '../../../understand/labelled-page.ts';
import { date, number, object, taskTemplate, text } from '../../task.ts';

const HOST = 'larkspurgazette.test';
const ARTICLES = [
  {
    path: '/2025/09/tern-bridge-to-open-in-may',
    title: 'Tern Bridge to open in May',
    author: 'Saoirse Kelleher',
    at: '2025-09-18',
    body: [
      'The new footbridge over the River Tern will open on 9 May 2026, the council said on Thursday.',
      'The steel bridge is 142 metres long and was designed by the architects Okafor Lindqvist. It replaces the ferry that stopped running in 2019.',
      'Its cost is put at $11.8 million, most of it paid by the state.',
    ],
  },
  {
    path: '/2026/02/tern-bridge-opening-delayed',
    title: 'Tern Bridge opening delayed until July',
    author: 'Joaquin Bellweather',
    at: '2026-02-03',
    body: [
      'The opening of the Tern Bridge has been put off: instead of in May, it will now open on 18 July 2026.',
      'Engineers found that bearings at the northern end have to be replaced. The council now expects a total cost of $13.4 million, up from $11.8 million.',
      'The contractor, Maddox Civil, apologised to residents on Monday.',
    ],
  },
  {
    path: '/2026/01/library-hours-vote',
    title: 'Council keeps libraries open on Sundays',
    author: 'Saoirse Kelleher',
    at: '2026-01-22',
    body: [
      'The town council voted on Wednesday to keep all three libraries open on Sundays.',
      'Seven councillors voted for the motion. Councillors Edith Marrow and Paul Tanaka voted against it, citing the cost of $94,000 a year.',
      'The new hours begin on 1 March.',
    ],
  },
  {
    path: '/2026/01/high-school-orchestra',
    title: 'High school orchestra wins state prize',
    author: 'Joaquin Bellweather',
    at: '2026-01-12',
    body: [
      'The orchestra of Larkspur High School won first prize at the state competition on Saturday.',
      'It played a symphony by Florence Price under Denise Obuya.',
    ],
  },
];
type Article = (typeof ARTICLES)[number];

const layout = (title: string, body: string, head = '') =>
  `<!doctype html><html lang="en-US"><head><meta charset="utf-8"><title>${title} - The Larkspur Gazette</title>${head}</head><body><div class="ad">Advertisement</div><header><a href="/">The Larkspur Gazette</a><p>Wednesday, February 4, 2026 · 41°F, light rain</p><nav><a href="/news">News</a> <a href="/sports">Sports</a> <a href="/obituaries">Obituaries</a> <a href="/subscribe">Subscribe for $1 a week</a></nav></header>${body}<footer><p>© 2026 Larkspur Media LLC. Contact the newsroom at 555-0137.</p></footer></body></html>`;
const teaser = ({ path, title, body }: Article) =>
  `<div class="teaser"><h3><a href="${path}">${title}</a></h3><p>${body[0]}</p></div>`;
const articlePage = (one: Article) =>
  layout(
    one.title,
    `<article><h1>${one.title}</h1><p class="byline">By ${one.author} | Gazette staff</p><div class="share">Share: Facebook X Email</div>${each(one.body, (paragraph) => `<p>${paragraph}</p>`)}<div class="promo">Get the morning news by e-mail.</div></article><aside><h2>Most read</h2>${each(
      ARTICLES.filter((other) => other !== one),
      ({ path, title }) => `<a href="${path}">${title}</a>`,
    )}</aside><section class="comments"><h2>3 comments</h2><p>riverfan22: About time!</p><p>old_tern: I will believe it when I walk over it in 2030.</p></section>`,
    jsonLdScript({
      '@context': 'https://schema.org',
      '@type': 'NewsArticle',
      headline: one.title,
      datePublished: one.at,
      author: { '@type': 'Person', name: one.author },
    }),
  );

export const townNews = taskTemplate({
  name: 'town-news',
  sites: {
    [HOST]: {
      '/': layout(
        'Local news',
        `<main><h2>Latest</h2>${each([ARTICLES[1]!, ARTICLES[2]!, ARTICLES[3]!, ARTICLES[0]!], teaser)}</main>`,
      ),
      '/news': layout('News', `<main><h1>News</h1>${each(ARTICLES, teaser)}</main>`),
      ...Object.fromEntries(ARTICLES.map((one) => [one.path, articlePage(one)])),
      '/subscribe': layout(
        'Subscribe',
        '<main><h1>Subscribe</h1><p>$1 a week for the first six months, then $12.99 a month.</p></main>',
      ),
    },
  },
  tasks: [
    {
      name: 'news-correction',
      prompt:
        'When will the Tern Bridge in Larkspur open according to the latest news, how much will it cost in all, and how long is it?',
      urls: [`http://${HOST}/`],
      schema: object({
        openingDate: date('according to the latest report'),
        costInMillions: number('expected total cost in millions of dollars, according to the latest report'),
        lengthInMetres: number(),
        architects: text(),
      }),
      expected: {
        openingDate: '2026-07-18',
        costInMillions: 13.4,
        lengthInMetres: 142,
        architects: 'Okafor Lindqvist',
      },
      pages: [`${HOST}/2026/02/tern-bridge-opening-delayed`, `${HOST}/2025/09/tern-bridge-to-open-in-may`],
    },
    {
      name: 'news-question',
      prompt: 'Which councillors in Larkspur voted against opening the libraries on Sundays, and why?',
      statements: ['Edith Marrow and Paul Tanaka voted against it', 'citing the cost of $94,000 a year'],
      pages: [`${HOST}/2026/01/library-hours-vote`],
    },
  ],
});
