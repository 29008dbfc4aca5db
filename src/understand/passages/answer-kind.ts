// What kind of answer a question asks for, where its words say so, and whether a text has something of that kind.

export type AnswerKind = 'money' | 'number' | 'time' | 'contact' | 'person' | 'place';

/** Words that ask for a kind, in languages that many pages have. The first that fits counts. */
const ASKED: readonly [AnswerKind, RegExp][] = [
  [
    'contact',
    /\b(?:e-?mail(?: address)?|(?:tele)?phone(?: number)?|telefon\w*|t[ée]l[ée]phone|tel[ée]fono|telefone|website|url)\b|邮箱|电话|電話|メール/giu,
  ],
  [
    'money',
    /\b(?:how much|how expensive|costs?|price[ds]?|pay|fees?|fares?|charge[ds]?|kostet|kosten|preise?s?|gebühr(?:en)?|teuer|co[uû]te(?:nt)?|co[uû]t|prix|tarifs?|cu[aá]nto cuestan?|precios?|costo|prezz[oi]|quanto custa|preço|prijs|kost)\b|多少钱|价格|いくら|値段|価格/giu,
  ],
  [
    'number',
    /\b(?:how (?:many|long|old|far|tall|big|large|high|deep|heavy|fast|wide|steep|warm|hot|cold|often|soon|quickly|strong|precise|accurate)|what (?:percentage|share|number|size|temperature|maximum|minimum)|wie ?viele?|wie (?:lange?|alt|hoch|groß|weit|schwer|warm|schnell|oft)|combien(?: de temps)?|cu[aá]nt[oa]s?|quant[ieoa]s?|hoeveel|hoe (?:lang|oud|ver|hoog|groot))\b|多少|几|多久|何人|何冊|何時間|いくつ|сколько/giu,
  ],
  [
    'time',
    /\b(?:when|(?:what|which) (?:time|days?|dates?|years?|months?|season)|wann|uhrzeit|welche\w* (?:tage?n?|jahr|monat)|quand|quel(?:le)?s? (?:jours?|heures?|date|ann[ée]e|mois)|cu[aá]ndo|qu[ée] (?:d[ií]as?|a[ñn]o|mes)|quando|wanneer|hoe laat)\b|什么时候|何时|哪一年|いつ|何時|когда/giu,
  ],
  ['person', /\b(?:who|whom|whose|wer|wem|wen|wie heißt|qui|qui[ée]n(?:es)?|chi|quem|wie is)\b|谁|誰|кто/giu],
  ['place', /\b(?:where|wo|wohin|où|d[oó]nde|dove|onde|waar)\b|哪里|在哪|どこ|где/giu],
];

const NUMBER_WORDS =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozens?|hundreds?|thousands?|millions?|half|quarters?|tenth|ein|eine[rnm]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|une?|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|due|quattro|cinque|sei|sette|otto|nove|dieci)\b|[一二三四五六七八九十百千万両半]/iu;

const FOUND: Readonly<Record<AnswerKind, readonly RegExp[]>> = {
  money: [
    /\p{Sc}\s?\d|\d\s?\p{Sc}|\b(?:EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|INR|BRL)\b|(?:euros?|dollars?|pounds?|cents?|zł|円|元|руб)/iu,
    /\d\s?kr\b|\b(?:free|kostenlos|frei|gratuite?|gratis)\b|percent|prozent|%|無料|免费/iu,
  ],
  number: [/\p{Nd}/u, NUMBER_WORDS],
  time: [
    /\p{Nd}/u,
    /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:today|tomorrow|yesterday|noon|midnight|morning|evening|daily|weekly|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|christmas|easter)\b/iu,
    /\b(?:täglich|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo)\b|[年月日时時曜]/iu,
  ],
  contact: [/@|https?:|www\.|\+?\d[\d ()/.-]{5,}\d/u],
  // Two words with capitals, or one inside a sentence; scripts without capitals say nothing.
  person: [/\p{Lu}[\p{L}’'-]+\s+\p{Lu}/u, /[\p{Ll},;:]\s+\p{Lu}\p{Ll}/u, /[\p{scx=Han}\p{scx=Hiragana}]/u],
  place: [
    /\b(?:in|at|near|on|by|behind|beside|opposite|from|to|bei|am|im|an|auf|hinter|neben|à|au|dans|chez|derrière|en|cerca|detrás|nel|nella|a)\s/iu,
    /[\p{scx=Han}\p{scx=Hiragana}]|~?\/\w/u,
  ],
};

export interface AskedFor {
  kind: AnswerKind;
  /** How the question says so, in lower case: these words need not be on the page. */
  words: string;
}

export function askedFor(question: string): AskedFor | undefined {
  for (const [kind, words] of ASKED) {
    const found = question.match(words);
    if (found) return { kind, words: found.join(' ').toLowerCase() };
  }
  return undefined;
}

export const hasKind = (text: string, kind: AnswerKind): boolean => FOUND[kind].some((sign) => sign.test(text));
