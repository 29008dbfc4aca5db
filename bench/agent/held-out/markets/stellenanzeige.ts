// A German company's careers: a table of openings, and advertisements in prose with the facts in the text.
import { each } from '../../../understand/labelled-page.ts';
import { date, listOf, object, taskTemplate, text } from '../../task.ts';

const HOST = 'karriere.drossmeyer.test';
const JOBS = [
  {
    no: '2026-014',
    title: 'Zerspanungsmechaniker (m/w/d)',
    place: 'Werk Hagen',
    kind: 'Vollzeit',
    start: '1. April 2026',
    iso: '2026-04-01',
    contact: 'Silke Brandhorst',
  },
  {
    no: '2026-017',
    title: 'Einkäufer Rohstoffe (m/w/d)',
    place: 'Zentrale Siegen',
    kind: 'Teilzeit',
    start: '15. Mai 2026',
    iso: '2026-05-15',
    contact: 'Yusuf Demirtaş',
  },
  {
    no: '2026-021',
    title: 'Werkstudent Qualität (m/w/d)',
    place: 'Werk Hagen',
    kind: 'Werkstudent',
    start: '1. März 2026',
    iso: '2026-03-01',
    contact: 'Silke Brandhorst',
  },
];
type Job = (typeof JOBS)[number];
const path = (job: Job) => `/stellen/${job.no}`;
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>${title} | Drossmeyer Karriere</title></head><body><header><a href="/">Drossmeyer Gießerei</a><nav><a href="/stellen">Stellen</a><a href="/ausbildung">Ausbildung</a><a href="/ueber-uns">Über uns</a></nav></header><main>${body}</main><footer>Drossmeyer GmbH &amp; Co. KG · 640 Beschäftigte · <a href="/impressum">Impressum</a></footer></body></html>`;
const advertisement = (job: Job) =>
  layout(
    job.title,
    `<h1>${job.title}</h1><p>Für unser Team (${job.place}) suchen wir zum ${job.start} Verstärkung in ${job.kind}. Sie arbeiten mit modernen Anlagen und haben jeden zweiten Freitag frei.</p><h2>Das bringen Sie mit</h2><ul><li>Freude an genauem Arbeiten</li><li>Gute Deutschkenntnisse</li></ul><h2>Bewerbung</h2><p>Bitte bewerben Sie sich unter Angabe der Kennziffer ${job.no}. Fragen beantwortet Ihnen ${job.contact} gerne am Telefon.</p>`,
  );

export const stellenanzeige = taskTemplate({
  name: 'stellenanzeige',
  sites: {
    [HOST]: {
      '/': layout('Karriere', '<h1>Guss mit Zukunft</h1><p>Seit 1911 gießen wir Teile für Bahnen und Brücken.</p>'),
      '/stellen': layout(
        'Stellen',
        `<h1>Offene Stellen</h1><table><thead><tr><th>Kennziffer</th><th>Stelle</th><th>Ort</th><th>Art</th></tr></thead><tbody>${each(JOBS, (job) => `<tr><td>${job.no}</td><td><a href="${path(job)}">${job.title}</a></td><td>${job.place}</td><td>${job.kind}</td></tr>`)}</tbody></table><p>Initiativbewerbungen sind willkommen.</p>`,
      ),
      ...Object.fromEntries(JOBS.map((job) => [path(job), advertisement(job)])),
      '/ausbildung': layout('Ausbildung', '<h1>Ausbildung</h1><p>Wir bilden in sechs Berufen aus.</p>'),
    },
  },
  tasks: [
    {
      name: 'stellen-list',
      prompt: 'Alle offenen Stellen mit Kennziffer, Bezeichnung, Ort und Art',
      urls: [`http://${HOST}/`],
      schema: object({
        stellen: listOf({
          kennziffer: text(),
          bezeichnung: text(),
          ort: text(),
          art: text('Vollzeit, Teilzeit oder Werkstudent'),
        }),
      }),
      expected: {
        stellen: JOBS.map(({ no, title, place, kind }) => ({
          kennziffer: no,
          bezeichnung: title,
          ort: place,
          art: kind,
        })),
      },
      pages: [`${HOST}/stellen`],
    },
    {
      name: 'stellen-prose',
      prompt:
        'Stelle Einkäufer Rohstoffe bei Drossmeyer: Wann beginnt sie, wer beantwortet Fragen, und welche Kennziffer hat sie?',
      urls: [`http://${HOST}/stellen`],
      schema: object({ beginn: date('Beginn der Stelle'), ansprechpartner: text(), kennziffer: text() }),
      expected: { beginn: '2026-05-15', ansprechpartner: 'Yusuf Demirtaş', kennziffer: '2026-017' },
      pages: [`${HOST}/stellen/2026-017`],
    },
  ],
});
