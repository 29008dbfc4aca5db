// A thread of a forum: the question, who asked, counters, tags and answers as posts.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    title: 'Sourdough starter smells of acetone, what now?',
    user: 'breadhead_77',
    date: '2026-02-11T18:04:00Z',
    shown: 'Feb 11, 2026',
    views: 1840,
    tags: ['sourdough', 'starter'],
    body: 'Fed it every day for two weeks with rye flour and it still smells like nail varnish in the morning.',
    posts: [
      { who: 'milla', text: 'It is hungry. Feed it twice a day for a while.', votes: 12 },
      { who: 'OldMiller', text: 'Use cooler water and more flour.', votes: 7 },
      { who: 'kneadful', text: 'Mine did that too, it went away.', votes: 1 },
    ],
  },
  {
    title: 'Best way to seal a wooden planter?',
    user: 'gardengnome',
    date: '2025-06-30T07:41:00Z',
    shown: 'Jun 30, 2025',
    views: 305,
    tags: ['wood', 'diy', 'planter'],
    body: 'I built three planters from untreated larch and would like to keep them for more than two winters.',
    posts: [
      { who: 'larchlover', text: 'Linseed oil, two coats, once a year.', votes: 5 },
      { who: 'timbertim', text: 'Line the inside with pond foil.', votes: 9 },
    ],
  },
];

export const forumThread = pagesOf({
  kind: 'article',
  name: 'forum-thread',
  items: ITEMS,
  url: ({ title }) => `https://makersforum.example/t/${slug(title)}/918`,
  schema: {
    type: 'object',
    properties: {
      topic: { type: 'string', description: 'title of the thread' },
      askedBy: { type: 'string', description: 'user name of the author of the first post' },
      askedAt: { type: 'string', format: 'date' },
      views: { type: 'integer' },
      replyCount: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
      replies: {
        type: 'array',
        items: {
          type: 'object',
          properties: { author: { type: 'string' }, text: { type: 'string' }, votes: { type: 'integer' } },
        },
      },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en"><head><title>${item.title} - Makers Forum</title></head><body><div class="topbar"><a href="/">Makers Forum</a> <a href="/login">Log in</a></div>
<div class="thread"><h1 class="thread-title">${item.title}</h1><div class="stats"><span>${item.views.toLocaleString('en-US')} views</span> <span>${item.posts.length} replies</span></div><ul class="tag-list"><li><a rel="tag" href="/tag/x">${item.tags.join('</a></li><li><a rel="tag" href="/tag/x">')}</a></li></ul>
<div class="post op"><div class="userinfo"><a class="username" href="/u/${item.user}">${item.user}</a><span>Member since 2019</span></div><div class="post-meta">asked <time datetime="${item.date}">${item.shown}</time></div><div class="post-body"><p>${item.body}</p></div></div>
<div id="answers">${each(item.posts, ({ who, text, votes }) => `<div class="post reply"><div class="userinfo"><a class="username" href="/u/${who}">${who}</a></div><div class="post-body"><p>${text}</p></div><div class="vote-count">${votes}</div></div>`)}</div></div><footer>Powered by posts</footer></body></html>`,
  expected: (item) => ({
    topic: item.title,
    askedBy: item.user,
    askedAt: item.date.slice(0, 10),
    views: item.views,
    replyCount: item.posts.length,
    tags: item.tags,
    replies: item.posts.map(({ who, text, votes }) => ({ author: who, text, votes })),
  }),
});
