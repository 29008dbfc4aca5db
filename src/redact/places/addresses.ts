// Postal addresses by their form: a street word with a house number, a postcode with a town. No list of names is used.
import { lazy } from '../../util/lazy.ts';
import type { Finding } from '../finding.ts';

/** A capitalised word, and up to three of them with the small words of street names between. */
const NAME = "\\p{Lu}[\\p{L}\\p{M}'’.]{1,30}";
const SMALL =
  "(?:de la|de los|de las|de l['’]|de|du|des|del|della|delle|dei|degli|di|da|d['’]|la|le|les|el|los|las|van der|van den|van de|van|von|der|den|dem|am|an der|of|the|y|e)";
const NAMES = `${NAME}(?:[ -]${NAME}|[ ](?:${SMALL}) ?${NAME}){0,3}`;
const NUMBER = '\\d{1,5}(?: ?[a-zA-Z](?![\\p{L}]))?(?: ?[-–/] ?\\d{1,4}[a-z]?)?';
const TOWN = `${NAME}(?:[ -](?:${NAME}|(?:am|an der|im|in|ob der|bei|sur|en|de|la|le|lès|aan den|aan de|upon|on|del|di|d['’]|l['’])[ -]?${NAME})){0,3}`;

const STREETS: readonly string[] = [
  // Hauptstraße 12, Am Alten Markt 3, Keizersgracht 100
  `(?:\\p{Lu}[\\p{L}.-]{0,30} ){0,2}(?:\\p{Lu}[\\p{L}-]{0,30})?(?:[Ss]tra(?:ß|ss)e|[Ss]tr\\.|[Ww]eg|[Pp]latz|[Aa]llee|[Gg]asse|[Rr]ing|[Dd]amm|[Uu]fer|[Cc]haussee|[Ss]teig|[Mm]arkt|[Ss]traat|[Ll]aan|[Pp]lein|[Gg]racht|[Kk]ade|[Ss]ingel|[Dd]ijk|[Dd]reef|[Hh]of) ${NUMBER}`,
  `(?:Am|Im|An der|An den|Auf der|Auf dem|In der|Zum|Zur|Unter den|Unter der|Hinter der|Vor dem|Alte|Alter|Neue|Neuer) ${NAME}(?: ${NAME})? ${NUMBER}`,
  // 12 King's Road, 1600 Pennsylvania Avenue NW, Suite 200
  `${NUMBER} (?:(?:N|S|E|W|North|South|East|West)\\.? )?${NAME}(?: ${NAME}){0,3} (?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Way|Place|Pl|Square|Sq|Terrace|Close|Crescent|Gardens|Grove|Hill|Mews|Row|Parkway|Pkwy|Highway|Hwy|Circle|Quay|Walk)\\b\\.?(?: (?:NW|NE|SW|SE|N|S|E|W)\\b)?(?:,? (?:Suite|Ste\\.?|Apt\\.?|Unit|Floor|Flat|#) ?[\\w-]{1,6})?`,
  // 12 bis, rue de la Paix
  `\\d{1,4}(?: ?(?:bis|ter|quater))?,? (?:[Rr]ue|[Aa]venue|[Aa]v\\.|[Bb]oulevard|[Bb]d\\.?|[Pp]lace|[Cc]hemin|[Aa]llée|[Ii]mpasse|[Qq]uai|[Rr]oute|[Cc]ours|[Ss]quare|[Pp]assage|[Ss]entier|[Ff]aubourg) (?:${SMALL} ?)?${NAMES}`,
  // Calle de Alcalá, 42; Via Garibaldi 5
  `(?:[Cc]alle|C/|[Aa]venida|[Aa]vda\\.?|[Aa]v\\.|[Pp]laza|[Pp]za\\.?|[Pp]aseo|[Cc]arrer|[Cc]amino|[Rr]onda|[Tt]ravesía|[Cc]arretera|[Vv]ia|[Vv]iale|V\\.le|[Pp]iazza|P\\.zza|[Pp]iazzale|[Cc]orso|[Ll]argo|[Vv]icolo|[Ss]trada|[Ll]ungomare|[Ll]ungotevere) ?(?:${SMALL} ?)?${NAMES},? (?:n\\.?[º°]? ?)?\\d{1,5}(?:/?[A-Za-z](?!\\p{L}))?(?:,? \\d{1,2}[º°ª][\\w ]{0,4})?`,
  `(?:Postfach|P\\.? ?O\\.? Box|BP|Apartado(?: de Correos)?|Casella Postale|Postbus) \\d{1,3}(?: ?\\d{2,3}){0,2}`,
];

