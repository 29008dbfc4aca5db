// Replaces what changes by itself in a text by a mark for its kind: ages, time stamps, counters, identifiers. Two texts that
// are equal afterwards say the same.
import { readPrices } from '../../../text/prices/prices.ts';
import { stableAddress } from './lines/link-addresses.ts';
import { MARK } from './mark.ts';
import { type NoiseWords, noiseWords } from './noise-words.ts';
import { type Goal, wants } from './read-goal.ts';

export interface TextContext {
  /** The line before, which may be the label of this one. */
  label: string;
  /** The line after, which may be its label, too. */
  next?: string;
  /** It is a link, or an item of a list. */
  isLinked?: boolean;
  goal: Goal;
}

/** Longer lines are prose or data: the rest of them is compared as it stands. */
const MAX_MASKED = 4_000;
/** How much around a number may say that it is a limit of a plan, not a count. */
const LIMIT_CONTEXT = 24;

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** Letters and digits in turn, as no word and no number has them. */
const RANDOM_TOKEN =
  /(?<![\w/.@-])(?=[\w-]{0,80}\d)(?=[\w-]{0,80}[a-z])(?![\w-]{0,80}-[a-z]{4,20}-)[A-Za-z0-9_-]{20,200}(?![\w-])/g;
const COPYRIGHT = /((?:©|\(c\)|copyright)[^\n]{0,80}?)(?<!\d)(?:\d{4} ?[-–—] ?)?(?:19|20)\d\d(?!\d)/giu;
const RIGHTS =
  /(?:\d{4} ?[-–—] ?)?(?:19|20)\d\d([^\n]{0,60}(?:all rights reserved|alle rechte vorbehalten|tous droits réservés))/giu;
const TIMING =
  /((?:rendered|generated|loaded|served|executed|took|query time|response time|load time|processed|results)[^\n\d]{0,30})\d{1,6}(?:[.,]\d{1,6})? ?(?:ms|s|secs?|seconds?|milliseconds?)(?![\p{L}])/giu;
const PAGE_OF =
  /^\d{1,3} ?\/ ?\d{1,3}$|(?<![\p{L}])(page|slide|photo|image|picture|bild|seite|página|pagina|results?|showing|displaying|items?|products?|entries) (?:results? )?\d[\d.,]{0,10}(?: ?(?:[-–]|to|bis) ?\d[\d.,]{0,10})? (?:of|von|de|sur|di|out of) \d[\d.,]{0,12}|^\d{1,6} ?[-–] ?\d{1,6} (?:of|von|de|sur|di|out of) \d[\d.,]{0,12}/giu;
const READING_TIME =
  /\d{1,3} ?[- ]?(?:min(?:ute)?s?\.?) ?(?:read|reading time|lesezeit|de lecture|de lectura)|(?:reading time|lesezeit)[: ]{1,3}\d{1,3} ?(?:min(?:ute)?[ns]?\.?)/giu;
/** Ratings and hotels have ten stars at most. */
const GITHUB_STARS = /(?<![\p{N}.,])(?:\d{2,3}|\d{1,3}(?:[.,]\d{3})+|\d{1,4}(?:[.,]\d)? ?k) stars?(?![\p{L}])/giu;
/** The share of an answer, beside the number of votes. */
const POLL = /\d{1,3}(?:[.,]\d{1,2})? ?%([^\n]{0,20}(?:votes?|stimmen|voix|votos))/giu;
/** What a campaign has collected so far. */
const RAISED =
  /(?:raised|collected|pledged|donated|gespendet|gesammelt)(?: so far)?[: ]{1,3}\p{Sc} ?\d[\d.,]{0,14}|#\d{1,6}(?= in \p{L})|\p{Sc} ?\d[\d.,]{0,14}(?: ?[km])? (?:raised|pledged|collected|donated|gespendet|gesammelt|collectés|recaudados)|\d{1,4} ?% (?:funded|raised|finanziert)/giu;
