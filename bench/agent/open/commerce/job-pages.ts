// A job board: articles in a list over three pages, filters and saved searches around them; details on pages of their own.
import { each, slug } from '../../../understand/labelled-page.ts';
import { listOf, object, taskTemplate, text } from '../../task.ts';

const HOST = 'jobs.clydeside-careers.test';
const job = (title: string, company: string, place: string, pay: string, closes: string, team: string) => ({
  title,
  company,
  place,
  pay,
  closes,
  team,
});
const JOBS = [
  job('Marine Electrician', 'Govan Shipworks', 'Glasgow', '£38,500', '3 March 2026', 'Trades'),
  job('Naval Architect', 'Govan Shipworks', 'Glasgow', '£54,000', '10 March 2026', 'Engineering'),
  job('Crane Operator', 'Port of Greenock', 'Greenock', '£33,200', '28 February 2026', 'Trades'),
  job('Hydrographic Surveyor', 'Firth Charting Ltd', 'Largs', '£41,750', '17 March 2026', 'Engineering'),
  job('Payroll Officer', 'Port of Greenock', 'Greenock', '£29,900', '6 March 2026', 'Office'),
  job('Welding Inspector', 'Erskine Fabrication', 'Erskine', '£44,100', '12 March 2026', 'Engineering'),
];
type Job = (typeof JOBS)[number];
const path = (one: Job) => `/vacancy/${slug(one.title)}`;

const layout = (
  title: string,
  body: string,
) => `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>${title} | Clydeside Careers</title></head><body><a class="skip" href="#main">Skip to content</a>
<header><a href="/">Clydeside Careers</a><nav><a href="/vacancies">Vacancies</a> <a href="/employers">Employers</a> <a href="/advice">Advice</a> <a href="/login">Sign in</a></nav></header>
<main id="main">${body}</main><footer><p>Clydeside Careers is a service of the Clydeside Business Association. Registered charity SC099412.</p><p><a href="/privacy">Privacy</a> · <a href="/accessibility">Accessibility</a> · <a href="/contact">Contact</a></p></footer></body></html>`;

const entry = (one: Job) =>
  `<article class="vacancy"><h2><a href="${path(one)}">${one.title}</a></h2><p class="employer">${one.company}</p><p class="where">${one.place}</p><p class="salary">${one.pay} per year</p><p class="apply-by">Apply by ${one.closes}</p></article>`;

const list = (at: number) =>
  layout(
    `Vacancies, page ${at} of 3`,
    `<h1>Vacancies</h1><aside><h2>Filter</h2><ul><li><label><input type="checkbox"> Trades (2)</label></li><li><label><input type="checkbox"> Engineering (3)</label></li><li><label><input type="checkbox"> Office (1)</label></li></ul><p>Save this search and get an e-mail every Monday.</p></aside><p>6 vacancies found</p>
${each(JOBS.slice((at - 1) * 2, at * 2), entry)}<nav class="pager">${at > 1 ? `<a rel="prev" href="/vacancies?page=${at - 1}">Previous</a>` : ''} Page ${at} of 3 ${at < 3 ? `<a rel="next" href="/vacancies?page=${at + 1}">Next</a>` : ''}</nav>`,
  );

const detail = (one: Job) =>
  layout(
    `${one.title} at ${one.company}`,
    `<p><a href="/vacancies">Back to all vacancies</a></p><h1>${one.title}</h1><dl><dt>Employer</dt><dd>${one.company}</dd><dt>Location</dt><dd>${one.place}</dd><dt>Salary</dt><dd>${one.pay} per year</dd><dt>Closing date</dt><dd>${one.closes}</dd><dt>Sector</dt><dd>${one.team}</dd></dl><h2>About the job</h2><p>You will work in a small crew with people who have done this for decades. Training is paid, tools are provided, and shifts are published four weeks ahead.</p><h2>Similar vacancies</h2><ul>${each(
      JOBS.filter((other) => other.team === one.team && other !== one),
      (other) => `<li><a href="${path(other)}">${other.title}</a>, ${other.company}</li>`,
    )}</ul>`,
  );

export const jobPages = taskTemplate({
  name: 'job-pages',
  sites: {
    [HOST]: {
      '/': layout(
        'Jobs on the Clyde',
        '<h1>Work on the water</h1><p>Jobs in yards, ports and offices along the Clyde.</p><p><a href="/vacancies">See all 6 vacancies</a></p>',
      ),
      '/vacancies': list(1),
      '/vacancies?page=2': list(2),
      '/vacancies?page=3': list(3),
      ...Object.fromEntries(JOBS.map((one) => [path(one), detail(one)])),
      '/advice': layout(
        'Advice',
        '<h1>Advice</h1><p>Keep a CV to two pages and name the ships you have worked on.</p>',
      ),
    },
  },
  tasks: [
    {
      name: 'jobs-list',
      prompt: 'Collect every vacancy on this job board: job title, employer, location and salary.',
      urls: [`http://${HOST}/vacancies`],
      schema: object({
        vacancies: listOf({ title: text('job title'), employer: text(), location: text(), salary: text() }),
      }),
      expected: {
        vacancies: JOBS.map(({ title, company, place, pay }) => ({
          title,
          employer: company,
          location: place,
          salary: { anyOf: [pay, `${pay} per year`] },
        })),
      },
      pages: ['', '?page=2', '?page=3'].map((query) => `${HOST}/vacancies${query}`),
    },
  ],
});
