// Which languages can be read in which script, as tesseract names both; the most common first.

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
/** Each costs as much time as the first one. */
const MAX_LANGUAGES = 2;
/** Names, numbers and addresses are in Latin letters everywhere. */
const BESIDE = 'eng';

/**
 * Those of the installed languages that text in this script is read with: the ones that were asked for before others.
 * Undefined where there are none.
 */
export function languagesFor(
  script: string,
  asked: readonly string[],
  installed: readonly string[],
): string[] | undefined {
  if (script === LATIN) return asked.length > 0 ? [...asked] : undefined;
  const known = [...(LANGUAGES[script] ?? []), script].flatMap((name) => [name, `script/${name}`]);
  const there = known.filter((name) => installed.includes(name));
  const wanted = there.filter((name) => asked.includes(name));
  const chosen = (wanted.length > 0 ? wanted : there).slice(0, MAX_LANGUAGES);
  if (chosen.length === 0) return undefined;
  return installed.includes(BESIDE) ? [...chosen, BESIDE] : chosen;
}
