// Release notes of an app: one page a release, a list of releases as cards, dates as <time>.
import { each } from '../../../understand/labelled-page.ts';
import { date, object, taskTemplate, text } from '../../task.ts';

const HOST = 'help.tallybook.test';
const RELEASES = [
  {
    version: '26.1',
    at: '2026-01-14',
    shown: 'Jan 14',
    android: 'Android 11',
    head: 'Split expenses between trips',
    body: 'You can now split one receipt between several trips. Tallybook needs Android 11 or iOS 17 from this release on.',
  },
  {
    version: '25.12',
    at: '2025-12-02',
    shown: 'Dec 2',
    android: 'Android 9',
    head: 'Faster scanning',
    body: 'Receipts are read twice as fast. Tallybook needs Android 9 or iOS 15.',
  },
  {
    version: '25.10',
    at: '2025-10-21',
    shown: 'Oct 21',
    android: 'Android 9',
    head: 'Dark mode',
    body: 'Dark mode follows the system. Tallybook needs Android 9 or iOS 15.',
  },
];
type Release = (typeof RELEASES)[number];
const path = (one: Release) => `/releases/${one.version}`;
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} · Tallybook Help</title></head><body><header><a href="/">Tallybook Help</a><a href="/releases">Release notes</a><a href="/contact">Contact us</a></header>${body}<footer>Did this answer your question? 😞 😐 😃<p>We run on Helpnook</p></footer></body></html>`;

export const releaseNotes = taskTemplate({
  name: 'release-notes',
  sites: {
    [HOST]: {
      '/': layout(
        'How can we help?',
        '<h1>How can we help?</h1><ul><li><a href="/export">Exporting to CSV</a></li><li><a href="/releases">Release notes</a></li></ul>',
      ),
      '/export': layout('Exporting to CSV', '<h1>Exporting to CSV</h1><p>Open Settings, then Export.</p>'),
      '/releases': layout(
        'Release notes',
        `<h1>Release notes</h1><div class="cards">${each(RELEASES, (one) => `<a class="card" href="${path(one)}"><time datetime="${one.at}">${one.shown}</time><strong>Tallybook ${one.version}</strong><span>${one.head}</span></a>`)}</div>`,
      ),
      ...Object.fromEntries(
        RELEASES.map((one) => [
          path(one),
          layout(
            `Tallybook ${one.version}`,
            `<article><h1>Tallybook ${one.version}: ${one.head}</h1><p>Released on <time datetime="${one.at}">${one.shown}, ${one.at.slice(0, 4)}</time></p><p>${one.body}</p></article>`,
          ),
        ]),
      ),
    },
  },
  tasks: [
    {
      name: 'release-latest',
      prompt:
        'Latest release of Tallybook: version, release date, headline feature and the oldest Android version it supports',
      urls: [`http://${HOST}/`],
      schema: object({
        version: text(),
        releaseDate: date(),
        headline: text('headline feature'),
        minimumAndroid: text('oldest Android version that it needs'),
      }),
      expected: {
        version: '26.1',
        releaseDate: '2026-01-14',
        headline: 'Split expenses between trips',
        minimumAndroid: { anyOf: ['Android 11', '11'] },
      },
      pages: [`${HOST}/releases/26.1`],
    },
  ],
});
