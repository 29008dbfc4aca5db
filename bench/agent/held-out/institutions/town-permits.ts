// A municipal site: fees on a subpage, an older page that contradicts it, and a price list as a PDF.
import { makePdf } from '../../../../test/support/pdf.ts';
import { number, object, taskTemplate, text } from '../../task.ts';

const HOST = 'gemeente-oosterveen.test';
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} | Municipality of Oosterveen</title></head><body><header><a href="/">Oosterveen</a><form><input type="search" placeholder="Search this site"></form><ul><li><a href="/parking">Parking</a></li><li><a href="/waste">Waste</a></li><li><a href="/market">Weekly market</a></li></ul></header><main>${body}</main><footer>Town hall, Dorpsplein 1. Phone 14 0555. <a href="/privacy">Privacy statement</a></footer></body></html>`;

export const townPermits = taskTemplate({
  name: 'town-permits',
  sites: {
    [HOST]: {
      '/': layout(
        'Home',
        '<h1>Municipality of Oosterveen</h1><ul><li><a href="/parking">Parking permits</a></li><li><a href="/market">Weekly market</a></li></ul>',
      ),
      '/parking': layout(
        'Parking',
        '<h1>Parking</h1><p>Residents of the centre need a permit.</p><ul><li><a href="/parking/permits-2026">Permits and fees 2026</a></li><li><a href="/parking/permits-2024">Permits and fees 2024 (archive)</a></li></ul>',
      ),
      '/parking/permits-2026': layout(
        'Parking permits and fees 2026',
        '<h1>Parking permits and fees 2026</h1><p>A first permit for residents costs €74.40 a year, a second one €148.80. Visitors pay €1.90 an hour.</p><p>Apply at the desk or online. A permit is issued within five working days by the team Parking, led by Joke van Renswoude.</p>',
      ),
      '/parking/permits-2024': layout(
        'Parking permits and fees 2024',
        '<h1>Parking permits and fees 2024</h1><p>This page is kept for reference and is no longer valid.</p><p>A first permit for residents costs €66.00 a year, a second one €132.00. Visitors pay €1.60 an hour.</p>',
      ),
      '/market': layout(
        'Weekly market',
        '<h1>Weekly market</h1><p>The market is held every Friday from 8:00 to 13:00. Fees for stalls are in the <a href="/files/market-fees.pdf">regulation (PDF)</a>.</p>',
      ),
      '/files/market-fees.pdf': {
        content: makePdf(
          [
            {
              heading: 'Regulation on market fees',
              lines: [
                'Municipality of Oosterveen',
                'In force since 1 January 2026',
                'Fee for a stall: EUR 3.15 per metre and day',
                'Electricity: EUR 4.80 per day',
                'Market master: Wim Hoekstra',
                'Minimum length of a stall: 4 metres',
              ],
            },
          ],
          'Regulation on market fees',
        ),
        type: 'application/pdf',
      },
      '/waste': layout('Waste', '<h1>Waste</h1><p>Paper is collected on the first Monday of the month.</p>'),
    },
  },
  tasks: [
    {
      name: 'permit-fees',
      prompt:
        'Current fees in Oosterveen (2026): first parking permit for residents, second permit, and the hourly price for visitors',
      urls: [`http://${HOST}/`],
      schema: object({
        firstPermit: number('euros a year'),
        secondPermit: number('euros a year'),
        visitorsPerHour: number('euros an hour'),
      }),
      expected: { firstPermit: 74.4, secondPermit: 148.8, visitorsPerHour: 1.9 },
      pages: [`${HOST}/parking/permits-2026`],
    },
    {
      name: 'market-pdf',
      prompt:
        'Weekly market in Oosterveen: fee per metre of a stall, price of electricity per day, and who is the market master?',
      urls: [`http://${HOST}/market`],
      schema: object({ feePerMetre: number('in euros'), electricityPerDay: number('in euros'), marketMaster: text() }),
      expected: { feePerMetre: 3.15, electricityPerDay: 4.8, marketMaster: 'Wim Hoekstra' },
      pages: [`${HOST}/files/market-fees.pdf`],
    },
  ],
});
