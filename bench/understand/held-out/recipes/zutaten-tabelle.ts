// A German recipe: amounts and ingredients in a table, times in words, steps as paragraphs.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    name: 'Omas Kartoffelsuppe',
    personen: 4,
    arbeit: '20 Minuten',
    gar: '35 Minuten',
    niveau: 'simpel',
    zutaten: [
      ['800 g', 'Kartoffeln'],
      ['2', 'Möhren'],
      ['1 Liter', 'Gemüsebrühe'],
      ['200 g', 'Speck'],
    ],
    schritte: [
      'Das Gemüse schälen und würfeln.',
      'Mit der Brühe 35 Minuten kochen.',
      'Den Speck braten und dazugeben.',
    ],
  },
  {
    name: 'Apfelstrudel',
    personen: 8,
    arbeit: '1 Stunde',
    gar: '40 Minuten',
    niveau: 'pfiffig',
    zutaten: [
      ['250 g', 'Mehl'],
      ['1 kg', 'Äpfel'],
      ['80 g', 'Butter'],
      ['50 g', 'Rosinen'],
    ],
    schritte: [
      'Aus Mehl, Wasser und Öl einen Teig kneten.',
      'Dünn ausziehen, füllen und rollen.',
      'Bei 190 Grad backen.',
    ],
  },
  {
    name: 'Linsen mit Spätzle',
    personen: 6,
    arbeit: '30 Minuten',
    gar: '45 Minuten',
    niveau: 'normal',
    zutaten: [
      ['500 g', 'Tellerlinsen'],
      ['400 g', 'Mehl'],
      ['4', 'Eier'],
      ['6', 'Saitenwürste'],
    ],
    schritte: ['Die Linsen weich kochen.', 'Den Spätzleteig schlagen und schaben.'],
  },
  {
    name: 'Grünkohl mit Pinkel',
    personen: 5,
    arbeit: '45 Minuten',
    gar: '2 Stunden',
    niveau: 'normal',
    zutaten: [
      ['2 kg', 'Grünkohl'],
      ['5', 'Pinkelwürste'],
      ['2', 'Zwiebeln'],
    ],
    schritte: [
      'Den Kohl blanchieren und hacken.',
      'Mit den Zwiebeln schmoren.',
      'Die Würste zwei Stunden mitziehen lassen.',
    ],
  },
  {
    name: 'Rote Grütze',
    personen: 4,
    arbeit: '15 Minuten',
    gar: '10 Minuten',
    niveau: 'simpel',
    zutaten: [
      ['500 g', 'gemischte Beeren'],
      ['250 ml', 'Kirschsaft'],
      ['3 EL', 'Speisestärke'],
    ],
    schritte: ['Den Saft mit der Stärke aufkochen.', 'Die Beeren unterheben und kalt stellen.'],
  },
];

export const zutatenTabelle = pagesOf({
  kind: 'recipe',
  name: 'zutaten-tabelle',
  items: ITEMS,
  url: ({ name }) => `https://kochstubn.example/rezepte/${slug(name)}.html`,
  schema: {
    type: 'object',
    properties: {
      rezept: { type: 'string', description: 'Name des Gerichts' },
      portionen: { type: 'integer' },
      arbeitszeit: { type: 'string' },
      garzeit: { type: 'string', description: 'Koch- oder Backzeit' },
      schwierigkeit: { type: 'string' },
      zutaten: {
        type: 'array',
        items: { type: 'object', properties: { menge: { type: 'string' }, zutat: { type: 'string' } } },
      },
      zubereitung: { type: 'array', items: { type: 'string' }, description: 'Schritte der Zubereitung' },
    },
    required: ['rezept', 'zutaten'],
  },
  html: (
    item,
  ) => `<!DOCTYPE html><html lang="de"><head><title>${item.name} von Kochstubn</title></head><body><header><a href="/">Kochstubn</a> <a href="/rezepte">Rezepte</a> <a href="/magazin">Magazin</a></header>
<article><h1>${item.name}</h1><p>So schmeckt es nur zu Hause. Das Rezept stammt aus einem Heft ohne Datum und wurde nur leicht angepasst.</p><div class="angaben"><span>Arbeitszeit: ${item.arbeit}</span> <span>Garzeit: ${item.gar}</span> <span>Schwierigkeitsgrad: ${item.niveau}</span></div>
<h2>Zutaten für ${item.personen} Portionen</h2><table class="zutaten"><tbody>${each(item.zutaten, ([menge, was]) => `<tr><td>${menge}</td><td>${was}</td></tr>`)}</tbody></table>
<h2>Zubereitung</h2>${each(item.schritte, (schritt) => `<p>${schritt}</p>`)}<h2>Das könnte dir auch schmecken</h2><div><a href="/r/1">Bratkartoffeln</a> <span>30 Minuten, simpel</span></div></article></body></html>`,
  expected: (item) => ({
    rezept: item.name,
    portionen: item.personen,
    arbeitszeit: item.arbeit,
    garzeit: item.gar,
    schwierigkeit: item.niveau,
    zutaten: item.zutaten.map(([menge, zutat]) => ({ menge: menge!, zutat: zutat! })),
    zubereitung: item.schritte,
  }),
});
