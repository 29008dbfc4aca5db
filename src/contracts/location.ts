// Where a request pretends to come from: the country picks the proxy, the languages go into Accept-Language.
import { z } from 'zod';
import { countryNamed, isCountry, languageOfCountry } from '../util/countries.ts';

export const country = z
  .string()
  // UK is what many write for GB.
  .transform((code) => (code.length === 2 && countryNamed(code)) || code.toUpperCase())
  .refine(isCountry, { error: 'Write the country as a two-letter ISO 3166-1 code, for example "DE".' });

const language = z
  .string()
  .regex(/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$|^\*$/, 'Write a language as a tag, for example "de-AT".');

export const location = z
  .object({ country: country.default('US'), languages: z.array(language).max(20).optional() })
  .transform((given) => ({ ...given, languages: given.languages ?? [languageOf(given.country)] }));

export type Location = z.output<typeof location>;

const languages = new Map<string, string>();

/** The main language of a country, from the platform's own tables: AT gives de-AT. */
function languageOf(code: string): string {
  const known = languages.get(code) ?? `${languageOfCountry(code)}-${code}`;
  languages.set(code, known);
  return known;
}
