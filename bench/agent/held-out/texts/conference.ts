// A conference: speakers in a grid, talks with rooms and times in a schedule on another page.
import { each } from '../../../understand/labelled-page.ts';
import { listOf, object, taskTemplate, text } from '../../task.ts';

const HOST = 'soilscience2026.test';
const TALKS = [
  ['Maren Ostrander', 'University of Aarhus', 'Carbon below the plough', '09:30', 'Hall A'],
  ['Tendai Mukaro', 'Harare Institute', 'Termites as engineers', '11:00', 'Hall B'],
  ['Luc Vandenbroucke', 'KU Leuven', 'Listening to roots', '11:00', 'Hall A'],
  ['Akiko Hoshino', 'Hokkaido University', 'Frozen microbes', '14:15', 'Hall B'],
] as const;
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} — Soil Science 2026</title></head><body><div class="hero">Soil Science 2026 · Wageningen · 17 June 2026</div><div class="tabs"><a href="/">About</a><a href="/speakers">Speakers</a><a href="/schedule">Schedule</a><a href="/venue">Venue</a><a href="/tickets">Tickets from €120</a></div>${body}<div class="sponsors">Gold sponsors: Humus AG, GreenProbe. Silver: Agrilab.</div></body></html>`;

export const conference = taskTemplate({
  name: 'conference',
  sites: {
    [HOST]: {
      '/': layout('About', '<h1>One day about the ground</h1><p>Four talks, long breaks, good coffee.</p>'),
      '/speakers': layout(
        'Speakers',
        `<h1>Speakers</h1><div class="grid">${each(TALKS, ([name, from]) => `<figure><img src="/s.jpg" alt=""><figcaption><b>${name}</b><br>${from}</figcaption></figure>`)}</div>`,
      ),
      '/schedule': layout(
        'Schedule',
        `<h1>Schedule</h1><ol>${each(TALKS, ([name, , talk, time, hall]) => `<li><span class="t">${time}</span> <span class="h">${hall}</span> <em>${talk}</em> <span class="by">${name}</span></li>`)}<li><span class="t">12:30</span> Lunch</li></ol>`,
      ),
      '/venue': layout('Venue', '<h1>Venue</h1><p>Orion building, ten minutes from the station by bus.</p>'),
    },
  },
  tasks: [
    {
      name: 'conference-talks',
      prompt: 'All speakers of Soil Science 2026 with affiliation, title of the talk, time and hall',
      urls: [`http://${HOST}/speakers`, `http://${HOST}/schedule`],
      schema: object({
        speakers: listOf({
          name: text(),
          affiliation: text(),
          talk: text('title of the talk'),
          time: text(),
          hall: text(),
        }),
      }),
      expected: {
        speakers: TALKS.map(([name, affiliation, talk, time, hall]) => ({ name, affiliation, talk, time, hall })),
      },
      pages: [`${HOST}/speakers`, `${HOST}/schedule`],
    },
  ],
});
