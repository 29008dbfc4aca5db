// Where a request appears to come from: the country selects the proxy, the languages go into Accept-Language.
import { z } from 'zod';
import { countryNamed, isCountry, languageOfCountry } from '../../text/countries.ts';
import { nameText } from '../bounds.ts';
import { optionalText } from '../optional-text.ts';

export const DEFAULT_COUNTRY = 'US';

// Many people write UK for GB.
const codeOf = (text: string): string => (text.length === 2 && countryNamed(text)) || text.toUpperCase();
const NOT_A_COUNTRY = { error: 'Write the country as a two-letter ISO 3166-1 code, for example "DE".' };

export const optionalCountry = optionalText(nameText)
  .transform((text) => text && codeOf(text))
  .refine((code) => code === undefined || isCountry(code), NOT_A_COUNTRY);

const language = nameText.regex(
  /^(?:[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)?$/,
  'Write a language as a tag, for example "de-AT".',
);

/** Empty strings and an empty list count as absent: forms send them. */
export const location = z
  .object({
    country: optionalCountry.meta({ whenAbsent: DEFAULT_COUNTRY }).describe('Two-letter code, for example DE.'),
    languages: z
      .array(language)
      .max(20)
      .default([])
      .describe('Language tags, for example de-AT. Default: that of the country.'),
  })
  .transform(({ country = DEFAULT_COUNTRY, ...given }) => {
    const languages = given.languages.filter((tag) => tag !== '');
    return { country, languages: languages.length > 0 ? languages : [languageOf(country)] };
  })
  .describe('Where the request appears to come from.');

export type Location = z.output<typeof location>;

/** The main language of a country, from the platform's own tables: AT gives de-AT. */
const languageOf = (code: string): string => `${languageOfCountry(code)}-${code}`;
