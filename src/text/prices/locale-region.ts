// The region that a page is written for, by its language tag or the top-level domain of its host.

export interface LocaleHints {
  /** As in `<html lang>`. */
  language?: string;
  url?: string;
}

const REGION_OF_LANGUAGE: Readonly<Record<string, string>> = {
  sv: 'SE',
  nb: 'NO',
  nn: 'NO',
  no: 'NO',
  da: 'DK',
  is: 'IS',
  ja: 'JP',
  zh: 'CN',
};
const REGION_OF_DOMAIN: Readonly<Record<string, string>> = { uk: 'GB' };
/** Country domains that sites of all countries use. */
const GENERIC = new Set(['io', 'co', 'tv', 'me', 'ai', 'cc', 'ly', 'fm', 'gg', 'to']);

export function localeRegion({ language, url }: LocaleHints): string | undefined {
  const [base = '', ...subtags] = (language ?? '').slice(0, 40).split(/[-_]/);
  const region = subtags.find((tag) => /^[a-z]{2}$/i.test(tag))?.toUpperCase();
  const domain = URL.canParse(url ?? '') ? new URL(url!).hostname.split('.').at(-1)! : '';
  const byDomain =
    /^[a-z]{2}$/.test(domain) && !GENERIC.has(domain) ? (REGION_OF_DOMAIN[domain] ?? domain.toUpperCase()) : undefined;
  // "en-US" is what templates say by default; a country domain knows better.
  if (region !== undefined && !(region === 'US' && byDomain !== undefined)) return region;
  return byDomain ?? REGION_OF_LANGUAGE[base.toLowerCase()];
}
