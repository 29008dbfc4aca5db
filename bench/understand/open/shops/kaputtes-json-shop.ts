// A German shop whose JSON-LD is broken (comments, trailing commas, raw line breaks); the facts stand in a definition list.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    name: 'Espressomaschine Vero Due',
    hersteller: 'Caldora',
    nummer: '4711-208',
    preis: '1.299,00 €',
    zahl: 1299,
    farbe: 'Edelstahl',
    gewicht: '11,5 kg',
    lieferzeit: '2-4 Werktage',
    garantie: '3 Jahre',
  },
  {
    name: 'Werkbank Eiche 150',
    hersteller: 'Holzmeier',
    nummer: '8820-150',
    preis: '549,00 €',
    zahl: 549,
    farbe: 'Eiche natur',
    gewicht: '62 kg',
    lieferzeit: 'ca. 3 Wochen',
    garantie: '5 Jahre',
  },
  {
    name: 'Akku-Rasenmäher Wiesel 36',
    hersteller: 'Grünhof',
    nummer: '3344-036',
    preis: '319,95 €',
    zahl: 319.95,
    farbe: 'Schwarz/Grün',
    gewicht: '14,2 kg',
    lieferzeit: '1-2 Werktage',
    garantie: '2 Jahre',
  },
  {
    name: 'Tischleuchte Luna',
    hersteller: 'Lichtwerk Süd',
    nummer: '1207-011',
    preis: '79,- €',
    zahl: 79,
    farbe: 'Messing',
    gewicht: '1,1 kg',
    lieferzeit: 'sofort lieferbar',
    garantie: '2 Jahre',
  },
  {
    name: 'Lastenfahrrad Hamburg XL',
    hersteller: 'Elbrad',
    nummer: '9001-777',
    preis: '4.890,00 €',
    zahl: 4890,
    farbe: 'Petrol',
    gewicht: '38,4 kg',
    lieferzeit: '6 Wochen',
    garantie: '10 Jahre',
  },
];

export const kaputtesJsonShop = pagesOf({
  kind: 'shop',
  name: 'kaputtes-json-shop',
  items: ITEMS,
  url: ({ name, nummer }) => `https://werkundwohnen.example/artikel/${nummer}-${slug(name)}.html`,
  schema: {
    type: 'object',
    properties: {
      produktname: { type: 'string', description: 'Name des Produkts' },
      hersteller: { type: 'string' },
      artikelnummer: { type: 'string' },
      preis: { type: 'number', description: 'Preis in Euro' },
      farbe: { type: 'string' },
      gewicht: { type: 'string' },
      lieferzeit: { type: 'string' },
      garantie: { type: 'string' },
      energieklasse: { type: 'string', description: 'Energieeffizienzklasse, falls angegeben' },
    },
    required: ['produktname', 'preis'],
  },
  html: (item, at) => `<!DOCTYPE html>
<html lang="de"><head><title>${item.name} kaufen - Werk und Wohnen</title>
<script type="application/ld+json">
// <![CDATA[
{ "@context": "http://schema.org/", "@type": "Product",
  "name": "${item.name}", /* Titel */
  "description": "Ein Stück für
viele Jahre",
  "mpn": "${item.nummer}",
  "offers": { "@type": "Offer", "priceCurrency": "EUR", "price": ${at % 2 === 0 ? '' : `"${item.zahl}"`}, },
}
// ]]>
</script></head>
<body class="artikel"><div id="kopf"><a href="/">Werk und Wohnen</a> <form><input name="q" placeholder="Suche"></form> <a href="/konto">Mein Konto</a> <a href="/korb">Warenkorb (0)</a></div>
<div id="pfad"><a href="/">Start</a> &gt; <a href="/haus">Haus</a> &gt; ${item.name}</div>
<div id="inhalt"><h1>${item.name}</h1>
<p class="kurz">Solide gebaut, mit Ersatzteilen für mindestens zehn Jahre. Wir haben das Modell ein halbes Jahr in unserer Werkstatt benutzt und empfehlen es gern weiter.</p>
<div class="preisbox"><strong>${item.preis}</strong> <small>inkl. 19 % MwSt., zzgl. 6,90 € Versand</small></div>
<h2>Daten</h2>
<dl class="daten"><dt>Hersteller</dt><dd><a href="/marken/${slug(item.hersteller)}">${item.hersteller}</a></dd><dt>Artikel-Nr.</dt><dd>${item.nummer}</dd>
<dt>Farbe</dt><dd>${item.farbe}</dd><dt>Gewicht</dt><dd>${item.gewicht}</dd><dt>Lieferzeit</dt><dd>${item.lieferzeit}</dd><dt>Garantie</dt><dd>${item.garantie}</dd></dl></div>
<div id="auch"><h3>Andere kauften auch</h3><ul>${each(
    ITEMS.filter((other) => other !== item).slice(0, 3),
    (other) => `<li><a href="#">${other.name}</a> ${other.preis}</li>`,
  )}</ul></div>
<div id="fuss">Bestellhotline: 0800 123 45 67 (kostenfrei)</div></body></html>`,
  expected: (item) => ({
    produktname: item.name,
    hersteller: item.hersteller,
    artikelnummer: item.nummer,
    preis: item.zahl,
    farbe: item.farbe,
    gewicht: item.gewicht,
    lieferzeit: item.lieferzeit,
    garantie: item.garantie,
    energieklasse: null,
  }),
});
