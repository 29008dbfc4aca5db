// Country codes and names, from the platform's own tables.

import { lazy } from '../util/lazy.ts';

const A = 65;
const LETTERS = 26;
// Loading the platform's tables takes 6 MB.
const names = lazy(() => new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }));

const codesByName = lazy(readCodes);

/** The two-letter code of a country given by code or English name. */
export function countryNamed(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  const code = ALSO_KNOWN_AS[name] ?? name.toUpperCase();
  if (isCountry(code)) return code;
  return codesByName().get(name);
}

export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && code !== 'ZZ' && names().of(code) !== undefined;

/** The main language of a country: AT gives de. */
export const languageOfCountry = (code: string): string => new Intl.Locale(`und-${code}`).maximize().language;

const ALSO_KNOWN_AS: Partial<Record<string, string>> = {
  uk: 'GB',
  usa: 'US',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  turkey: 'TR',
};

function readCodes(): Map<string, string> {
  const found = new Map<string, string>();
  for (let pair = 0; pair < LETTERS * LETTERS; pair++) {
    const code = String.fromCharCode(A + Math.floor(pair / LETTERS), A + (pair % LETTERS));
    const name = isCountry(code) ? names().of(code) : undefined;
    // Old codes share a name with the current ones, which are the canonical form.
    if (name && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`) found.set(name.toLowerCase(), code);
  }
  return found;
}
