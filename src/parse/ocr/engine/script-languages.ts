// The languages of each script, by tesseract's names, most common first.

const LANGUAGES: Record<string, readonly string[]> = {
  Arabic: ['ara', 'fas', 'urd', 'uig'],
  Armenian: ['hye'],
  Bengali: ['ben', 'asm'],
  Cyrillic: ['rus', 'ukr', 'bul', 'srp', 'bel', 'mkd', 'kaz'],
  Devanagari: ['hin', 'mar', 'nep', 'san'],
  Ethiopic: ['amh', 'tir'],
  Georgian: ['kat'],
  Greek: ['ell', 'grc'],
  Gujarati: ['guj'],
  Gurmukhi: ['pan'],
  Han: ['chi_sim', 'chi_tra', 'HanS', 'HanT', 'jpn'],
  Hangul: ['kor'],
  Hebrew: ['heb', 'yid'],
  Japanese: ['jpn'],
  Kannada: ['kan'],
  Khmer: ['khm'],
  Korean: ['kor'],
  Lao: ['lao'],
  Malayalam: ['mal'],
  Myanmar: ['mya'],
  Sinhala: ['sin'],
  Tamil: ['tam'],
  Telugu: ['tel'],
  Thai: ['tha'],
  Tibetan: ['bod'],
};
const LATIN = 'Latin';
/** Each additional language costs as much time as the first. */
const MAX_LANGUAGES = 2;
/** Names, numbers and URLs are in Latin letters everywhere. */
const ALWAYS_ADDED = 'eng';

/** The installed languages to read this script with; requested ones take precedence. Undefined if there are none. */
export function languagesFor(
  script: string,
  requested: readonly string[],
  installed: readonly string[],
): string[] | undefined {
  if (script === LATIN) return requested.length > 0 ? [...requested] : undefined;
  const known = [...(LANGUAGES[script] ?? []), script].flatMap((name) => [name, `script/${name}`]);
  const available = known.filter((name) => installed.includes(name));
  const wanted = available.filter((name) => requested.includes(name));
  const chosen = (wanted.length > 0 ? wanted : available).slice(0, MAX_LANGUAGES);
  if (chosen.length === 0) return undefined;
  return installed.includes(ALWAYS_ADDED) ? [...chosen, ALWAYS_ADDED] : chosen;
}
