// What is remembered of a site: which texts its last pages have in common. Of a text there is only a hash of 32 bits, so
// nothing of a page can be read from it. Learning makes a new memory; a memory itself never changes.

/**
 * First the slots of pages (SLOT numbers each), then the texts in ascending order (two numbers each): the hash, and in
 * which slots it stands, one bit for each.
 */
export type SiteMemory = Uint32Array;

/** What is remembered of the site of a page. */
export interface PageSite {
  name: string;
  memory: SiteMemory;
  /** A hash of the URL of the page, which is no sibling of itself. */
  url: number;
}

/** A page as it is learnt. */
export interface LearntPage {
  /** A hash of its URL. */
  url: number;
  /** The hashes of its texts, in ascending order and without repetitions. */
  texts: Uint32Array;
  at: number;
}

/** `www.` or not, it is one site; its subdomains are sites of their own. */
export const siteOfHost = (host: string): string => host.replace(/^www\./, '');

/** The hashes of the texts of a page, as it is learnt by. */
export function textsOf(words: ArrayLike<number>, hashes: ArrayLike<number>): Uint32Array {
  const texts = new Set<number>();
  for (let index = 0; index < hashes.length && texts.size < MAX_TEXTS; index++)
    if (words[index]! > 0) texts.add(hashes[index]! >>> 0);
  return Uint32Array.from(texts).sort();
}

/** A slot for each bit of a number. */
const SLOTS = 32;
// The numbers of a slot: the page, all of its texts, and when it was read, in minutes. A free one has zeros.
const SLOT = 3;
const [URL_AT, TEXTS_AT, MINUTE_AT] = [0, 1, 2];
const HEAD = SLOTS * SLOT;
/** Longer pages are learnt by their first texts. */
const MAX_TEXTS = 400;
const MAX_ENTRIES = 3_000;
const MINUTE_MS = 60_000;
/** Sites are rebuilt: what is older says little. */
const MAX_AGE_MINUTES = 30 * 24 * 60;
/** So many pages of one template are enough: the next one takes the place of one of them. */
const MAX_ALIKE = 16;
/** Pages of one template have at least this share of their texts in common. */
const ALIKE = 0.3;

const EMPTY: SiteMemory = new Uint32Array(HEAD);

/** The same memory, if it knows the page as it is. */
export function learnPage(known: SiteMemory | undefined, { url, texts, at }: LearntPage): SiteMemory {
  const memory = known ?? EMPTY;
  const whole = hashOfTexts(texts);
  const own = slotOf(memory, url);
  if (own !== undefined && memory[own * SLOT + TEXTS_AT] === whole) return memory;
  const minute = Math.floor(at / MINUTE_MS);
  const slot = own ?? freeSlot(memory, texts);
  let cleared = bitOf(slot);
  for (const old of slotsIn(memory))
    if (minute - memory[old * SLOT + MINUTE_AT]! > MAX_AGE_MINUTES) cleared |= bitOf(old);
  const learnt = withTexts(memory, texts, slot, cleared >>> 0);
  learnt.set([url, whole, minute], slot * SLOT);
  return shortened(learnt, slot);
}

/** For how many pages of other URLs it stands. */
export function countPages(memory: SiteMemory | undefined, url: number): number {
  return memory ? slotsIn(memory).filter((slot) => memory[slot * SLOT + URL_AT] !== url).length : 0;
}

/** The slots of other pages. */
export const otherSlots = (memory: SiteMemory, url: number): number[] =>
  slotsIn(memory).filter((slot) => memory[slot * SLOT + URL_AT] !== url);

/** In which slots a text stands, one bit for each. */
export function slotsWith(memory: SiteMemory, text: number): number {
  let low = 0;
  let high = entriesIn(memory);
  while (low < high) {
    const middle = (low + high) >> 1;
    const hash = memory[HEAD + 2 * middle]!;
    if (hash === text) return memory[HEAD + 2 * middle + 1]!;
    if (hash < text) low = middle + 1;
    else high = middle;
  }
  return 0;
}

