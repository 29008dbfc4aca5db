// Schedules in words, as cron expressions.

export const TEXT_SCHEDULES =
  '"every 30 minutes", "every 15 minutes starting at :05", "hourly", "hourly at :30", "every 6 hours", "daily", "daily at 9:30am" and "weekly"';

interface Phrase {
  pattern: RegExp;
  cron(values: (number | undefined)[], half: string | undefined): string | { problem: string };
}

const AT_MINUTE = '(?: at :(\\d{1,2}))?';
const PHRASES: readonly Phrase[] = [
  {
    pattern: /^every (\d{1,4}) minutes?(?: starting at :(\d{1,2}))?$/,
    cron([every, start = 0]) {
      if (!divides(every, 60)) return { problem: 'The number of minutes must divide 60.' };
      return start > 59 ? minuteProblem : `${minutesFrom(start % every!, every!)} * * * *`;
    },
  },
  {
    pattern: new RegExp(`^(?:hourly|every hour)${AT_MINUTE}$`),
    cron: ([minute = 0]) => (minute > 59 ? minuteProblem : `${minute} * * * *`),
  },
  {
    pattern: /^every (\d{1,4}) hours?$/,
    cron([every]) {
      if (!divides(every, 24)) return { problem: 'The number of hours must divide 24.' };
      if (every === 1) return '0 * * * *';
      return every === 24 ? '0 0 * * *' : `0 */${every} * * *`;
    },
  },
  {
    pattern: /^(?:daily|every day)(?: at (\d{1,2})(?::(\d{2}))? ?(am|pm)?)?$/,
    cron([hour = 0, minute = 0], half) {
      const isHour = half ? hour >= 1 && hour <= 12 : hour <= 23;
      if (!isHour || minute > 59) return { problem: 'The time of day does not exist.' };
      const of24 = half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour;
      return `${minute} ${of24} * * *`;
    },
  },
  { pattern: /^(?:weekly|every week)$/, cron: () => '0 0 * * 0' },
];
const minuteProblem = { problem: 'Minutes go from :00 to :59.' };

export function cronForText(text: string): string | { problem: string } {
  const plain = text.trim().replace(/\s+/g, ' ').toLowerCase();
  for (const { pattern, cron } of PHRASES) {
    const match = pattern.exec(plain);
    if (!match) continue;
    const values = match.slice(1).map((value) => (/^\d+$/.test(value ?? '') ? Number(value) : undefined));
    return cron(values, match[3]);
  }
  return { problem: `Schedules in words are ${TEXT_SCHEDULES}.` };
}

const divides = (number: number | undefined, whole: number): boolean =>
  number !== undefined && number > 0 && whole % number === 0;

function minutesFrom(start: number, every: number): string {
  if (every === 60) return String(start);
  return start === 0 ? `*/${every}` : `${start}-59/${every}`;
}
