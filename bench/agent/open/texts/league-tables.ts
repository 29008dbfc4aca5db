// A football league's results service: plain tables without classes, match reports below.
import { each } from '../../../understand/labelled-page.ts';
import { integer, listOf, object, taskTemplate, text } from '../../task.ts';

const HOST = 'nordligaen.test';
const TABLE = [
  ['Skogvik IF', 14, 10, 3, 1, '31:11', 33],
  ['Havnes BK', 14, 9, 2, 3, '27:14', 29],
  ['Tromdal FK', 14, 7, 4, 3, '22:17', 25],
  ['Bergås United', 14, 4, 3, 7, '16:21', 15],
  ['Ytre Sund', 14, 1, 2, 11, '9:36', 5],
] as const;
const layout = (title: string, body: string) =>
  `<!doctype html><html><head><meta charset="utf-8"><title>${title} :: Nordligaen</title></head><body><p><a href="/">Nordligaen</a> | <a href="/table">Table</a> | <a href="/results">Results</a> | <a href="/scorers">Top scorers</a> | <a href="/shop">Fan shop</a></p>${body}<p>Partner of the league: Polarlys Energi. Bet responsibly, 18+.</p></body></html>`;

export const leagueTables = taskTemplate({
  name: 'league-tables',
  sites: {
    [HOST]: {
      '/': layout(
        'Home',
        '<h1>Nordligaen 2025/26</h1><p>Round 14 is complete. Skogvik leads before the winter break.</p><p><a href="/results/havnes-skogvik">Report: Havnes BK - Skogvik IF 1:2</a></p>',
      ),
      '/table': layout(
        'Table',
        `<h1>Table after round 14</h1><table><tr><th>#</th><th>Team</th><th>P</th><th>W</th><th>D</th><th>L</th><th>Goals</th><th>Points</th></tr>${each(TABLE, ([team, played, won, drawn, lost, goals, points], at) => `<tr><td>${at + 1}</td><td>${team}</td><td>${played}</td><td>${won}</td><td>${drawn}</td><td>${lost}</td><td>${goals}</td><td>${points}</td></tr>`)}</table><p>The first two teams are promoted. The last one is relegated.</p>`,
      ),
      '/results': layout(
        'Results',
        '<h1>Results of round 14</h1><table><tr><td>Havnes BK</td><td>Skogvik IF</td><td><a href="/results/havnes-skogvik">1:2</a></td></tr><tr><td>Ytre Sund</td><td>Tromdal FK</td><td>0:3</td></tr></table>',
      ),
      '/results/havnes-skogvik': layout(
        'Havnes BK - Skogvik IF 1:2',
        '<h1>Havnes BK - Skogvik IF 1:2</h1><p>Attendance: 4,812. Referee: Kristin Bolstad. Venue: Havnes Arena.</p><p>A late header by Emre Yildiz decided the top match of round 14. Mats Holmgren had put Skogvik ahead after nine minutes, Lars Brekke equalised from the spot.</p>',
      ),
      '/scorers': layout(
        'Top scorers',
        '<h1>Top scorers</h1><ol><li>Emre Yildiz (Skogvik IF), 12 goals</li><li>Lars Brekke (Havnes BK), 9 goals</li><li>Jonas Ek (Tromdal FK), 8 goals</li></ol>',
      ),
    },
  },
  tasks: [
    {
      name: 'league-table',
      prompt: 'Current table of Nordligaen: every team with matches won, goals and points',
      urls: [`http://${HOST}/`],
      schema: object({
        standings: listOf({ team: text(), won: integer('matches won'), goals: text(), points: integer() }),
      }),
      expected: { standings: TABLE.map(([team, , won, , , goals, points]) => ({ team, won, goals, points })) },
      pages: [`${HOST}/table`],
    },
    {
      name: 'league-match',
      prompt: 'Attendance, referee and venue of the match Havnes BK against Skogvik IF',
      schema: object({ attendance: integer(), referee: text(), venue: text() }),
      expected: { attendance: 4812, referee: 'Kristin Bolstad', venue: 'Havnes Arena' },
      pages: [`${HOST}/results/havnes-skogvik`],
    },
  ],
});