/** "Viewed 1,204 times". */
const TIMES =
  /((?:viewed|accessed|visited|downloaded|shared|played|watched|opened|borrowed|saved|sold|read|ordered|booked|aufgerufen|angesehen|gelesen|vue?s?|lue?s?|consultée?s?|visitad[oa]s?|vist[oa]s?|leíd[oa]s?) (?:over )?)\d[\d., ]{0,14}(?: ?(?:times|mal|fois|veces))/giu;
/** "1.204-mal gelesen". */
const MAL =
  /(?<![\d.,])\d[\d.,]{0,14}[- ]?mal (?=(?:aufgerufen|gelesen|angesehen|gebucht|verkauft|geteilt|heruntergeladen))/giu;
/** "4.4 (20,311)": an average, and of how many. */
const RATED_BY = /(?<=(?<![\d.,])[0-5][.,]\d ?)\(\d[\d.,]{0,12}\)/g;
const ADDRESS = /https?:\/\/[^\s<>"]{1,500}/g;
/** The host that made the page: `fra-7`. */
const SERVER =
  /((?:server|node|host|served by|backend|pod|duration {1,3}by)[ :]{1,3})[a-z][a-z-]{0,12}-?\d{1,4}(?![\w.])/gi;
const BUILT = /^buil[dt]|(?:built|generated|rendered|deployed|compiled) from/i;
const HEX =
  /(?<![\w/.-])(?=[0-9a-f-]{0,40}\d)(?=[0-9a-f-]{0,40}[a-f])[0-9a-f]{4,40}(?:-[0-9a-f]{2,12}){0,5}(?![\w.-])/g;
/** How many things are behind a link: `Gloves (23)`. A year says more. */
const FACET = /(?<=\p{L} ?)\((?!(?:19|20)\d\d\))\d{1,3}(?:[.,]?\d{3})*\)$/u;
const GREETING =
  /^(?:good (?:morning|afternoon|evening|night|day)|guten (?:morgen|tag|abend)|bonjour|bonsoir|buenos días|buenas (?:tardes|noches)|buongiorno|buonasera|goede(?:morgen|middag|navond))(?![\p{L}])/iu;
