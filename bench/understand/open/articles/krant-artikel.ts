// A Dutch newspaper: kicker, bold lead, byline "Door", relative section links and an update line.
import { pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    t: 'Fietsbrug over de Vecht eerder klaar',
    lead: 'De brug gaat drie maanden eerder open dan gepland, meldt de provincie.',
    a: 'Marieke Vos',
    d: '12 mei 2026',
    iso: '2026-05-12',
    u: '13 mei 2026',
    uiso: '2026-05-13',
    s: 'Regio',
    tags: ['Utrecht', 'fietsen'],
  },
  {
    t: 'Meer ooievaars dan ooit geteld',
    lead: 'Vrijwilligers telden dit jaar ruim dertienhonderd nesten in het hele land.',
    a: 'Joost van der Meer',
    d: '2 juli 2025',
    iso: '2025-07-02',
    u: '2 juli 2025',
    uiso: '2025-07-02',
    s: 'Natuur',
    tags: ['vogels', 'natuur', 'onderzoek'],
  },
];

export const krantArtikel = pagesOf({
  kind: 'article',
  name: 'krant-artikel',
  items: ITEMS,
  url: ({ t }) => `https://destichtsebode.example/artikel/${slug(t)}`,
  schema: {
    type: 'object',
    properties: {
      titel: { type: 'string' },
      lead: { type: 'string', description: 'Intro of the article' },
      auteur: { type: 'string' },
      gepubliceerd_op: { type: 'string', format: 'date' },
      bijgewerkt_op: { type: 'string', format: 'date', description: 'last update' },
      rubriek: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
    },
  },
  html: (item) =>
    `<!doctype html><html lang="nl"><head><title>${item.t} | De Stichtse Bode</title></head><body><header class="masthead"><a href="/">De Stichtse Bode</a><time>maandag 16 november 2026</time></header><main><article><a class="rubriek" href="/rubriek/${slug(item.s)}">${item.s}</a><h1>${item.t}</h1><p class="intro"><strong>${item.lead}</strong></p><div class="meta">Door <span>${item.a}</span> · Gepubliceerd op ${item.d} · Bijgewerkt op ${item.u}</div><p>Wie de afgelopen weken langs het water liep, zag het al aankomen: de pijlers staan en het dek ligt er bijna in.</p><p>De gemeente wil de opening vieren met een tocht voor alle inwoners.</p><ul class="tags">${item.tags.map((tag) => `<li><a href="/tag/${slug(tag)}">${tag}</a></li>`).join('')}</ul></article><section class="meer"><h2>Lees ook</h2><article><h3><a href="/a">Sluis dicht voor onderhoud</a></h3><p>Door Els Bakker</p></article><article><h3><a href="/b">Nieuwe veerboot</a></h3><p>Door Jan Smit</p></article></section></main></body></html>`,
  expected: (item) => ({
    titel: item.t,
    lead: item.lead,
    auteur: item.a,
    gepubliceerd_op: item.iso,
    bijgewerkt_op: item.uiso,
    rubriek: item.s,
    tags: item.tags,
  }),
});
