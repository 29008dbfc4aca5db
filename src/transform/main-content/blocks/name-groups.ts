// What class and id say about an element. Sites use similar names, mostly English ones, whatever language they write
// in.

const GROUPS = {
  nav: 'nav navbar navigation navigator menu menubar submenu megamenu breadcrumb breadcrumbs crumbs crumb toolbar tabs tablist pagination pager paging skip skiplink sitemap toc dropdown',
  foot: 'footer foot colophon copyright legal bottom footnav footernav sitefooter disclaimer',
  comment: 'comment comments commentlist disqus livefyre discussion reply replies respond responses',
  related:
    'related recommended recommendations recommend suggested suggestions trending popular more also latest recent next prev previous similar outbrain taboola recirc readnext mostread teaser teasers',
  advert:
    'ad ads advert adverts advertisement advertising adsense adslot adbox adunit sponsored sponsor promo promotion banner dfp gpt cta',
  popup:
    'cookie cookies consent gdpr ccpa onetrust cookiebot modal popup popin overlay lightbox dialog toast newsletter subscribe subscription signup signin login register paywall interstitial alert notice',
  byline:
    'author byline authors date time timestamp meta published posted updated tag tags category categories label labels info dateline credit credits',
  product:
    'product price prices cart basket sku description desc specs spec specification specifications details detail buy rating ratings review reviews stock variant variants quantity shipping',
  media: 'caption captions figure photo photos image images slider slideshow carousel swiper video player credit',
  form: 'form search searchform searchbox filter filters sort sorting input field fieldset select button buttons btn',
  // Narrower groups for the rules of the choice.
  caption: 'caption captions',
  signature: 'signature signatures signaturecontainer',
  box: 'ad ads advert adverts advertisement advertising adsense adslot adbox adunit sponsored dfp gpt cookie cookies consent gdpr ccpa onetrust cookiebot newsletter',
} as const;

export type NameGroup = keyof typeof GROUPS;
export const NAME_GROUPS = Object.keys(GROUPS) as NameGroup[];

const GROUPS_OF_WORD = groupsOfWords();

function groupsOfWords(): ReadonlyMap<string, number> {
  const groups = new Map<string, number>();
  for (const [bit, group] of NAME_GROUPS.entries()) {
    for (const word of GROUPS[group].split(' ')) groups.set(word, (groups.get(word) ?? 0) | (1 << bit));
  }
  return groups;
}

const MAX_LENGTH = 300;

/** Memoised, because a page repeats the same attribute values. */
export class NameReader {
  readonly #known = new Map<string, number>();

  /** The groups that a class or id attribute mentions, as bits in the order of NAME_GROUPS. */
  groupsIn(names: string): number {
    let groups = this.#known.get(names);
    if (groups === undefined) {
      groups = readGroups(names);
      this.#known.set(names, groups);
    }
    return groups;
  }
}

function readGroups(names: string): number {
  let groups = 0;
  const words = names
    .slice(0, MAX_LENGTH)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  for (const word of words) groups |= GROUPS_OF_WORD.get(word) ?? 0;
  return groups;
}
