// A newsroom built of <div>s with machine-made class names: nothing but position and wording tells the byline.
import { pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    title: 'River authority to test new flood barriers this spring',
    dek: 'Engineers hope the inflatable walls can be raised in under forty minutes.',
    by: 'Tom Okafor',
    role: 'Environment correspondent',
    date: 'Tue 3 Feb 2026 06.00 GMT',
    iso: '2026-02-03',
    upd: 'Wed 4 Feb 2026 09.12 GMT',
    updIso: '2026-02-04',
    tag: 'Environment',
    comments: 48,
  },
  {
    title: 'Night trains return to the northern line',
    dek: 'Sleeper services were cut eleven years ago; two operators now want them back.',
    by: 'Helen Marsh',
    role: 'Transport editor',
    date: 'Fri 14 Nov 2025 11.30 GMT',
    iso: '2025-11-14',
    upd: 'Fri 14 Nov 2025 17.45 GMT',
    updIso: '2025-11-14',
    tag: 'Rail transport',
    comments: 131,
  },
];

export const newsroomDivByline = pagesOf({
  kind: 'article',
  name: 'newsroom-div-byline',
  items: ITEMS,
  url: ({ title }) => `https://thecourier.example/news/2026/${slug(title)}`,
  schema: {
    type: 'object',
    properties: {
      title: { type: 'string' },
      standfirst: { type: 'string' },
      byline: { type: 'string', description: 'name of the journalist' },
      publishedAt: { type: 'string', format: 'date' },
      lastModified: { type: 'string', format: 'date' },
      comments: { type: 'integer' },
      section: { type: 'string' },
      paywalled: { type: 'boolean', description: 'is the article only for subscribers' },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en"><head><title>${item.title} | ${item.tag} | The Courier</title></head><body><div class="dcr-1x0"><a href="/" class="dcr-9k">The Courier</a><div class="dcr-nav1"><a href="/news">News</a><a href="/opinion">Opinion</a><a href="/sport">Sport</a></div></div>
<main class="dcr-main7"><div class="dcr-2a"><a class="dcr-2b" href="/${slug(item.tag)}">${item.tag}</a></div><div class="dcr-3a"><h1 class="dcr-3b">${item.title}</h1></div><div class="dcr-4a"><p>${item.dek}</p></div>
<div class="dcr-5a"><div class="dcr-5b"><a rel="author" href="/profile/${slug(item.by)}">${item.by}</a> ${item.role}</div><details class="dcr-5c"><summary><span class="dcr-5d">${item.date}</span></summary>Last modified on ${item.upd}</details><a class="dcr-5e" href="#comments">${item.comments} comments</a></div>
<div class="dcr-6a"><p>The first of the barriers arrived by barge on Monday, wrapped in tarpaulin and watched by a small crowd with umbrellas and cameras.</p><p>If the trial goes well, a further twelve will follow before the autumn.</p><p>Residents have waited years for an answer like this one.</p></div></main>
<div class="dcr-8a"><h2>Most viewed</h2><ol><li><a href="/a">The bakery that never closes</a></li><li><a href="/b">A walk around the reservoir</a></li></ol></div></body></html>`,
  expected: (item) => ({
    title: item.title,
    standfirst: item.dek,
    byline: item.by,
    publishedAt: item.iso,
    lastModified: item.updIso,
    comments: item.comments,
    section: item.tag,
    paywalled: null,
  }),
});
