// The data that verdicts are based on, read from data/: marks that vendors leave in pages, and phrases in many
// languages.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalise } from './page-phrases.ts';

export interface Vendor {
  name: string;
  /** Found only on pages that replace the real one. */
  marks: string[];
  /** `name: value` of response headers that only such pages have. */
  headers: string[];
  /** Also found on ordinary pages: they name the vendor once the verdict is clear. */
  hints: string[];
}

export interface Phrases {
  challenge: string[];
  /** Weak: "Access denied" means a challenge only together with a `challengeProof`. */
  challengeHint: string[];
  challengeProof: string[];
  login: string[];
  loginWall: string[];
  singleSignOn: string[];
  needsScript: string[];
  notFound: string[];
  /** Error codes: they count only if nothing else is said ("404", but not "404 Media"). */
  notFoundCode: string[];
  parked: string[];
  /** Weak: counts only next to a domain name. */
  forSale: string[];
  parkedHint: string[];
}

export interface Marks {
  challengers: Vendor[];
  captchaWidgets: Vendor[];
  parkers: Vendor[];
  /** Ids or names of the elements that JavaScript applications fill. */
  emptyRoots: string[];
  /** Parts of URLs of scripts that add no content. */
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
/** Kind -> language -> phrases. Languages only structure the file: every page is checked for all of them. */
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

/** Names the vendor of a page whose verdict is clear. */
export function findHinted(vendors: readonly Vendor[], ...texts: string[]): Vendor | undefined {
  return vendors.find((vendor) =>
    [...vendor.marks, ...vendor.hints].some((hint) => texts.some((text) => text.includes(hint))),
  );
}
