// A government table with a header of two lines, units in the header and footnotes.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const row = (name: string, people: string, area: string, rate: string) => ({ name, people, area, rate });
const ITEMS = [
  {
    title: 'Population by district, 2025',
    rows: [
      row('Ashdown', '48,210', '61.4', '+0.8'),
      row('Brightwell', '103,955', '122.0', '-0.3'),
      row('Carrow', '9,870', '240.9', '+1.1'),
    ],
  },
  {
    title: 'Population by district, 2024',
    rows: [
      row('Denholm', '77,402', '18.2', '+2.4'),
      row('Easterly', '15,083', '99.7', '-1.0'),
      row('Farrow Vale', '31,640', '45.1', '+0.2'),
      row('Garth', '6,015', '310.5', '-0.7'),
    ],
  },
];
const n = (text: string): number => Number(text.replace(',', '').replace('+', ''));

export const amtlicheTabelle = pagesOf({
  kind: 'listing',
  name: 'amtliche-tabelle',
  items: ITEMS,
  url: ({ title }) => `https://stats.gov.example/${slug(title)}`,
  schema: {
    type: 'object',
    properties: {
      districts: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            district: { type: 'string' },
            population: { type: 'integer' },
            area_km2: { type: 'number' },
            growth_percent: { type: 'number', description: 'change against the previous year in percent' },
          },
        },
      },
      source: { type: 'string', description: 'who published the figures' },
    },
  },
  html: (item) =>
    `<!doctype html><html lang="en"><head><title>${item.title} - Office for Statistics</title></head><body><header><a href="/">Office for Statistics</a></header><main><h1>${item.title}</h1><p>Mid-year estimates. Figures are rounded.</p><table><caption>Table 1: ${item.title}</caption><thead><tr><th scope="col">District</th><th scope="col">Population<sup>1</sup></th><th scope="col">Area (km²)</th><th scope="col">Change against previous year (%)</th></tr></thead><tbody>${each(item.rows, (r) => `<tr><th scope="row">${r.name}</th><td>${r.people}</td><td>${r.area}</td><td>${r.rate}</td></tr>`)}</tbody></table><p class="footnote">1 Usual residents.</p><p>Source: Office for Statistics</p></main></body></html>`,
  expected: (item) => ({
    districts: item.rows.map((r) => ({
      district: r.name,
      population: n(r.people),
      area_km2: n(r.area),
      growth_percent: n(r.rate),
    })),
    source: 'Office for Statistics',
  }),
});
