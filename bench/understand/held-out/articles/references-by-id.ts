// A blog platform: JSON-LD in which everything refers to everything by @id, several scripts, one of them broken.
import { jsonLdScript, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    title: 'What I learned from ten years of small databases',
    by: 'Noor Haddad',
    at: '2026-02-20T08:00:00.000Z',
    words: 2140,
    topic: 'Engineering',
    lead: 'Most of them would have fit into a spreadsheet.',
  },
  {
    title: 'The meeting that should have been a walk',
    by: 'Elin Sjöberg',
    at: '2025-10-11T06:30:00.000Z',
    words: 870,
    topic: 'Management',
    lead: 'Two people, one question, four kilometres.',
  },
  {
    title: 'Naming things, again',
    by: 'Ravi Menon',
    at: '2026-01-03T17:45:00.000Z',
    words: 1325,
    topic: 'Engineering',
    lead: 'A name is a promise about what will not change.',
  },
  {
    title: 'How we cut our build from forty minutes to four',
    by: 'Noor Haddad',
    at: '2025-12-12T11:00:00.000Z',
    words: 3010,
    topic: 'Engineering',
    lead: 'The trick was to stop doing things.',
  },
  {
    title: 'A designer’s guide to saying no',
    by: 'Chloé Garnier',
    at: '2026-03-08T09:15:00.000Z',
    words: 990,
    topic: 'Design',
    lead: 'No is a complete sentence, but it helps to add another.',
  },
];

export const referencesById = pagesOf({
  kind: 'article',
  name: 'references-by-id',
  items: ITEMS,
  url: ({ title }) => `https://slowfeed.example/@team/${slug(title)}`,
  schema: {
    type: 'object',
    properties: {
      title: { type: 'string', description: 'Title of the post' },
      writer: { type: 'string', description: 'Name of the author' },
      published: { type: 'string', format: 'date' },
      wordCount: { type: 'integer' },
      topic: { type: 'string' },
      subtitle: { type: 'string', description: 'The line below the title' },
      claps: { type: 'integer' },
    },
  },
  jsonLd: ['title', 'writer', 'published', 'wordCount', 'topic', 'subtitle'],
  html: (
    item,
  ) => `<!doctype html><html lang="en"><head><title>${item.title} | by ${item.by} | Slowfeed</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"WebSite","name":"Slowfeed",</script>
${jsonLdScript({
  '@context': 'https://schema.org',
  '@graph': [
    {
      '@type': 'WebPage',
      '@id': '#page',
      name: `${item.title} | Slowfeed`,
      isPartOf: { '@id': '#site' },
      primaryImageOfPage: { '@id': '#img' },
      datePublished: '2019-01-01',
    },
    {
      '@type': 'BlogPosting',
      '@id': '#post',
      mainEntityOfPage: { '@id': '#page' },
      headline: item.title,
      alternativeHeadline: item.lead,
      author: { '@id': '#author' },
      publisher: { '@id': '#org' },
      datePublished: item.at,
      wordCount: item.words,
      articleSection: item.topic,
      image: { '@id': '#img' },
    },
    { '@type': 'Person', '@id': '#author', name: item.by, sameAs: ['https://social.example/x'] },
    { '@type': 'Organization', '@id': '#org', name: 'Slowfeed', logo: { '@id': '#img' } },
    { '@type': 'ImageObject', '@id': '#img', url: 'https://slowfeed.example/i.png', caption: item.by },
  ],
})}</head><body><header><a href="/">Slowfeed</a><a href="/write">Write</a></header><article><h1>${item.title}</h1><h2>${item.lead}</h2><div><a href="/@x">${item.by}</a><span> · </span><span>${Math.ceil(item.words / 200)} min read</span></div>
<p>I used to think that the answer was more of everything. More tools, more process, more people in the room. It took me embarrassingly long to notice that the good weeks were the quiet ones.</p><p>So this is a list of things that we stopped doing. It is shorter than I would like, and longer than my boss expected.</p><button>348</button><button>12 responses</button></article>
<section><h3>More from Slowfeed</h3><article><h2>Another post</h2><p>by Someone Else · Jan 1, 2020</p></article></section></body></html>`,
  expected: (item) => ({
    title: item.title,
    writer: item.by,
    published: item.at.slice(0, 10),
    wordCount: item.words,
    topic: item.topic,
    subtitle: item.lead,
    claps: null,
  }),
});
