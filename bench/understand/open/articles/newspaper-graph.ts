// A newspaper with JSON-LD for the article, its authors and its publisher; teasers of other articles around it.
import { jsonLdScript, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    title: 'City council approves new tram line to the harbour',
    authors: ['Mara Lindqvist'],
    published: '2026-03-03T06:15:00+01:00',
    modified: '2026-03-03T11:40:00+01:00',
    section: 'Local',
    lead: 'After eleven years of debate, the council voted 31 to 24 for the eastern route.',
    body: 'Work on the first two kilometres is to begin in autumn. The line will cost 214 million and is expected to carry 18,000 passengers a day.',
  },
  {
    title: 'Why the bees came back to Quarry Lane',
    authors: ['Tom Adeyemi', 'Rosa Feld'],
    published: '2025-09-18T12:00:00+01:00',
    modified: '2025-09-19T08:05:00+01:00',
    section: 'Science',
    lead: 'A disused pit turned out to be the best habitat in the county.',
    body: 'Volunteers counted 61 species of wild bees in a single summer. Nobody had planted anything.',
  },
  {
    title: 'Rates unchanged as inflation eases again',
    authors: ['Jun Park'],
    published: '2026-01-29T13:31:00+00:00',
    modified: '2026-01-29T15:02:00+00:00',
    section: 'Business',
    lead: 'The central bank kept its main rate at 3.25 percent on Thursday.',
    body: 'Economists had expected the decision. Two members of the board voted for a cut.',
  },
  {
    title: 'United hold on for a point in the rain',
    authors: ['Callum Reyes'],
    published: '2026-02-14T22:10:00+00:00',
    modified: '2026-02-14T22:48:00+00:00',
    section: 'Sport',
    lead: 'Ten men and a heavy pitch were not enough to lose this one.',
    body: 'The goalkeeper saved a penalty in the 88th minute. The next match is on Wednesday.',
  },
  {
    title: 'The last video shop closes its doors',
    authors: ['Ines Moreau', 'Pat Kelly'],
    published: '2025-12-01T05:00:00+00:00',
    modified: '2025-12-02T09:30:00+00:00',
    section: 'Culture',
    lead: 'For thirty-four years, the answer to "what shall we watch?" was on Mill Street.',
    body: 'The owner is giving away nine thousand cassettes. The queue reached around the corner.',
  },
];

export const newspaperGraph = pagesOf({
  kind: 'article',
  name: 'newspaper-graph',
  items: ITEMS,
  url: ({ title, section }) => `https://www.thecourier.example/${section.toLowerCase()}/${slug(title)}`,
  schema: {
    type: 'object',
    properties: {
      headline: { type: 'string' },
      authors: { type: 'array', items: { type: 'string' }, description: 'Names of the people who wrote it' },
      published_date: { type: 'string', format: 'date' },
      last_updated: { type: 'string', format: 'date-time' },
      category: { type: 'string', description: 'Section of the paper' },
      summary: { type: 'string', description: 'Short description of the article' },
      publisher: { type: 'string' },
    },
    required: ['headline', 'published_date'],
  },
  jsonLd: ['headline', 'authors', 'published_date', 'last_updated', 'category', 'summary', 'publisher'],
  html: (
    item,
  ) => `<!doctype html><html lang="en"><head><title>${item.title} - The Courier</title><link rel="canonical" href="https://www.thecourier.example/${item.section.toLowerCase()}/${slug(item.title)}">
${jsonLdScript([
  {
    '@context': 'https://schema.org',
    '@type': ['NewsArticle', 'ReportageNewsArticle'],
    mainEntityOfPage: { '@type': 'WebPage', '@id': '#' },
    headline: item.title,
    datePublished: item.published,
    dateModified: item.modified,
    articleSection: [item.section],
    author: item.authors.map((name) => ({
      '@type': 'Person',
      name,
      url: `https://www.thecourier.example/by/${slug(name)}`,
    })),
    publisher: {
      '@type': 'NewsMediaOrganization',
      name: 'The Courier',
      logo: { '@type': 'ImageObject', url: 'https://www.thecourier.example/logo.png' },
    },
    description: item.lead,
    isAccessibleForFree: true,
  },
  { '@context': 'https://schema.org', '@type': 'WebSite', name: 'The Courier', url: 'https://www.thecourier.example/' },
])}</head><body><header><a href="/">The Courier</a> <a href="/subscribe">Subscribe for £2 a week</a></header>
<main><article><p class="kicker">${item.section}</p><h1>${item.title}</h1><p class="standfirst">${item.lead}</p><p class="by">${item.authors.join(' and ')}</p>
<p>${item.body}</p><p>Residents who spoke to The Courier were divided. "It is about time," said one of them. Another wondered who would pay in the end, and whether anyone had asked.</p><p>More on this story will follow during the day.</p></article>
<aside><h2>Most read</h2><ol><li><a href="/a">Storm closes the bridge</a> <time datetime="2024-01-01">1 Jan</time></li><li><a href="/b">Five walks for spring</a></li></ol></aside></main><footer>© The Courier Media Ltd 2026</footer></body></html>`,
  expected: (item) => ({
    headline: item.title,
    authors: item.authors,
    published_date: item.published.slice(0, 10),
    last_updated: item.modified,
    category: item.section,
    summary: item.lead,
    publisher: 'The Courier',
  }),
});
