// A timetable with a caption, a row that spans the table, a fare table beside it, and times with and without a platform.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const train = (leaves: string, number: string, to: string, platform: string | null, changes: number) => ({
  leaves,
  number,
  to,
  platform,
  changes,
});
const ITEMS = [
  {
    station: 'Oakham',
    trains: [
      train('06:12', 'RX 401', 'Birmingham', '1', 0),
      train('07:45', 'RX 403', 'Stansted', '2', 0),
      train('09:10', 'RX 407', 'Cambridge', null, 1),
    ],
  },
  { station: 'Tain', trains: [train('05:58', 'NS 12', 'Inverness', '1', 0), train('11:20', 'NS 18', 'Wick', null, 0)] },
  {
    station: 'Ludlow',
    trains: [
      train('08:03', 'TW 220', 'Cardiff', '2', 0),
      train('08:41', 'TW 221', 'Manchester', '1', 0),
      train('10:03', 'TW 224', 'Swansea', '2', 1),
      train('12:30', 'TW 231', 'Chester', null, 1),
    ],
  },
  {
    station: 'Rye',
    trains: [train('06:50', 'SE 75', 'Ashford', '1', 0), train('07:22', 'SE 76', 'Eastbourne', '2', 0)],
  },
  {
    station: 'Whitby',
    trains: [
      train('08:50', 'EC 3', 'Middlesbrough', '1', 0),
      train('12:18', 'EC 7', 'Grosmont', '1', 0),
      train('18:04', 'EC 15', 'Newcastle', null, 2),
    ],
  },
];

export const timetableSpans = pagesOf({
  kind: 'listing',
  name: 'timetable-spans',
  items: ITEMS,
  url: ({ station }) => `https://branchlines.example/${slug(station)}/departures`,
  schema: {
    type: 'object',
    properties: {
      station: { type: 'string' },
      departures: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            time: { type: 'string', description: 'Departure time' },
            train_number: { type: 'string' },
            destination: { type: 'string' },
            platform: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            changes: { type: 'integer' },
          },
          required: ['time', 'destination'],
        },
      },
    },
  },
  html: (
    item,
  ) => `<html lang="en"><head><title>${item.station}: departures</title></head><body><p><a href="/">Branch Lines</a> » <a href="/stations">Stations</a> » ${item.station}</p><h1>Departures from ${item.station}</h1><p>Station: ${item.station}</p>
<table><caption>Monday to Friday</caption><thead><tr><th scope="col">Departs</th><th scope="col">Train</th><th scope="col">To</th><th scope="col">Plat.</th><th scope="col">Changes</th></tr></thead><tbody><tr><td colspan="5">Valid until 12 December</td></tr>${each(
    item.trains,
    (one) =>
      `<tr><th scope="row">${one.leaves}</th><td>${one.number}</td><td>${one.to}</td><td>${one.platform ?? '–'}</td><td>${one.changes}</td></tr>`,
  )}</tbody></table><table><caption>Fares</caption><tr><th>Type</th><th>Single</th><th>Return</th></tr><tr><td>Adult</td><td>£9.40</td><td>£16.20</td></tr><tr><td>Child</td><td>£4.70</td><td>£8.10</td></tr><tr><td>Dog</td><td>free</td><td>free</td></tr><tr><td>Bicycle</td><td>£2</td><td>£3</td></tr><tr><td>Group</td><td>£30</td><td>£50</td></tr></table></body></html>`,
  expected: (item) => ({
    station: item.station,
    departures: item.trains.map((one) => ({
      time: one.leaves,
      train_number: one.number,
      destination: one.to,
      platform: one.platform,
      changes: one.changes,
    })),
  }),
});