const POSTCODES: readonly [pattern: string, languages: readonly string[] | undefined][] = [
  // SW1A 1AA; 90210-1234 after a state; 1012 AB Amsterdam
  [
    '(?:GIR ?0AA|[A-PR-UWYZ](?:\\d{1,2}|[A-HK-Y]\\d|[A-HK-Y]\\d\\d|\\d[A-HJKSTUW]|[A-HK-Y]\\d[ABEHMNPRV-Y])) \\d[ABD-HJLNP-UW-Z]{2}',
    undefined,
  ],
  [
    `${NAME}(?: ${NAME}){0,2}, (?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])\\.? \\d{5}(?:-\\d{4})?`,
    undefined,
  ],
  [`[1-9]\\d{3} ?[A-Z]{2},? ${TOWN}`, ['nl']],
  [`[1-9]\\d{3} ${TOWN}`, ['nl', 'de', 'fr', 'it']],
  [
    `(?:(?:D|F|I|E|DE|FR|IT|ES)[- ])?\\d{5},? ${TOWN}(?: \\([A-Z]{2}\\)| Cedex(?: \\d{1,2})?)?`,
    ['de', 'fr', 'es', 'it'],
  ],
  [`(?:A|CH|B|NL|L|AT|BE|LU)-\\d{4}(?: [A-Z]{2})? ${TOWN}`, undefined],
  // K1A 0B1
  ['[ABCEGHJ-NPRSTVXY]\\d[ABCEGHJ-NPRSTV-Z] \\d[ABCEGHJ-NPRSTV-Z]\\d', undefined],
];
/** A year before a capitalised word is more often a year: "2024 Berlin". */
const YEAR = /^(?:19|20)\d{2} /;
const MAX_GAP = 3;

const bordered = (pattern: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}_])(?:${pattern})(?![\\p{L}\\p{N}_])`, 'gu');
const streetSearches = lazy(() => STREETS.map(bordered));
const postcodeSearches = lazy(() =>
  POSTCODES.map(([pattern, languages]) => ({ search: bordered(pattern), languages })),
);

/** Streets and postcodes of one address become one finding. */
export function findAddresses(text: string, language: string): Finding[] {
  if (!/\d/.test(text)) return [];
  const found: Finding[] = [];
  const add = (match: RegExpExecArray, rule: string, score: number) =>
    found.push({
      start: match.index,
      end: match.index + match[0].replace(/\.$/, '').length,
      entity: 'LOCATION',
      rule,
      score,
    });
  for (const search of streetSearches()) for (const match of text.matchAll(search)) add(match, 'street', 0.75);
  for (const { search, languages } of postcodeSearches()) {
    if (languages && !languages.includes(language)) continue;
    for (const match of text.matchAll(search)) add(match, 'postcode', YEAR.test(match[0]) ? 0.3 : 0.7);
  }
  return joinParts(
    text,
    found.sort((a, b) => a.start - b.start || b.end - a.end),
  );
}

function joinParts(text: string, found: readonly Finding[]): Finding[] {
  const joined: Finding[] = [];
  for (const finding of found) {
    const last = joined.at(-1);
    const gap = last ? text.slice(last.end, finding.start) : undefined;
    if (last && (finding.start < last.end || (gap!.length <= MAX_GAP && /^[,\s]*$/.test(gap!)))) {
      last.end = Math.max(last.end, finding.end);
      last.score = Math.max(last.score, finding.score);
    } else joined.push({ ...finding });
  }
  return joined;
}
