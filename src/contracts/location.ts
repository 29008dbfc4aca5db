// Where a request appears to come from: the country selects the proxy, the languages go into Accept-Language.
import { z } from 'zod';
import { countryNamed, isCountry, languageOfCountry } from '../util/countries.ts';

export const country = z
  .string()
  // Many people write UK for GB.
  .transform((code) => (code.length === 2 && countryNamed(code)) || code.toUpperCase())
  .refine(isCountry, { error: 'Write the country as a two-letter ISO 3166-1 code, for example "DE".' });

const language = z
  .string()
  .regex(/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$|^\*$/, 'Write a language as a tag, for example "de-AT".');

export const location = z
  .object({ country: country.default('US'), languages: z.array(language).max(20).optional() })
  .transform((given) => ({ ...given, languages: given.languages ?? [languageOf(given.country)] }));

export type Location = z.output<typeof location>;

/** The main language of a country, from the platform's own tables: AT gives de-AT. */
const languageOf = (code: string): string => `${languageOfCountry(code)}-${code}`;
