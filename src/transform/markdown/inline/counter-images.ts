// Images that show nothing: they count visitors, or fill space until a script loads the real one.

const SPACER_WORDS =
  'spacer|blank|pixel|transparent|transp|trans|clear|shim|invisible|placeholder|empty|dot|loading|lazy';
const SPACER_FILE = new RegExp(
  `/(?:(?:${SPACER_WORDS})(?:[-_]?(?:\\d{1,4}(?:x\\d{1,4})?|img|image|gif|pixel))?|1x1[\\w-]{0,20})\\.(?:gif|png|svg|webp)$`,
  'i',
);
const COUNTER_HOST = new RegExp(
  `^https?://(?:[\\w-]{1,60}\\.){0,6}(?:${[
    'vgwort\\.de',
    '(?:pixel|stats)\\.wp\\.com',
    'scorecardresearch\\.com',
    'doubleclick\\.net',
    'google-analytics\\.com',
    'googleadservices\\.com',
    'bat\\.bing\\.com',
    'ioam\\.de',
    'quantserve\\.com',
    'statcounter\\.com',
    'histats\\.com',
    'gemius\\.pl',
    'mc\\.yandex\\.ru',
    'yadro\\.ru',
    'feedburner\\.com/~r',
    'facebook\\.com/tr',
    'linkedin\\.com/collect',
    't\\.co/i/adsct',
  ].join('|')})(?:[/?:]|$)`,
  'i',
);
const COUNTER_SCRIPT =
  /\/(?:matomo|piwik|pixel|tracking|track|beacon|impression|counter|count|hit|collect)(?:\.(?:php|gif|aspx?|ashx|cgi|pl))?(?:\?|$)/i;

/** For images without a description: one that says something is shown. */
export function isCounterOrSpacer(source: string): boolean {
  const query = source.indexOf('?');
  const path = query === -1 ? source : source.slice(0, query);
  return SPACER_FILE.test(path) || COUNTER_HOST.test(source) || COUNTER_SCRIPT.test(source);
}
