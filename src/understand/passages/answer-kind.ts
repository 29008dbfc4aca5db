// What kind of answer a question asks for, where its words say so, and whether a text has something of that kind.

export type AnswerKind = 'money' | 'number' | 'time' | 'contact';

/** Question words of languages that many pages have. They are not on the page, so they say nothing else. */
const ASKED: readonly [AnswerKind, RegExp][] = [
  [
    'contact',
    /\b(?:e-?mail|phone|telephone|telefon\w*|t[ée]l[ée]phone|tel[ée]fono|telefone|adres+e?|address|website|url)\b|邮箱|电话|電話|メール/iu,
  ],
  [
    'money',
    /\b(?:how much|costs?|price[ds]?|pay|fees?|fare|charge[ds]?|kostet|kosten|preis\w*|gebühr\w*|co[uû]te?|prix|tarif|cu[aá]nto cuesta|precio|costo|prezzo|quanto custa|preço|prijs|kost)\b|多少钱|价格|いくら|値段|価格/iu,
  ],
  [
    'time',
    /\b(?:when|what (?:time|day|date|year|month)|which (?:year|day|date)|how (?:long|old)|(?:which|what) (?:days?|season|months?)|wann|uhrzeit|wie lange|welche\w* (?:tage?n?|jahr|monat)|quand|quel(?:le)?s? (?:jours?|heures?|date|ann[ée]e|mois)|cu[aá]ndo|qu[ée] (?:d[ií]as?|a[ñn]o|mes)|quando|wanneer|hoe laat)\b|什么时候|何时|哪一年|いつ|何時|когда/iu,
  ],
  [
    'number',
    /\b(?:how (?:many|far|tall|big|large|high|deep|heavy|fast|wide)|what (?:percentage|share|number|size|temperature)|wie ?viele?|wie (?:hoch|groß|weit|lang|schwer)|combien|cu[aá]nt[oa]s|quant[ie]|quant[oa]s|hoeveel)\b|多少|几|何人|いくつ|сколько/iu,
  ],
];

const FOUND: Readonly<Record<AnswerKind, RegExp>> = {
  money:
    /\p{Sc}\s?\d|\d\s?\p{Sc}|\b(?:EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|INR|BRL)\b|\d\s?(?:euros?|dollars?|pounds?|cents?|kr|zł|円|元|руб)|\b(?:free|kostenlos|frei|gratuit|gratis)\b/iu,
  number:
    /\p{Nd}|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|zwei|drei|vier|fünf|deux|trois|quatre|cinq|dos|tres|cuatro|cinco|due|tre|quattro)\b|[一二三四五六七八九十百千万]/iu,
  time: /\p{Nd}|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:today|tomorrow|noon|midnight|daily|weekly|hours?|days?|weeks?|months?|years?|january|february|march|april|may|june|july|august|september|october|november|december|täglich|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?)\b|[年月日时時]/iu,
  contact: /@|https?:|www\.|\+?\d[\d ()/.-]{5,}\d|\d/u,
};

export interface AskedFor {
  kind: AnswerKind;
  /** How the question says so, in lower case: these words need not be on the page. */
  words: string;
}

export function askedFor(question: string): AskedFor | undefined {
  for (const [kind, words] of ASKED) {
    const found = question.match(new RegExp(words, 'giu'));
    if (found) return { kind, words: found.join(' ').toLowerCase() };
  }
  return undefined;
}

export const hasKind = (text: string, kind: AnswerKind): boolean => FOUND[kind].test(text);
