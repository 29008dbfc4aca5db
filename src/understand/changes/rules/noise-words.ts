// The words and patterns by which changes are told from noise. The lists are in data/.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MONTH_NAMES } from '../../../text/dates/read-date.ts';
import { lazy } from '../../../util/lazy.ts';

const FILE = join(import.meta.dirname, '../../../../data/change-noise.json');

type Lists = Record<
  | 'counters'
  | 'counterAdjectives'
  | 'stamps'
  | 'relativeTimes'
  | 'weekdays'
  | 'identifiers'
  | 'checksums'
  | 'advertisements'
  | 'recommendations'
  | 'rotating'
  | 'controls'
  | 'prompts'
  | 'availability'
  | 'ignoring'
  | 'audiences'
  | 'audienceSigns'
  | 'limits'
  | 'weather'
  | 'markets'
  | 'readings'
  | 'activity'
  | 'activities'
  | 'capacities'
  | 'today'
  | 'mixedIdentifiers'
  | 'statistics'
  | 'sharedCounters'
  | 'people'
  | 'done'
  | 'activitySigns'
  | 'windows'
  | 'opinions'
  | 'promises'
  | 'calls'
  | 'ratesSubjects'
  | 'levels',
  string[]
>;

const EDGE_BEFORE = '(?<![\\p{L}\\p{N}])';
const EDGE_AFTER = '(?![\\p{L}\\p{N}])';
const oneOf = (patterns: readonly string[]): string => `(?:${patterns.join('|')})`;
const whole = (patterns: readonly string[]): RegExp => new RegExp(`^(?:${oneOf(patterns)})$`, 'iu');
const word = (patterns: readonly string[], flags = 'iu'): RegExp =>
  new RegExp(`${EDGE_BEFORE}${oneOf(patterns)}${EDGE_AFTER}`, flags);

/** A label and what it is about, in one line. */
const inline = (labels: readonly string[]): RegExp =>
  new RegExp(`^(?:${oneOf(labels)}) ?(?::|–|—| - |·|\\?|!) ?\\S`, 'iu');

const NUMBER =
  "\\d{1,15}(?:[.,'’ \\u00a0\\u202f]\\d{1,3}){0,4}(?: ?(?:k|m|bn|mio|mrd|tsd|mil|mln|thousand|million|billion|millionen|tausend)(?![\\p{L}\\p{N}]))?\\+?";
const TIME =
  '(?:\\d{1,2} ?[ap]\\.?m\\.?(?![\\p{L}])|\\d{1,2} ?h ?\\d\\d(?!\\d)|\\d{1,2}(?::\\d\\d){1,2}(?:\\.\\d{1,6})? ?(?:[ap]\\.?m\\.?)?(?: ?(?:UTC|GMT|Z|Uhr|[A-Z]{2,4}T)(?![\\p{L}]))?(?: ?[+-]\\d\\d:?\\d\\d)?)';
const DURATION =
  '(?:\\d{1,5} ?(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|weeks?|d|h|m|s|tage?n?|stunden?|minuten?|sekunden?|jours?|heures?|días?|horas?|giorni|ore|dagen|uur)(?![\\p{L}])[ ,:]{0,3}(?:and |und |et |y )?){1,5}';

/** What people do on a site, and what is measured there. */
const activityWords = (lists: Lists) => ({
  activity: word(lists.activity),
  people: word(lists.people),
  done: word(lists.done),
  activitySign: word(lists.activitySigns),
  window: word(lists.windows, 'giu'),
  opinion: word(lists.opinions),
  promise: word(lists.promises),
  onlyCall: whole(lists.calls),
  level: word(lists.levels),
  ratesSubject: word(lists.ratesSubjects),
  sharedCount: new RegExp(
    `(?<![\\p{L}\\p{N}\\p{Sc}.,/-])${NUMBER} (${oneOf(lists.sharedCounters)})(?! (?!today|this|last|now|in|so)\\p{L})${EDGE_AFTER}|${EDGE_BEFORE}(${oneOf(lists.sharedCounters)})[ :(]{1,3}${NUMBER}(?![\\p{N}\\p{Sc}%])`,
    'giu',
  ),
});

