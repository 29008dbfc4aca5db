// A trade magazine without any markup for programs: a byline in one line, dates of related articles nearby.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    title: 'Heat pumps in terraced houses: what installers learned',
    author: 'Gwen Parry',
    date: '3 March 2026',
    iso: '2026-03-03',
    minutes: 7,
    tags: ['Heating', 'Retrofit'],
  },
  {
    title: 'A quiet revolution in timber joints',
    author: 'Oluwaseun Bello',
    date: '17 November 2025',
    iso: '2025-11-17',
    minutes: 4,
    tags: ['Timber', 'Joinery', 'CNC'],
  },
  {
    title: 'Concrete that heals its own cracks leaves the lab',
    author: 'Dr. Hana Suzuki',
    date: '9 January 2026',
    iso: '2026-01-09',
    minutes: 11,
    tags: ['Concrete'],
  },
  {
    title: 'Scaffolding: the rules that change in April',
    author: 'Liam O’Rourke',
    date: '26 February 2026',
    iso: '2026-02-26',
    minutes: 3,
    tags: ['Safety', 'Law'],
  },
  {
    title: 'Inside the last brickworks of the valley',
    author: 'Petra van Dijk',
    date: '1 December 2025',
    iso: '2025-12-01',
    minutes: 9,
    tags: ['Brick', 'People'],
  },
];

export const bareByline = pagesOf({
  kind: 'article',
  name: 'bare-byline',
  items: ITEMS,
  url: ({ title, iso }) => `https://sitecraft.example/${iso.slice(0, 7).replace('-', '/')}/${slug(title)}`,
  schema: {
    type: 'object',
    properties: {
      title: { type: 'string' },
      author: { type: 'string' },
      date: { type: 'string', description: 'When was it published?' },
      readingTimeMinutes: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
      isSponsored: { type: 'boolean' },
    },
    required: ['title', 'author', 'date'],
  },
  html: (item) => `<!doctype html><html lang="en"><head><title>${item.title} | SiteCraft Magazine</title></head><body>
<div class="top"><a href="/">SiteCraft</a><a href="/jobs">Jobs</a><a href="/events">Events</a></div>
<div class="post"><h1>${item.title}</h1><div class="meta">By ${item.author} | ${item.date} | ${item.minutes} min read</div>
<p>When we asked forty contractors what they would do differently, the answers had little to do with technology. They were about drawings that arrived late, about clients who changed their minds, and about the weather.</p>
<p>"You learn more on a wet Tuesday than in a week of training," one of them told us. He has run the same crew for nineteen years.</p>
<h2>What it means for you</h2><p>Nothing in this article replaces the advice of an engineer. It may, however, spare you a few wet Tuesdays.</p>
<div class="tags">Tags: ${item.tags.map((tag) => `<a href="/tag/${slug(tag)}">${tag}</a>`).join(', ')}</div></div>
<div class="related"><h3>Read next</h3><div class="card"><a href="/2024/05/old">Ten years of passive houses</a><div class="meta">By Ann Other | 2 May 2024 | 6 min read</div></div><div class="card"><a href="/2023/01/older">Winter concreting</a><div class="meta">By Bo Berg | 12 January 2023 | 5 min read</div></div></div>
<div class="bottom">SiteCraft is published by Plumb Line Media.</div></body></html>`,
  expected: (item) => ({
    title: item.title,
    author: item.author,
    date: anyOf(item.date, item.iso),
    readingTimeMinutes: item.minutes,
    tags: item.tags,
    isSponsored: anyOf(null, false),
  }),
});