const BYLINE = /^(?:by|von|par|por|di|door) \p{L}/iu;
const SHORT_AGE = /(^|[·|•] ?)\d{1,3} ?(?:s|m|h|d|w|mo|y)(?=$| ?[·|•])/gu;
const ONLY_NUMBER = /^[+~]?\d[\d.,' ]{0,14}(?: ?[kKmM])?\+?$/;
/** A time between the dots of a line about who wrote it. */
const BYLINE_TIME = /(?<=[·|•] ?)\d{1,2}:\d\d(?: ?[ap]m)?(?= ?(?:[·|•]|$))/giu;
const REACTION = /([♥❤👍👎💬👁🔁⭐🔥👏💙😍]\ufe0f? ?)\d[\d.,]{0,12} ?[km]?/giu;
const YEAR = /^(?:19|20)\d\d$/;

export function maskVolatile(text: string, { label, next = '', isLinked = false, goal }: TextContext): string {
  const words = noiseWords();
  const isStatic = [words.relativeTime, words.stamped].every((pattern) => text.search(pattern) === -1);
  if (isStatic && !/[\d©]/.test(text) && !GREETING.test(text)) return text;
  if (ONLY_NUMBER.test(text) && [label, next].some((one) => words.statistic.test(one) && !wants(goal, one))) {
    return mark('count');
  }
  const head = text.slice(0, MAX_MASKED).replace(ADDRESS, (address) => stableAddress(address, false));
  const timeless = wants(goal, 'date', 'time', 'timestamp') ? head : maskTimes(head, label, words);
  return (
    maskIdentifiers(
      maskCounts(isLinked ? timeless.replace(FACET, mark('count')) : timeless, goal, words),
      words,
    ).replace(GREETING, mark('greeting')) + text.slice(MAX_MASKED)
  );
}

const mark = (kind: string): string => ` ${MARK}${kind} `;

function maskTimes(text: string, label: string, words: NoiseWords): string {
  const masked = text
    .replace(COPYRIGHT, `$1${mark('year')}`)
    .replace(RIGHTS, `${mark('year')}$1`)
    .replace(words.countdown, mark('countdown'))
    // Labels first: "today is" is one of them.
    .replace(words.todayIs, `$1${mark('time')}`)
    .replace(words.stamped, `$1${mark('time')}`)
    .replace(words.relativeTime, mark('time'))
    .replace(BYLINE_TIME, mark('time'))
    .replace(SHORT_AGE, `$1${mark('time')}`)
    .replace(TIMING, `$1${mark('duration')}`)
    .replace(READING_TIME, mark('readingtime'));
  const isStamp = words.stampLabel.test(label.trim()) || (BYLINE.test(text) && text.length < 200);
  return isStamp ? masked.replace(words.dateTime, mark('time')) : masked;
}

function maskCounts(text: string, goal: Goal, words: NoiseWords): string {
  const count = (match: string, noun: string, at: number): string =>
    isLimit(text, at, match, words) ||
    // "Next review: 2 May".
    words.monthStart.test(text.slice(at + match.length, at + match.length + 20)) ||
    isYear(match, noun) ||
    readPrices(text.slice(at, at + match.length + 5)).length > 0 ||
    wants(goal, noun)
      ? match
      : `${mark('count')}${noun.slice(0, 4)}`;
  const counted = text
    .replace(PAGE_OF, mark('pages'))
    .replace(REACTION, `$1${mark('count')}`)
    .replace(POLL, `${mark('share')}$1`)
    .replace(GITHUB_STARS, mark('count'))
    .replace(RAISED, mark('count'))
    .replace(TIMES, `$1${mark('count')}`)
    .replace(MAL, mark('count'))
    .replace(RATED_BY, mark('count'))
    .replace(words.countAfter, count)
    .replace(words.audienceAfter, (match, noun: string, at: number) =>
      isAudience(text, match, words) ? count(match, noun, at) : match,
    )
    .replace(words.countBefore, count)
    .replace(words.audience, (match, noun: string, at: number) =>
      words.audienceSign.test(around(text, at, match)) ? count(match, noun, at) : match,
    );
  // A processor has threads, too: beside other counters, and in thousands, they are those of people.
  const hasCount = counted.includes(`${MARK}count`);
  return counted.replace(
    words.sharedCount,
    (match, before: string | undefined, after: string | undefined, at: number) =>
      hasCount || /\d{4}|\d[.,]\d{3}/.test(match) ? count(match, (before ?? after)!, at) : match,
  );
}

/** "Guests: 120" may be those of a wedding. */
const isAudience = (text: string, match: string, words: NoiseWords): boolean =>
  /\d{4}|\d[.,]\d{3}|total|registered|active|online/i.test(match) || [...text.matchAll(words.audienceAfter)].length > 1;

/** "Results 2026" is not a count; "2026 views" is. */
const isYear = (match: string, noun: string): boolean =>
  match.split(/[^\p{L}\p{N}.,]+/u).some((part) => YEAR.test(part)) &&
  !/^(?:page )?(?:view|visit|like|download)/i.test(noun);

const around = (text: string, at: number, match: string): string =>
  text.slice(Math.max(0, at - LIMIT_CONTEXT), at + match.length + LIMIT_CONTEXT);

/** "Up to 10,000 page views per month" is what a plan offers. */
const isLimit = (text: string, at: number, match: string, { limit }: NoiseWords): boolean =>
  limit.test(around(text, at, match));

/** A checksum or a commit names one file or version, so a change of it matters. */
function maskIdentifiers(text: string, words: NoiseWords): string {
  if (words.checksum.test(text) && !BUILT.test(text)) return text;
  return text
    .replace(words.mixedIdentifier, `$1${mark('id')}`)
    .replace(words.identifier, `$1${mark('id')}`)
    .replace(SERVER, `$1${mark('id')}`)
    .replace(UUID, mark('id'))
    .replace(HEX, (token) => (token.length >= 10 ? mark('id') : token))
    .replace(RANDOM_TOKEN, mark('id'));
}