export const noiseWords = lazy(() => {
  const lists = JSON.parse(readFileSync(FILE, 'utf8')) as Lists;
  const month = `(?:${MONTH_NAMES.join('|')})\\.?(?![\\p{L}])`;
  const weekday = `(?:${oneOf(lists.weekdays)}\\.?,? {1,2})?`;
  const date = oneOf([
    '\\d{4}-\\d\\d?-\\d\\d?(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?',
    '\\d{1,2}[./-]\\d{1,2}[./-](?:\\d{4}|\\d\\d)(?!\\d)',
    '\\d{4}[./]\\d{1,2}[./]\\d{1,2}(?!\\d)',
    '\\d{4} ?年 ?\\d{1,2} ?月(?: ?\\d{1,2} ?日)?',
    `${weekday}\\d{1,2}(?:st|nd|rd|th|er|\\.|º)? {0,2}(?:of |de )?${month},?(?: (?:de )?\\d{4})?(?!\\d)`,
    `${weekday}${month} \\d{1,2}(?:st|nd|rd|th)?(?!\\d)(?:,? \\d{4}(?!\\d))?`,
    `${month},? \\d{4}(?!\\d)`,
  ]);
  const dateTime = `(?:(?<!\\d)${date}(?:[, ·|@–-]{0,4}(?:at |um |à |kl\\.? )?${TIME})?|(?<!\\d)${TIME}(?:[, ·|–-]{0,4}(?:on |am |le )?${date})?|${EDGE_BEFORE}${oneOf(lists.weekdays)}(?:,? (?:at |um |à )?${TIME})?${EDGE_AFTER})`;
  const counter = oneOf(lists.counters);
  const link = '(?:[ :|,·(–-]|on |at |by |am |um |le |el |the )';
  return {
    lists,
    date: new RegExp(date, 'giu'),
    dateTime: new RegExp(dateTime, 'giu'),
    onlyDateTime: new RegExp(`^(?:${oneOf(lists.weekdays)}\\.?,? ?)?${dateTime}[.|]?$`, 'iu'),
    stamped: new RegExp(
      `${EDGE_BEFORE}(${oneOf(lists.stamps)})(?: by [\\p{L} .'-]{1,40}?)?${link}{1,5}(?:(?:today|yesterday|heute|gestern|aujourd'hui|hier|hoy|ayer)[, ]{1,2}(?:at |um |à |a las )?)?${dateTime}(?: by \\p{L}{2,20}(?: \\p{L}{2,20})?(?![\\p{L}]))?`,
      'giu',
    ),
    stampLabel: whole(lists.stamps.map((label) => `${label}(?: on| at| am| le)?:?`)),
    relativeTime: new RegExp(`${EDGE_BEFORE}(?:${lists.relativeTimes.join('|')})(?![\\p{L}\\p{N}])`, 'giu'),
    countBefore: new RegExp(
      `(?<![\\p{L}\\p{N}\\p{Sc}.,/-])${NUMBER} ?(?:${oneOf(lists.counterAdjectives)} ){0,3}(${counter})${EDGE_AFTER}`,
      'giu',
    ),
    audience: new RegExp(
      `(?<![\\p{L}\\p{N}\\p{Sc}.,/-])${NUMBER} ?(?:${oneOf(lists.counterAdjectives)} ){0,3}(${oneOf(lists.audiences)})${EDGE_AFTER}`,
      'giu',
    ),
    audienceAfter: new RegExp(
      `(?:^|[|·,;] ?)(?:(?:our|total|registered|active) )?(${oneOf(lists.audiences)})(?: online)?: ?${NUMBER}(?![\\p{N}\\p{Sc}%])`,
      'giu',
    ),
    audienceSign: word(lists.audienceSigns),
    limit: new RegExp(oneOf(lists.limits.map((limit) => `(?<![\\p{L}])${limit}(?![\\p{L}])`)), 'iu'),
    countAfter: new RegExp(
      `${EDGE_BEFORE}(${counter})(?: (?:number|no\\.?|nr\\.?|count|today|heute|total))?[ :|(#]{1,4}${NUMBER}(?![\\p{N}\\p{Sc}%])`,
      'giu',
    ),
    countdown: new RegExp(
      `countdown[: ]{1,3}${DURATION}|(${oneOf(['ends?', 'ending', 'expires?', 'closes?', 'closing', 'starts?', 'begins?', 'refresh', 'refreshes', 'update', 'next \\p{L}{3,20}', 'resets?', 'opens?', 'departs?', 'arrives?', 'updates?', 'endet', 'läuft', 'expire', 'caduca', 'beginnt', 'öffnet', 'se termine', 'termina', 'comienza'])}(?: again)? (?:in|dans|en) )(?:${DURATION}|\\d{1,3}(?::\\d\\d){1,3})|${DURATION} ?(?:left|remaining|to go|until|till|verbleibend|verbleiben|restantes?|übrig)${EDGE_AFTER}|(?:order|buy|book|bestellen? (?:sie )?|commandez|pide) (?:now )?(?:within|in the next|innerhalb(?: von)?|in den nächsten|dans les|en las próximas) (?:the next )?\\d{1,2} ?(?:h|hrs?|hours?|m|mins?|minutes?|std\\.?|stunden?|minuten?|heures?|horas?|minutos)(?![\\p{L}])(?:[ ,]{0,2}(?:and |und |et |y )?\\d{1,2} ?(?:m|mins?|minutes?|minuten?|s|secs?|seconds?))?|^${DURATION}to (?:the |our )|^in ${DURATION}(?=:)|^(?:il reste|plus que|quedan|faltan) ${DURATION}|(?:^|nur |only )noch ${DURATION}|\\d{1,3}(?: ?: ?\\d\\d){2,3} ?(?:left|remaining)|^\\d{1,3}(?: ?: ?\\d\\d){2,3}$`,
      'giu',
    ),
    identifier: new RegExp(
      `${EDGE_BEFORE}(${oneOf(lists.identifiers)})(?: is)?[ :#=|]{1,4}(?=[^ ]*\\d)[\\w.:+/=-]{2,200}`,
      'giu',
    ),
    checksum: word(lists.checksums.map((label) => `${label}[\\d-]*`)),
    availability: word(lists.availability),
    onlyAdvertisement: whole(lists.advertisements),
    onlyRecommendation: whole(lists.recommendations),
    onlyRotating: whole(lists.rotating),
    advertised: inline(lists.advertisements),
    advertisedLink: new RegExp(`^\\W{0,4}(?:${oneOf(lists.advertisements)})\\W{0,4}!?\\[`, 'iu'),
    recommended: inline(lists.recommendations),
    rotated: inline(lists.rotating),
    ...activityWords(lists),
    advertisedAtEnd: new RegExp(`\\((?:${oneOf(lists.advertisements)})\\)$`, 'iu'),
    onlyActivity: whole(lists.activities),
    capacity: word(lists.capacities),
    todayIs: new RegExp(`^(${oneOf(lists.today)})[ ,:]{1,3}(?:le |el )?${date}`, 'iu'),
    mixedIdentifier: new RegExp(
      `${EDGE_BEFORE}(${oneOf(lists.mixedIdentifiers)})[ :#=]{1,3}(?=[\\w-]{0,40}\\d)(?=[\\w-]{0,40}[a-z])[\\w-]{6,80}(?![\\w.])`,
      'giu',
    ),
    monthStart: new RegExp(`^\\.? {0,2}(?:of |de )?${month}`, 'iu'),
    weekdayStart: new RegExp(`^${oneOf(lists.weekdays)}\\.?,? `, 'iu'),
    statistic: whole(lists.statistics.map((name) => `${name}(?: ?\\(.{1,20}\\))?`)),
    weather: word(lists.weather),
    market: word(lists.markets),
    reading: word(lists.readings),
    onlyControl: whole(lists.controls),
    prompt: word(lists.prompts),
    ignoring: new Set(lists.ignoring),
  };
});

export type NoiseWords = ReturnType<typeof noiseWords>;
