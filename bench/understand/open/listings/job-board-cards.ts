// A job board: cards with a title link, the company, a place, a salary range, tags and how old the advertisement is.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const job = (title: string, company: string, place: string, pay: string | null, type: string, remote: boolean) => ({
  title,
  company,
  place,
  pay,
  type,
  remote,
});
const ITEMS = [
  {
    what: 'Backend jobs',
    jobs: [
      job('Senior Go Engineer', 'Tidewater Systems', 'Bristol', '£70,000 - £85,000', 'Full-time', true),
      job('Platform Developer', 'Moss & Co', 'Leeds', null, 'Contract', false),
      job('Database Reliability Engineer', 'Northbank', 'London', '£65,000', 'Full-time', false),
    ],
  },
  {
    what: 'Design jobs',
    jobs: [
      job('Product Designer', 'Papertrail', 'Glasgow', '£52,000 - £60,000', 'Part-time', true),
      job('UX Researcher', 'Hollis Labs', 'Cardiff', '£48,000', 'Full-time', true),
      job('Brand Designer', 'Kite Studio', 'York', null, 'Full-time', false),
      job('Motion Designer', 'Framewell', 'Bath', '£45,000', 'Contract', false),
    ],
  },
];

export const jobBoardCards = pagesOf({
  kind: 'listing',
  name: 'job-board-cards',
  items: ITEMS,
  url: ({ what }) => `https://workfinder.example/${slug(what)}`,
  schema: {
    type: 'object',
    properties: {
      jobs: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            position: { type: 'string', description: 'job title' },
            employer: { type: 'string' },
            city: { type: 'string' },
            salary: { type: 'string' },
            contractType: { type: 'string', enum: ['Full-time', 'Part-time', 'Contract'] },
            link: { type: 'string', format: 'uri' },
          },
          required: ['position', 'employer'],
        },
      },
      total: { type: 'integer', description: 'number of results' },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en-GB"><head><title>${item.what} | Workfinder</title></head><body><header><a href="/">Workfinder</a><form role="search"><input name="q"></form></header><main><h1>${item.what}</h1><p class="result-summary">Showing ${item.jobs.length} of 57 results</p><ul class="jobs">
${each(item.jobs, (job, at) => `<li class="job-tile${at === 0 ? ' job-tile--featured' : ''}"><div class="job-tile__head"><h2><a href="/job/${slug(job.title)}">${job.title}</a></h2>${at === 0 ? '<span class="badge">New</span>' : ''}</div><div class="job-tile__company"><a href="/company/${slug(job.company)}">${job.company}</a></div><div class="job-tile__location"><svg></svg>${job.place}${job.remote ? ' <em>Remote possible</em>' : ''}</div>${job.pay ? `<div class="job-tile__pay">${job.pay} a year</div>` : ''}<ul class="chips"><li>${job.type}</li><li>Permanent staff scheme</li></ul><p class="job-tile__teaser">You will join a small team that cares about its craft and ships every week.</p><span class="age">${at + 1} days ago</span></li>`)}</ul><div class="pager"><a href="?page=2">Next</a></div></main></body></html>`,
  expected: (item) => ({
    jobs: item.jobs.map((job) => ({
      position: job.title,
      employer: job.company,
      city: job.place,
      salary: job.pay === null ? null : { anyOf: [job.pay, `${job.pay} a year`] },
      contractType: job.type,
      link: `https://workfinder.example/job/${slug(job.title)}`,
    })),
    total: 57,
  }),
});
