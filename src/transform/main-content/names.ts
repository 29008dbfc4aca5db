// What class and id say about an element. Sites name their parts alike, in English mostly, whatever language they write in.

export const CHROME = 1;
export const ADVERT = 2;
export const COMMENTS = 4;

// Words that mean it anywhere in a name.
const WORDS: [flag: number, words: string][] = [
  [
    CHROME,
    'nav navbar navigation navigator menu menubar submenu megamenu breadcrumb breadcrumbs crumbs sidebar footer colophon ' +
      'masthead topbar toolbar pagination pager share sharing sharethis addthis social socials related recommended ' +
      'recommendations recommend suggested suggestions trending popular outbrain taboola tagcloud taglist skiplink ' +
      'visuallyhidden login signin signup searchform searchbox mostread readnext recirc copyright newsletter subscribe paywall ' +
      'side-bar more-from read-next up-next most-read most-popular also-like you-may cross-sell tag-list skip-link sr-only ' +
      'visually-hidden screen-reader sign-in sign-up search-form search-box site-header site-footer header-nav global-header ' +
      'language-switcher lang-switcher back-to author-bio about-author reply-form comment-form mailing-list',
  ],
  [
    ADVERT,
    'advert adverts advertisement advertising adsense adslot adbox adunit sponsored cookie cookies consent gdpr ccpa onetrust ' +
      'cookiebot truste popup interstitial ad-slot ad-unit ad-container banner-ad qc-cmp pop-up',
  ],
  [COMMENTS, 'comments commentlist disqus livefyre comment-list comment-section fb-comments'],
];

// Words that mean it only when they are the whole name.
const WHOLE: [flag: number, names: string][] = [
  [
    CHROME,
    'rail foot follow widget widgets skip register langs respond feedback legal disclaimer toc tags print noprint',
  ],
  [ADVERT, 'ad ads dfp gpt promo promoted sponsor sponsors modal overlay lightbox'],
];

const toMap = (entries: [number, string][]) =>
  new Map(entries.flatMap(([flag, words]) => words.split(' ').map((word): [string, number] => [word, flag])));
const BY_WORD = toMap(WORDS);
const BY_NAME = toMap(WHOLE);

export type NameReader = (names: string) => number;

/** The flags of a class or id attribute; a page repeats the same strings, so each is read once. */
export function createNameReader(): NameReader {
  const known = new Map<string, number>();
  return (names) => {
    let flags = known.get(names);
    if (flags === undefined) {
      flags = read(names);
      known.set(names, flags);
    }
    return flags;
  };
}

function read(names: string): number {
  let flags = 0;
  for (const name of names.slice(0, 500).split(/\s+/)) {
    flags |= BY_NAME.get(name.toLowerCase()) ?? 0;
    const words = name
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .split(/[-_]+/);
    for (const [at, word] of words.entries()) {
      flags |= BY_WORD.get(word) ?? 0;
      flags |= BY_WORD.get(`${word}-${words[at + 1]}`) ?? 0;
    }
  }
  return flags;
}
