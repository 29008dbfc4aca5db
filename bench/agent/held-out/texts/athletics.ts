// Results of an athletics meeting: a preformatted-looking table for each event on one page, names with bib numbers.
import { each } from '../../../understand/labelled-page.ts';
import { integer, listOf, object, taskTemplate, text } from '../../task.ts';

const HOST = 'results.calderacup.test';
const EVENTS: [event: string, rows: [name: string, club: string, result: string][]][] = [
  [
    'Women 800 m',
    [
      ['Ilka Brandt', 'LG Nordheide', '2:04.18'],
      ['Sorcha Nolan', 'Liffey AC', '2:05.02'],
      ['Petra Havel', 'SK Brno', '2:07.90'],
    ],
  ],
  [
    'Women 5000 m',
    [
      ['Amaru Quispe', 'Club Andino', '15:41.77'],
      ['Greta Lindholm', 'IF Vega', '15:58.30'],
    ],
  ],
  [
    'Men pole vault',
    [
      ['Dario Conti', 'Atletica Lecco', '5.42'],
      ['Henk Visser', 'AV Delta', '5.30'],
    ],
  ],
];
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} - Caldera Cup</title></head><body><h3>Caldera Cup 2026</h3><p><a href="/">Start</a> <a href="/schedule">Schedule</a> <a href="/results">Results</a> <a href="/records">Records</a></p>${body}<p>Timing by Kronos. Results are provisional until 30 minutes after the event.</p></body></html>`;

export const athletics = taskTemplate({
  name: 'athletics',
  sites: {
    [HOST]: {
      '/': layout('Start', '<p>The meeting took place on 24 January 2026 in the Volcano Hall, Catania.</p>'),
      '/schedule': layout('Schedule', '<p>14:00 Women 800 m, 14:30 Men pole vault, 16:10 Women 5000 m</p>'),
      '/results': layout(
        'Results',
        each(
          EVENTS,
          ([event, rows]) =>
            `<h4>${event}</h4><table><thead><tr><th>Place</th><th>Bib</th><th>Athlete</th><th>Club</th><th>Result</th></tr></thead><tbody>${each(rows, ([name, club, mark], at) => `<tr><td>${at + 1}.</td><td>${311 + at * 17}</td><td>${name}</td><td>${club}</td><td>${mark}</td></tr>`)}</tbody></table>`,
        ),
      ),
      '/records': layout('Records', '<h4>Meeting records</h4><p>Women 800 m: Svea Ahlgren, 2:01.33 (2019)</p>'),
    },
  },
  tasks: [
    {
      name: 'athletics-event',
      prompt: 'Results of the women 800 m at the Caldera Cup 2026: place, athlete, club and time of each runner',
      schema: object({ results: listOf({ place: integer(), athlete: text(), club: text(), time: text() }) }),
      expected: { results: EVENTS[0]![1].map(([athlete, club, time], at) => ({ place: at + 1, athlete, club, time })) },
      pages: [`${HOST}/results`],
    },
  ],
});
