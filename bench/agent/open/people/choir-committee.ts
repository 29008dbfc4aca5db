// A choir's site made by hand: tables for layout, the committee in a definition list, members behind a login.
import { each } from '../../../understand/labelled-page.ts';
import { listOf, number, object, taskTemplate, text } from '../../task.ts';

const HOST = 'anchorquaysingers.test';
const OFFICERS = [
  ['Chair', 'Philippa Trent', 'chair@anchorquaysingers.test'],
  ['Secretary', 'Owain Rees-Doyle', 'secretary@anchorquaysingers.test'],
  ['Treasurer', 'Hamid Farrokhzad', 'treasurer@anchorquaysingers.test'],
  ['Librarian', 'Bettina Crowe', 'scores@anchorquaysingers.test'],
] as const;

const layout = (title: string, body: string) =>
  `<html><head><meta charset="utf-8"><title>${title} - Anchor Quay Singers</title></head><body bgcolor="#ffffff"><table width="100%"><tr><td colspan="2"><img src="banner.gif" alt="Anchor Quay Singers"></td></tr><tr><td width="160" valign="top"><a href="/">Home</a><br><a href="/concerts">Concerts</a><br><a href="/joining">Joining us</a><br><a href="/committee">Committee</a><br><a href="/members">Members only</a><br><br><b>Next rehearsal</b><br>Thursday 7.30pm, St Anne's Hall</td><td valign="top">${body}</td></tr></table><hr><small>Site maintained by Bettina Crowe. Last updated 11 January 2026. You are visitor number 48,211.</small></body></html>`;

export const choirCommittee = taskTemplate({
  name: 'choir-committee',
  sites: {
    [HOST]: {
      '/': layout(
        'Home',
        '<h1>Welcome</h1><p>We are a mixed choir of about seventy voices, founded in 1968, and we sing everything from Byrd to Britten.</p><p>Our musical director is Lorna Achebe.</p>',
      ),
      '/concerts': layout(
        'Concerts',
        '<h1>Concerts</h1><table border="1"><tr><th>Date</th><th>Programme</th><th>Venue</th><th>Tickets</th></tr><tr><td>Saturday 28 March 2026</td><td>Bach: St John Passion</td><td>Holy Trinity Church</td><td>£18 (under 18s £5)</td></tr><tr><td>Saturday 20 June 2026</td><td>Summer Serenade</td><td>The Corn Exchange</td><td>£12</td></tr></table>',
      ),
      '/joining': layout(
        'Joining us',
        '<h1>Joining us</h1><p>There is no audition. Come to two rehearsals for free and decide then.</p><p>The subscription for the season 2025/26 is £165, or £55 a term. Students pay £40 for the season. It was £150 in 2024/25.</p><p>Scores are hired; the hire fee is about £6 a concert.</p>',
      ),
      '/committee': layout(
        'Committee',
        `<h1>The committee</h1><p>Elected at the AGM on 9 September 2025.</p><dl>${each(OFFICERS, ([role, name, mail]) => `<dt>${role}</dt><dd>${name}<br><a href="mailto:${mail}">${mail}</a></dd>`)}</dl><p>To book the choir, please write to the secretary.</p>`,
      ),
      '/members': {
        content: layout(
          'Members only',
          '<h1>Members only</h1><form method="post" action="/login"><p>Please log in to see rehearsal tracks and the members list.</p>User name <input name="user"><br>Password <input type="password" name="password"><br><input type="submit" value="Log in"></form>',
        ),
        status: 401,
      },
    },
  },
  tasks: [
    {
      name: 'choir-officers',
      prompt:
        'Who is on the committee of the Anchor Quay Singers? Give the role, name and e-mail address of each officer.',
      urls: [`http://${HOST}/`],
      schema: object({ officers: listOf({ role: text(), name: text(), email: text('e-mail address') }) }),
      expected: { officers: OFFICERS.map(([role, name, email]) => ({ role, name, email })) },
      pages: [`${HOST}/committee`],
    },
    {
      name: 'choir-fees',
      prompt:
        'What does it cost to sing with the Anchor Quay Singers in the season 2025/26: subscription for the season, per term, and for students?',
      urls: [`http://${HOST}/`],
      schema: object({
        seasonSubscription: number('in pounds, for the whole season 2025/26'),
        termSubscription: number('in pounds, for a term'),
        studentSubscription: number('in pounds, for students'),
      }),
      expected: { seasonSubscription: 165, termSubscription: 55, studentSubscription: 40 },
      pages: [`${HOST}/joining`],
    },
  ],
});