export function hashOfTexts(texts: Uint32Array): number {
  let hash = 0x811c9dc5;
  for (const text of texts) hash = Math.imul(hash ^ text, 0x01000193);
  return hash >>> 0;
}

/** Bytes that are no memory, for example of another version, count as none. */
export function readSiteMemory(bytes: Uint8Array): SiteMemory | undefined {
  if (bytes.byteLength < HEAD * 4 || bytes.byteLength % 8 !== 0) return undefined;
  // A copy of these bytes alone: a Buffer, as PostgreSQL gives it, is a part of a larger one.
  return new Uint32Array(Uint8Array.from(bytes).buffer);
}

const bitOf = (slot: number): number => (1 << slot) >>> 0;
const entriesIn = (memory: SiteMemory): number => (memory.length - HEAD) / 2;

function slotsIn(memory: SiteMemory): number[] {
  const slots: number[] = [];
  for (let slot = 0; slot < SLOTS; slot++) if (memory[slot * SLOT + MINUTE_AT]! > 0) slots.push(slot);
  return slots;
}

const slotOf = (memory: SiteMemory, url: number): number | undefined =>
  slotsIn(memory).find((slot) => memory[slot * SLOT + URL_AT] === url);

/** An empty slot; else that of the oldest page, where possible among those that many pages are like. */
function freeSlot(memory: SiteMemory, texts: Uint32Array): number {
  const taken = slotsIn(memory);
  if (taken.length < SLOTS)
    return Array.from({ length: SLOTS }, (_, slot) => slot).find((slot) => !taken.includes(slot))!;
  const shared = new Uint32Array(SLOTS);
  for (const text of texts)
    for (let slots = slotsWith(memory, text); slots !== 0; slots &= slots - 1) shared[lowest(slots)]! += 1;
  const alike = taken.filter((slot) => shared[slot]! >= ALIKE * texts.length);
  const candidates = alike.length >= MAX_ALIKE ? alike : taken;
  return candidates.reduce((oldest, slot) =>
    memory[slot * SLOT + MINUTE_AT]! < memory[oldest * SLOT + MINUTE_AT]! ? slot : oldest,
  );
}

/** The number of the lowest bit that is set. */
export const lowest = (bits: number): number => 31 - Math.clz32(bits & -bits);

/** A copy with these texts in the slot, and without what else stood in the cleared slots. */
function withTexts(memory: SiteMemory, texts: Uint32Array, slot: number, cleared: number): SiteMemory {
  const result = new Uint32Array(memory.length + 2 * texts.length);
  for (let at = 0; at < SLOTS; at++)
    if ((cleared & bitOf(at)) === 0) result.set(memory.subarray(at * SLOT, (at + 1) * SLOT), at * SLOT);
  let end = HEAD;
  const put = (hash: number, slots: number) => {
    if (slots === 0) return;
    result[end] = hash;
    result[end + 1] = slots;
    end += 2;
  };
  let next = 0;
  for (let at = HEAD; at < memory.length; at += 2) {
    const hash = memory[at]!;
    while (next < texts.length && texts[next]! < hash) put(texts[next++]!, bitOf(slot));
    const isAgain = texts[next] === hash;
    if (isAgain) next += 1;
    put(hash, ((memory[at + 1]! & ~cleared) | (isAgain ? bitOf(slot) : 0)) >>> 0);
  }
  while (next < texts.length) put(texts[next++]!, bitOf(slot));
  return result.slice(0, end);
}

/** Without its oldest pages, as long as it is too long. */
function shortened(memory: SiteMemory, newest: number): SiteMemory {
  let result = memory;
  while (entriesIn(result) > MAX_ENTRIES) {
    const others = slotsIn(result).filter((slot) => slot !== newest);
    if (others.length === 0) return result;
    const oldest = others.reduce((a, b) => (result[b * SLOT + MINUTE_AT]! < result[a * SLOT + MINUTE_AT]! ? b : a));
    result = withTexts(result, new Uint32Array(), oldest, bitOf(oldest));
  }
  return result;
}
