// Which countries a text is likely to be about: given, by the domain of its page, and by its language.
import { isCountry } from '../text/countries.ts';

const BY_LANGUAGE: Readonly<Record<string, readonly string[]>> = {
  en: ['US', 'GB', 'CA', 'AU', 'IE', 'IN', 'NZ', 'ZA'],
  de: ['DE', 'AT', 'CH'],
  fr: ['FR', 'BE', 'CH', 'CA', 'LU'],
  es: ['ES', 'MX', 'AR', 'CO', 'CL', 'PE'],
  it: ['IT', 'CH'],
  nl: ['NL', 'BE'],
  pt: ['BR', 'PT'],
  sv: ['SE'],
  da: ['DK'],
  nb: ['NO'],
  no: ['NO'],
  fi: ['FI', 'SE'],
  pl: ['PL'],
  cs: ['CZ'],
  sk: ['SK'],
  hu: ['HU'],
  ro: ['RO'],
  el: ['GR'],
  tr: ['TR'],
  ru: ['RU'],
  uk: ['UA'],
  ja: ['JP'],
  ko: ['KR'],
  zh: ['CN', 'TW', 'HK'],
  hi: ['IN'],
};

/** Country domains that are mostly used for other things. */
const GENERIC_DOMAINS = new Set(['io', 'co', 'ai', 'me', 'tv', 'cc', 'ly', 'to', 'fm', 'gg', 'sh', 'so', 'ws', 'la']);

/** The most likely country first. */
export function expectedCountries(language: string, country: string | undefined): readonly string[] {
  const byLanguage = BY_LANGUAGE[language.slice(0, 2)] ?? [];
  return country === undefined ? byLanguage : [country, ...byLanguage.filter((code) => code !== country)];
}

/** The country of a page: that of its domain, otherwise that of the requested location. */
export function countryOf(url: string | undefined, location: string | undefined): string | undefined {
  const host = url && URL.canParse(url) ? new URL(url).hostname : '';
  const label = host.slice(host.lastIndexOf('.') + 1).toLowerCase();
  const code = label === 'uk' ? 'GB' : label.toUpperCase();
  if (label.length === 2 && !GENERIC_DOMAINS.has(label) && isCountry(code)) return code;
  return location !== undefined && isCountry(location.toUpperCase()) ? location.toUpperCase() : undefined;
}
