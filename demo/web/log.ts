// The harbour log of the small web: a page for each of 59 days, reckoned from the date, so that every run has the same.
// It is the part that is large enough to be killed in the middle of.
import { writePage } from './layout.ts';

export interface Water {
  kind: 'high' | 'low';
  time: string;
  metres: number;
}

const FIRST = Date.UTC(2026, 1, 1);
const DAYS = 59;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The two strongest pulls, of the moon and of the sun: period in hours, height in metres. */
const MOON = { hours: 12.4206, metres: 1.92 };
const SUN = { hours: 12, metres: 0.61 };
const MEAN_METRES = 2.75;
const WINDS = ['south-west', 'west', 'north-west', 'north', 'north-east', 'east', 'south-east', 'south'];
const SKIES = [
  'clear sky',
  'high cloud',
  'overcast',
  'light rain',
  'rain at times',
  'fog until ten',
  'showers, some hail',
];
const BOATS = ['Morwenna', 'Kittiwake', 'Girl Ada', 'Providence', 'Silver Darling', 'Two Sisters', 'Heron', 'Tamsin'];
const CATCHES = ['plaice', 'mackerel', 'brown crab', 'bass', 'whiting', 'squid', 'lobster'];
const NOTES = [
  'The east steps were scrubbed at low water and are safe again.',
  'The lamp on the outer beacon was cleaned and burns white.',
  'A grey seal slept on the slip all morning and could not be moved.',
  'The crane is out of order until the part comes from Falmouth.',
  'The dredger worked off the bar; keep to the northern side of the channel.',
  'Two visiting yachts took the drying berths by the ropewalk.',
  'The harbour bell was rung for fog four times.',
  'A fender was found and can be fetched at the office.',
  'School children counted limpets on the north wall: 1,204.',
];

const dates = Array.from({ length: DAYS }, (_, index) => new Date(FIRST + index * DAY_MS));
const isoDay = (date: Date): string => date.toISOString().slice(0, 10);
const dayPath = (date: Date): string => `/log/${isoDay(date)}`;
const inWords = (date: Date, parts: Intl.DateTimeFormatOptions): string =>
  date.toLocaleDateString('en-GB', { ...parts, timeZone: 'UTC' });
const fullDay = (date: Date): string =>
  inWords(date, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

export function writeLog(): Record<string, string> {
  const months = Map.groupBy(dates, (date) => isoDay(date).slice(0, 7));
  const monthPages = [...months].map(([month, days]) => [`/log/${month}/`, writeMonth(days)]);
  const dayPages = dates.map((date, index) => [dayPath(date), writeDay(date, index)]);
  return { '/log/': writeIndex(months), ...Object.fromEntries([...monthPages, ...dayPages]) };
}

/** The height of the water above chart datum. */
export function levelAt(ms: number): number {
  const hours = (ms - FIRST) / HOUR_MS;
  const pull = ({ hours: period, metres }: typeof MOON) => metres * Math.cos((2 * Math.PI * hours) / period);
  return MEAN_METRES + pull(MOON) + pull(SUN);
}

export function watersOf(date: Date): Water[] {
  const minute = 60_000;
  const waters: Water[] = [];
  for (let at = date.getTime(); at < date.getTime() + DAY_MS; at += minute) {
    const [before, now, after] = [levelAt(at - minute), levelAt(at), levelAt(at + minute)];
    const kind = now >= before && now > after ? 'high' : now <= before && now < after ? 'low' : undefined;
    if (kind) waters.push({ kind, time: new Date(at).toISOString().slice(11, 16), metres: Math.round(now * 10) / 10 });
  }
  return waters;
}

function writeIndex(months: Map<string, Date[]>): string {
  const items = [...months].map(
    ([month, days]) =>
      `<li><a href="/log/${month}/">${inWords(days[0]!, { month: 'long', year: 'numeric' })}</a>: ${days.length} days</li>`,
  );
  return writePage({
    title: 'Harbour log – Saltmarsh',
    description: 'What the harbour office wrote down, day by day.',
    main: `<h1>Harbour log</h1><p class="lead">What the harbour office wrote down, day by day: tides, wind, and who came in.</p><ul>${items.join('')}</ul>`,
  });
}

function writeMonth(days: Date[]): string {
  const name = inWords(days[0]!, { month: 'long', year: 'numeric' });
  const items = days.map((date) => `<li><a href="${dayPath(date)}">${fullDay(date)}</a></li>`);
  return writePage({
    title: `Harbour log, ${name} – Saltmarsh`,
    description: `The days of ${name}.`,
    main: `<h1>Harbour log, ${name}</h1><ul>${items.join('\n')}</ul><p><a href="/log/">All months</a></p>`,
  });
}

function writeDay(date: Date, index: number): string {
  // Steps that have no factor in common with the lengths of the lists: each list comes round in another rhythm.
  const pick = <T>(list: readonly T[], step: number): T => list[(index * step + (index >> 2)) % list.length]!;
  const boats = [pick(BOATS, 3), pick(BOATS, 5)].filter((name, at, all) => all.indexOf(name) === at);
  const arrivals = boats.map(
    (name, at) =>
      `<li>The <em>${name}</em> landed ${4 + ((index * 7 + at * 5) % 23)} boxes of ${pick(CATCHES, 2 + at)}.</li>`,
  );
  const rows = watersOf(date).map(
    ({ kind, time, metres }) => `<tr><td>${kind}</td><td>${time}</td><td>${metres.toFixed(1)} m</td></tr>`,
  );
  return writePage({
    title: `Harbour log, ${fullDay(date)} – Saltmarsh`,
    description: `Tides, wind and arrivals on ${fullDay(date)}.`,
    main: `<article><h1>${fullDay(date)}</h1>
<p>Wind ${pick(WINDS, 3)}, force ${2 + ((index * 5) % 6)}; ${pick(SKIES, 2)}. ${pick(NOTES, 4)}</p>
<h2>Tides</h2>
<table><thead><tr><th>Water</th><th>Time</th><th>Height</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<h2>Arrivals</h2>
<ul>${arrivals.join('')}</ul>
<p><a href="/log/${isoDay(date).slice(0, 7)}/">The whole month</a></p></article>`,
  });
}
