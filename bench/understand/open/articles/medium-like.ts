// A blogging platform: author card with reading time and date in one line, claps, a subtitle in a heading.
import { pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    t: 'What ten years of beekeeping taught me about patience',
    sub: 'And why I stopped opening the hive on Sundays',
    a: 'Ruth Adeyemi',
    min: 9,
    d: 'May 3, 2026',
    iso: '2026-05-03',
    claps: '1.2K',
    c: 1200,
    pub: 'Slow Hobbies',
    r: 34,
  },
  {
    t: 'The quiet joy of fixing radios',
    sub: 'A soldering iron, a schematic and a free evening',
    a: 'Marek Nowicki',
    min: 5,
    d: 'Dec 18, 2025',
    iso: '2025-12-18',
    claps: '386',
    c: 386,
    pub: 'Bench Notes',
    r: 8,
  },
];

export const mediumLike = pagesOf({
  kind: 'article',
  name: 'medium-like',
  items: ITEMS,
  url: ({ t }) => `https://longform.example/@writer/${slug(t)}-1a2b3c`,
  schema: {
    type: 'object',
    properties: {
      title: { type: 'string' },
      subtitle: { type: 'string' },
      author: { type: 'object', properties: { name: { type: 'string' }, profileUrl: { type: 'string' } } },
      readTime: { type: 'integer', description: 'reading time in minutes' },
      publishedDate: { type: 'string', format: 'date' },
      publication: { type: 'string' },
      claps: { type: 'integer' },
      responses: { type: 'integer', description: 'number of comments' },
    },
  },
  html: (item) =>
    `<!doctype html><html lang="en"><head><title>${item.t} | by ${item.a} | ${item.pub}</title><meta property="og:site_name" content="Longform"></head><body><div class="ab ac"><a href="/">Longform</a><a href="/signin">Sign in</a></div><article><h1 data-testid="storyTitle" class="pw-post-title be">${item.t}</h1><h2 class="pw-subtitle-paragraph be">${item.sub}</h2><div class="speechify"><div class="ae"><a href="/@${slug(item.a)}" rel="noopener follow" data-testid="authorName">${item.a}</a></div><div class="ag"><span>Published in</span> <a href="/${slug(item.pub)}">${item.pub}</a></div><div class="ah"><span data-testid="storyReadTime">${item.min} min read</span><span aria-hidden="true">·</span><span data-testid="storyPublishDate">${item.d}</span></div></div><div class="pw-multi-vote-count"><p><button>${item.claps}</button> claps</p></div><div><a aria-label="responses" href="#r">${item.r} responses</a></div><p class="pw-post-body-paragraph">It began with a swarm in the plum tree and a neighbour who was afraid of it. I borrowed a veil, a box and a book, in that order.</p><p class="pw-post-body-paragraph">Nothing I read prepared me for the sound.</p></article></body></html>`,
  expected: (item) => ({
    title: item.t,
    subtitle: item.sub,
    author: { name: item.a, profileUrl: `https://longform.example/@${slug(item.a)}` },
    readTime: item.min,
    publishedDate: item.iso,
    publication: { anyOf: [item.pub, 'Longform'] },
    claps: item.c,
    responses: item.r,
  }),
});
