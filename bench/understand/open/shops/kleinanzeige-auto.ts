// A classified advertisement for a car: a list of details, prices on a negotiable basis, a private seller.
import { pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    titel: 'VW Golf Variant 1.5 TSI Comfortline',
    preis: '14.900',
    km: '78.500',
    jahr: 'März 2019',
    sprit: 'Benzin',
    ps: 150,
    getriebe: 'Automatik',
    ort: '04109 Leipzig',
    name: 'Sabine',
    datum: '12.10.2026',
  },
  {
    titel: 'Skoda Fabia Kombi, scheckheftgepflegt',
    preis: '6.250',
    km: '121.000',
    jahr: 'August 2014',
    sprit: 'Diesel',
    ps: 90,
    getriebe: 'Schaltgetriebe',
    ort: '99084 Erfurt',
    name: 'Autohaus Thiel',
    datum: '03.11.2026',
  },
];

export const kleinanzeigeAuto = pagesOf({
  kind: 'shop',
  name: 'kleinanzeige-auto',
  items: ITEMS,
  url: ({ titel }) => `https://anzeigenmarkt.example/s-anzeige/${slug(titel)}`,
  schema: {
    type: 'object',
    properties: {
      title: { type: 'string' },
      price: { type: 'number' },
      negotiable: { type: 'boolean', description: 'VB / Verhandlungsbasis' },
      mileage_km: { type: 'integer', description: 'Kilometerstand' },
      fuel: { type: 'string', enum: ['Benzin', 'Diesel', 'Elektro', 'Hybrid'] },
      power_ps: { type: 'integer', description: 'Leistung in PS' },
      transmission: { type: 'string', description: 'Getriebe' },
      location: { type: 'string' },
      seller: { type: 'string', description: 'Name of the seller' },
      posted: { type: 'string', format: 'date' },
      description: { type: 'string' },
      engine_size: { type: 'string', description: 'Hubraum' },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="de"><head><title>${item.titel} in Sachsen | Anzeigenmarkt</title></head><body>
<div id="site-header"><form><input name="q" placeholder="Was suchst du?"><select><option>Ganzer Ort</option><option>+ 5 km</option></select></form></div>
<div id="viewad-main"><h1 id="viewad-title" class="boxedarticle--title">${item.titel}</h1><h2 class="boxedarticle--price" id="viewad-price">${item.preis} € VB</h2>
<div class="boxedarticle--details--full"><span id="viewad-locality" class="boxedarticle--location">${item.ort}</span><div id="viewad-extra-info"><div><i class="icon"></i><span>${item.datum}</span></div><div><span id="viewad-cntr-num">184</span></div></div></div>
<div id="viewad-details"><ul class="addetailslist"><li class="addetailslist--detail">Kilometerstand<span class="addetailslist--detail--value">${item.km} km</span></li><li class="addetailslist--detail">Erstzulassung<span class="addetailslist--detail--value">${item.jahr}</span></li><li class="addetailslist--detail">Kraftstoffart<span class="addetailslist--detail--value">${item.sprit}</span></li><li class="addetailslist--detail">Leistung<span class="addetailslist--detail--value">${item.ps} PS</span></li><li class="addetailslist--detail">Getriebe<span class="addetailslist--detail--value">${item.getriebe}</span></li></ul></div>
<h2>Beschreibung</h2><p id="viewad-description-text">Verkaufe meinen treuen Begleiter, da wir uns vergrößern. Acht Räder, TÜV neu, keine Unfälle.</p>
<div id="viewad-contact"><span class="userprofile-vip"><a href="/u/12">${item.name}</a></span><span>Aktiv seit 04.05.2015</span></div></div>
<div id="viewad-similar"><h3>Ähnliche Anzeigen</h3><ul><li><a href="/1">Opel Astra</a> <span>3.900 € VB</span></li><li><a href="/2">Seat Leon</a> <span>9.800 €</span></li></ul></div></body></html>`,
  expected: (item) => ({
    title: item.titel,
    price: Number(item.preis.replace('.', '')),
    negotiable: true,
    mileage_km: Number(item.km.replace('.', '')),
    fuel: item.sprit,
    power_ps: item.ps,
    transmission: item.getriebe,
    location: item.ort,
    seller: item.name,
    posted: item.datum.split('.').toReversed().join('-'),
    description: 'Verkaufe meinen treuen Begleiter, da wir uns vergrößern. Acht Räder, TÜV neu, keine Unfälle.',
    engine_size: null,
  }),
});
