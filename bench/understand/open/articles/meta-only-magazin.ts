// A German magazine: meta tags only, the visible date is relative.
import { pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    titel: 'Warum Moore mehr speichern als Wälder',
    autor: 'Katrin Söder',
    zeit: '2026-02-11T07:30:00+01:00',
    ressort: 'Wissen',
    schlagworte: ['Moor', 'Klima', 'Naturschutz'],
    text: 'Ein Meter Torf braucht tausend Jahre, und ein Sommer genügt, ihn zu verlieren.',
  },
  {
    titel: 'Der Bäcker, der nachts nicht mehr backt',
    autor: 'Jonas Pfeiffer',
    zeit: '2025-10-05T18:00:00+02:00',
    ressort: 'Leben',
    schlagworte: ['Handwerk', 'Arbeitszeit'],
    text: 'Seit einem Jahr öffnet er erst um zehn. Die Kunden kommen trotzdem.',
  },
  {
    titel: 'Rechenzentren und das Wasser der Stadt',
    autor: 'Miriam Albrecht',
    zeit: '2026-01-22T05:45:00+01:00',
    ressort: 'Digital',
    schlagworte: ['Energie', 'Wasser', 'Kommunen', 'Internet'],
    text: 'Was die Kühlung wirklich verbraucht, wollte lange niemand wissen.',
  },
  {
    titel: 'Ein Chor für alle, die nicht singen können',
    autor: 'Stefan Quast',
    zeit: '2025-12-19T16:20:00+01:00',
    ressort: 'Kultur',
    schlagworte: ['Musik'],
    text: 'Jeden Donnerstag treffen sich achtzig Leute und singen, so laut sie können.',
  },
  {
    titel: 'Die Rückkehr der Nachtzüge stockt',
    autor: 'Ayşe Demir',
    zeit: '2026-03-01T09:10:00+01:00',
    ressort: 'Reise',
    schlagworte: ['Bahn', 'Europa'],
    text: 'Es fehlt nicht an Fahrgästen, sondern an Wagen.',
  },
];

export const metaOnlyMagazin = pagesOf({
  kind: 'article',
  name: 'meta-only-magazin',
  items: ITEMS,
  url: ({ titel, ressort }) => `https://dasfernglas.example/${ressort.toLowerCase()}/${slug(titel)}`,
  schema: {
    type: 'object',
    properties: {
      title: { type: 'string', description: 'Title of the article' },
      author: { type: 'string', description: 'Who wrote the article' },
      publishedAt: { type: 'string', format: 'date-time' },
      section: { type: 'string' },
      keywords: { type: 'array', items: { type: 'string' } },
      image: { type: 'string', format: 'uri' },
      language: { type: 'string', description: 'Language code of the text' },
    },
  },
  html: (item) => `<!DOCTYPE html><html lang="de"><head><title>${item.titel} | Das Fernglas</title>
<meta name="author" content="${item.autor}"><meta name="keywords" content="${item.schlagworte.join(', ')}"><meta property="og:type" content="article"><meta property="og:title" content="${item.titel}"><meta property="og:locale" content="de_DE">
<meta property="og:image" content="https://dasfernglas.example/bilder/${slug(item.titel)}.jpg"><meta property="article:published_time" content="${item.zeit}"><meta property="article:section" content="${item.ressort}"><meta property="og:description" content="${item.text}"></head>
<body><nav><a href="/wissen">Wissen</a><a href="/leben">Leben</a><a href="/digital">Digital</a><a href="/abo">Abo</a></nav>
<article><h1>${item.titel}</h1><span class="zeit">vor 3 Stunden</span><p class="vorspann">${item.text}</p>
<p>Wer verstehen will, wie es dazu kam, muss einige Jahre zurückgehen. Damals galt das Thema als langweilig, und die wenigen Fachleute blieben unter sich. Heute sitzen sie in Ausschüssen und werden gefragt, was zu tun sei.</p><p>Die Antwort fällt ihnen nicht leicht. „Es gibt keine einfache Lösung“, sagt eine von ihnen, „aber es gibt viele falsche.“</p></article>
<section class="mehr"><h2>Mehr zum Thema</h2><a href="/x">Was bisher geschah</a><a href="/y">Kommentar: Es reicht</a></section><footer>Impressum · Datenschutz</footer></body></html>`,
  expected: (item) => ({
    title: item.titel,
    author: item.autor,
    publishedAt: item.zeit,
    section: item.ressort,
    keywords: item.schlagworte,
    image: `https://dasfernglas.example/bilder/${slug(item.titel)}.jpg`,
    language: 'de',
  }),
});
