// A German recipe page: ingredients in a table with amounts, numbered paragraphs of steps, icons with short facts.
import { pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    name: 'Rahmschwammerl mit Knödel',
    arbeit: 35,
    koch: 20,
    gesamt: 55,
    personen: 4,
    level: 'normal',
    kcal: 520,
    zutaten: [
      ['500 g', 'Pfifferlinge'],
      ['1', 'Zwiebel'],
      ['200 ml', 'Sahne'],
    ],
    schritte: [
      'Die Pilze putzen und in Stücke schneiden.',
      'Zwiebel würfeln und in Butter anschwitzen.',
      'Mit Sahne aufgießen und einkochen lassen.',
    ],
    von: 'Waltraud',
  },
  {
    name: 'Apfelstrudel nach Omas Art',
    arbeit: 45,
    koch: 40,
    gesamt: 85,
    personen: 8,
    level: 'pfiffig',
    kcal: 310,
    zutaten: [
      ['300 g', 'Mehl'],
      ['1 kg', 'Äpfel'],
      ['80 g', 'Rosinen'],
      ['1 Prise', 'Zimt'],
    ],
    schritte: [
      'Den Teig kneten und ruhen lassen.',
      'Äpfel schälen und fein schneiden.',
      'Füllen, rollen und goldbraun backen.',
    ],
    von: 'Herbert K.',
  },
];

export const omaTabelle = pagesOf({
  kind: 'recipe',
  name: 'oma-tabelle',
  items: ITEMS,
  url: ({ name }) => `https://kochstube.example/rezepte/${slug(name)}.html`,
  schema: {
    type: 'object',
    properties: {
      titel: { type: 'string' },
      arbeitszeit: { type: 'integer', description: 'in Minuten' },
      kochzeit: { type: 'integer', description: 'Koch- oder Backzeit in Minuten' },
      gesamtzeit: { type: 'integer', description: 'in Minuten' },
      portionen: { type: 'integer' },
      schwierigkeitsgrad: { type: 'string' },
      kalorien: { type: 'integer', description: 'kcal pro Portion' },
      zutaten: {
        type: 'array',
        items: { type: 'object', properties: { menge: { type: 'string' }, zutat: { type: 'string' } } },
      },
      zubereitung: { type: 'array', items: { type: 'string' } },
      eingereicht_von: { type: 'string', description: 'Autor des Rezepts' },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="de"><head><title>${item.name} von ${item.von} | Kochstube</title></head><body><nav><a href="/">Kochstube</a><a href="/rezepte">Rezepte</a></nav><main><article><h1>${item.name}</h1>
<small class="recipe-meta"><span class="rds-recipe-preptime"><i class="material-icons">&#xE192;</i> ${item.gesamt} Min.</span> <span class="rds-recipe-difficulty"><i class="material-icons">&#xE8E8;</i> ${item.level}</span> <span class="rds-kcalories"><i class="material-icons">&#xE80E;</i> ${item.kcal} kcal</span></small>
<section class="box"><h2>Zutaten</h2><p>für <input type="text" value="${item.personen}"> <span>${item.personen} Portionen</span></p><table class="ingredients table-header"><tbody>${item.zutaten.map(([menge, was]) => `<tr><td class="td-left">${menge}</td><td class="td-right"><span>${was}</span></td></tr>`).join('')}</tbody></table></section>
<section><h2>Zubereitung</h2><small><span>Arbeitszeit ca. ${item.arbeit} Minuten</span> <span>Koch-/Backzeit ca. ${item.koch} Minuten</span> <span>Gesamtzeit ca. ${item.gesamt} Minuten</span></small><div class="steps">${item.schritte.map((text, at) => `<div class="step"><span class="nr">${at + 1}.</span><p>${text}</p></div>`).join('')}</div></section><section><h3>Rezept eingereicht von</h3><a href="/u/1">${item.von}</a></section></article></main></body></html>`,
  expected: (item) => ({
    titel: item.name,
    arbeitszeit: item.arbeit,
    kochzeit: item.koch,
    gesamtzeit: item.gesamt,
    portionen: item.personen,
    schwierigkeitsgrad: item.level,
    kalorien: item.kcal,
    zutaten: item.zutaten.map(([menge, zutat]) => ({ menge: menge!, zutat: zutat! })),
    zubereitung: item.schritte,
    eingereicht_von: item.von,
  }),
});
