// A business register: profiles with JSON-LD of the organisation, and a table with what JSON-LD leaves out.
import { each, jsonLdScript, slug } from '../../../understand/labelled-page.ts';
import { date, integer, object, taskTemplate, text } from '../../task.ts';

const HOST = 'foretak.nordregister.test';
const firm = (
  name: string,
  number: string,
  founded: string,
  people: number,
  head: string,
  city: string,
  turnover: string,
) => ({ name, number, founded, people, head, city, turnover });
const FIRMS = [
  firm(
    'Tindbakk Fiskeoppdrett AS',
    '918 442 107',
    '1997-04-14',
    212,
    'Ragnhild Moe Tindbakk',
    'Bodø',
    'NOK 684 million',
  ),
  firm('Tindbakk Eiendom AS', '921 006 338', '2011-09-02', 6, 'Jostein Tindbakk', 'Bodø', 'NOK 9 million'),
  firm('Lysefjell Robotikk AS', '926 715 550', '2016-01-20', 48, 'Sunniva Aarskog', 'Stavanger', 'NOK 77 million'),
  firm('Kvalsund Rederi AS', '914 380 221', '1983-11-30', 95, 'Terje Kvalsund', 'Hammerfest', 'NOK 401 million'),
];
type Firm = (typeof FIRMS)[number];
const path = (one: Firm) => `/company/${slug(one.name)}`;

const layout = (title: string, body: string, head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} · Nordregister</title>${head}</head><body><header><a href="/">Nordregister</a><form action="/search"><input name="q" placeholder="Company or organisation number"></form><nav><a href="/companies">Companies</a><a href="/insolvencies">Insolvencies</a><a href="/pricing">Pricing</a></nav></header><main>${body}</main><footer><p>Data as of 1 February 2026. Nordregister is not a public authority.</p><a href="/terms">Terms</a></footer></body></html>`;

const profile = (one: Firm) =>
  layout(
    one.name,
    `<h1>${one.name}</h1><p class="status status--active">Active</p><table class="facts"><tbody><tr><th scope="row">Organisation number</th><td>${one.number}</td></tr><tr><th scope="row">Managing director</th><td>${one.head}</td></tr><tr><th scope="row">Employees</th><td>${one.people}</td></tr><tr><th scope="row">Turnover 2024</th><td>${one.turnover}</td></tr><tr><th scope="row">Registered office</th><td>${one.city}</td></tr></tbody></table><section class="upsell"><h2>Credit report</h2><p>Get the full credit report for NOK 149.</p></section><section><h2>Companies nearby</h2><ul>${each(
      FIRMS.filter((other) => other !== one),
      (other) => `<li><a href="${path(other)}">${other.name}</a> (${other.people} employees)</li>`,
    )}</ul></section>`,
    jsonLdScript({
      '@context': 'https://schema.org',
      '@type': 'Organization',
      name: one.name,
      foundingDate: one.founded,
      address: { '@type': 'PostalAddress', addressLocality: one.city, addressCountry: 'NO' },
    }),
  );

export const companyRegister = taskTemplate({
  name: 'company-register',
  sites: {
    [HOST]: {
      '/': layout(
        'Every company in the north',
        '<h1>Every company in the north</h1><p>Look up 340,000 companies for free.</p><p><a href="/companies">Browse companies</a></p>',
      ),
      '/companies': layout(
        'Companies',
        `<h1>Companies</h1><ol>${each(FIRMS, (one) => `<li><a href="${path(one)}">${one.name}</a>, ${one.city}</li>`)}</ol>`,
      ),
      ...Object.fromEntries(FIRMS.map((one) => [path(one), profile(one)])),
      '/pricing': layout(
        'Pricing',
        '<h1>Pricing</h1><p>A single report costs NOK 149. Teams pay NOK 1,990 a month.</p>',
      ),
    },
  },
  tasks: [
    {
      name: 'company-search',
      prompt:
        'Company profile of Tindbakk Fiskeoppdrett AS: organisation number, founding date, number of employees, managing director and city',
      schema: object({
        name: text(),
        organisationNumber: text(),
        foundingDate: date(),
        employees: integer('number of employees'),
        managingDirector: text(),
        city: text('registered office'),
      }),
      expected: {
        name: 'Tindbakk Fiskeoppdrett AS',
        organisationNumber: { anyOf: ['918 442 107', '918442107'] },
        foundingDate: '1997-04-14',
        employees: 212,
        managingDirector: 'Ragnhild Moe Tindbakk',
        city: 'Bodø',
      },
      pages: [`${HOST}/company/tindbakk-fiskeoppdrett-as`],
    },
  ],
});
