// How pages write what schemas want as a code: EUR as € or "euros", DE as Germany, in English and in the language of the page.
import { currencyOf } from '../../text/prices/prices.ts';

/** Empty if the text is neither the code nor the sign of a currency. */
export function currencySigns(text: string, language: string): string[] {
  const code = /^[A-Z]{3}$/.test(text) ? text : currencyOf(text);
  if (code === undefined) return [];
  const written = ['symbol', 'narrowSymbol', 'name'] as const;
  const signs = [language, 'en'].flatMap((locale) =>
    written.flatMap((currencyDisplay) =>
      // One and many have different names.
      [1, 2].flatMap((amount) => signOf(amount, locale, { style: 'currency', currency: code, currencyDisplay })),
    ),
  );
  return [...new Set([code, ...signs])];
}

function signOf(amount: number, language: string, options: Intl.NumberFormatOptions): string[] {
  const parts = inLanguage(language, (locale) => new Intl.NumberFormat(locale, options).formatToParts(amount));
  return parts.filter(({ type }) => type === 'currency').map(({ value }) => value);
}

/** The names of the country or the language that a code stands for. */
export function codeNames(text: string, language: string): string[] {
  const type = /^[A-Z]{2}$/.test(text) ? 'region' : /^[a-z]{2}$/.test(text) ? 'language' : undefined;
  if (type === undefined) return [];
  return [language, 'en'].flatMap(
    (each) => inLanguage(each, (locale) => new Intl.DisplayNames(locale, { type, fallback: 'none' }).of(text)) ?? [],
  );
}

/** In English if the page does not call its language by a tag. */
export function inLanguage<T>(language: string | undefined, make: (locale: string) => T): T {
  try {
    return make(language || 'en');
  } catch {
    return make('en');
  }
}
