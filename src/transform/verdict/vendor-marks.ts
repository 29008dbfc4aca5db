// What gives such pages away, read from data/: the marks of vendors and the phrases of many languages.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalise } from './page-phrases.ts';

export interface Vendor {
  name: string;
  /** Found only on the page that stands in the place of the real one. */
  marks: string[];
  /** `name: value` response headers that say the same. */
  headers: string[];
  /** Found on ordinary pages too: they only tell who it is once something else told what it is. */
  hints: string[];
}

export interface Phrases {
  challenge: string[];
  /** Weak: "Access denied" may be anything, until `challengeProof` stands beside it. */
  challengeHint: string[];
  challengeProof: string[];
  login: string[];
  loginWall: string[];
  singleSignOn: string[];
  needsScript: string[];
  notFound: string[];
  /** Names of the error: they mean it only where nothing else is said ("404", but not "404 Media"). */
  notFoundCode: string[];
  parked: string[];
  /** Weak: means something only beside a domain name. */
  forSale: string[];
  parkedHint: string[];
}

export interface Marks {
  challengers: Vendor[];
  captchaWidgets: Vendor[];
  parkers: Vendor[];
  /** Ids of the elements that JavaScript applications fill. */
  emptyRoots: string[];
  /** Parts of the addresses of scripts that add no content. */
  passiveScripts: string[];
  phrases: Phrases;
}

const DATA = join(import.meta.dirname, '../../../data');

type VendorEntry = Pick<Vendor, 'name' | 'marks'> & Partial<Vendor>;
interface MarksFile {
  challenge: VendorEntry[];
  captchaWidgets: VendorEntry[];
  parked: VendorEntry[];
  emptyRoots: string[];
  passiveScripts: string[];
}
/** Kind of phrase -> language -> phrases. The languages are for the reader of the file; all are tried on every page. */
type PhrasesFile = Record<keyof Phrases, Record<string, string[]>>;

export function loadMarks(): Marks {
  const marks = readJson('verdict-marks.json') as MarksFile;
  const phrases = readJson('verdict-phrases.json') as PhrasesFile;
  return {
    challengers: marks.challenge.map(toVendor),
    captchaWidgets: marks.captchaWidgets.map(toVendor),
    parkers: marks.parked.map(toVendor),
    emptyRoots: marks.emptyRoots,
    passiveScripts: marks.passiveScripts,
    phrases: Object.fromEntries(
      Object.entries(phrases).map(([kind, byLanguage]) => [kind, Object.values(byLanguage).flat().map(normalise)]),
    ) as unknown as Phrases,
  };
}

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(DATA, name), 'utf8'));

const toVendor = (entry: VendorEntry): Vendor => ({ headers: [], hints: [], ...entry });

export function findMarked(vendors: readonly Vendor[], marks: string): Vendor | undefined {
  return vendors.find((vendor) => vendor.marks.some((mark) => marks.includes(mark)));
}

/** Who is behind a page that is already known for what it is? */
export function findHinted(vendors: readonly Vendor[], ...places: string[]): Vendor | undefined {
  return vendors.find((vendor) =>
    [...vendor.marks, ...vendor.hints].some((hint) => places.some((place) => place.includes(hint))),
  );
}
