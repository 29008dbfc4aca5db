// Numbers for the known tags, and their properties for the parser and the formats.

import { assert } from '../../util/assert.ts';

const NAMES = [
  ...['', 'html', 'head', 'body', 'title', 'base', 'link', 'meta', 'style', 'script', 'noscript', 'template'],
  ...['article', 'aside', 'nav', 'header', 'footer', 'main', 'section', 'search', 'hgroup', 'address', 'div', 'center'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'pre', 'listing', 'xmp', 'plaintext', 'blockquote', 'hr', 'br', 'wbr'],
  ...['ul', 'ol', 'menu', 'dir', 'li', 'dl', 'dt', 'dd', 'figure', 'figcaption', 'details', 'summary', 'dialog'],
  ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th'],
  ...['form', 'fieldset', 'legend', 'label', 'input', 'button', 'select', 'option', 'optgroup', 'textarea', 'datalist'],
  ...['output', 'progress', 'meter', 'keygen'],
  ...['a', 'b', 'strong', 'i', 'em', 'u', 's', 'strike', 'del', 'ins', 'mark', 'small', 'big', 'font', 'tt', 'nobr'],
  ...['code', 'kbd', 'samp', 'var', 'sub', 'sup', 'q', 'cite', 'dfn', 'abbr', 'time', 'span', 'bdi', 'bdo', 'data'],
  ...['ruby', 'rt', 'rp', 'rb', 'rtc'],
  ...[
    'img',
    'picture',
    'source',
    'video',
    'audio',
    'track',
    'iframe',
    'embed',
    'object',
    'param',
    'canvas',
    'map',
    'area',
  ],
  ...['svg', 'math', 'foreignobject', 'desc', 'mtext', 'mi', 'mo', 'mn', 'ms', 'annotation', 'annotation-xml'],
  ...['frameset', 'frame', 'noframes', 'noembed', 'applet', 'marquee', 'basefont', 'bgsound', 'slot'],
  ...['mjx-container', 'math-renderer'],
] as const;

export type KnownTag = Exclude<(typeof NAMES)[number], ''>;

/** Tag number by name. Numbers from KNOWN_TAGS on are assigned per page. */
export const TAG = Object.fromEntries(NAMES.map((name, id) => [name, id])) as Record<KnownTag, number>;
/** The same as a map, ordered by number. */
export const TAG_NUMBERS: ReadonlyMap<string, number> = new Map(NAMES.map((name, id) => [name, id]));
export const KNOWN_TAGS: number = NAMES.length;

/** A membership test for tag numbers. Unknown tags are never members. */
export type TagSet = (tag: number) => boolean;

export function tagSet(names: string): TagSet {
  const flags = new Uint8Array(KNOWN_TAGS);
  for (const name of names.split(' ')) {
    const id = TAG[name as KnownTag];
    assert(id !== undefined, `tags.ts does not list the tag ${name}.`);
    flags[id] = 1;
  }
  return (tag) => flags[tag] === 1;
}

const HEADINGS = 'h1 h2 h3 h4 h5 h6';

/** Elements that start a new line when a browser lays the page out. */
export const isBlock = tagSet(
  `html body article aside nav header footer main section search hgroup address div center ${HEADINGS} p pre listing xmp ` +
    'plaintext blockquote hr ul ol menu dir li dl dt dd figure figcaption details summary dialog table caption colgroup col ' +
    'thead tbody tfoot tr td th form fieldset legend optgroup option frameset',
);

export const isHeading = tagSet(HEADINGS);

/** Elements without an end tag. */
export const isVoid = tagSet(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
);

/** Elements whose text is not for readers. */
export const isInvisible = tagSet(
  'head title base link meta style script template iframe noembed noframes object applet datalist canvas param source track',
);

/** Start tags that end an open paragraph. */
export const closesParagraph = tagSet(
  `address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form header ` +
    `hgroup hr ${HEADINGS} li listing main menu nav ol p plaintext pre search section summary table ul xmp`,
);

/** The specification's "special" elements: an implied end never reaches across them. */
export const isSpecial = tagSet(
  'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details ' +
    `dir div dl dt embed fieldset figcaption figure footer form frame frameset ${HEADINGS} head header hgroup hr html iframe ` +
    'img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre ' +
    'script search section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp',
);

/** The specification's scope boundaries: an end tag inside one does not close what is outside. */
export const isScope = tagSet('html table caption td th applet marquee object template');

export const isFormatting = tagSet('a b big code em font i nobr s small strike strong tt u');

/** Elements allowed in the head. */
export const belongsInHead = tagSet('base basefont bgsound link meta noframes noscript script style template title');

export const isTablePart = tagSet('table thead tbody tfoot tr');

/** Start tags that end an unclosed svg or math element. */
export const endsForeignContent = tagSet(
  `b big blockquote body br center code dd div dl dt em embed ${HEADINGS} head hr i img li listing menu meta nobr ol p pre ` +
    'ruby s small span strong strike sub sup table tt u ul var',
);

/** Elements in svg and math that contain ordinary HTML. */
export const isHtmlIntegration = tagSet('foreignobject desc title mtext mi mo mn ms annotation-xml');

/** Elements whose content is always text. */
export const isRawText = tagSet('script style title textarea xmp iframe noembed noframes plaintext');
