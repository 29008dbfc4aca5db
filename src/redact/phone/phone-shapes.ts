// Words and shapes that tell phone numbers from dates, prices, addresses of machines and article numbers.
import { labels, NOT_BEFORE_LETTER } from '../context.ts';

export const PHONE_LABEL = labels(
  `(?:${[
    'tele(?:ph|f)o+n[a-zé]*|teléfonos?|t[ée]l(?:[ée]phon[a-zé]*)?|phones?|ph|fax|telefax',
    'mobil(?:nummer|telefon|funk|es?)?|handy(?:nummer)?|m[óo]vil(?:es)?|cellular[ei]|cellphone|cell|cel|gsm|portable|mobiel',
    'whats\\s?app|hotline|helpline|hot-line|rufnummer|zentrale|durchwahl|notruf|standard téléphonique|toll[ -]free',
    '[tmfp](?=[.:] )|tel(?=:)|callto|sms',
    '电话|電話|手机|手機|携帯|传真|傳真|ファックス|联系方式|聯絡|전화|휴대폰|핸드폰|연락처|팩스|โทร|เบอร์',
  ].join('|')})${NOT_BEFORE_LETTER}|wa\\.me/`,
);
/** Words that ask to call, directly before the number: they have other meanings, too. */
export const CALL_BEFORE =
  /(?<!\p{L})(?:call|text|dial|ring|phone|ruf|rufen|anrufen|erreichbar|appelez|appeler|joindre|llame|llama|llámanos|llámenos|chiama|chiamare|chiamate|bel|bellen)(?:[ \u00a0]\p{L}{1,9}){0,4}[\s:]{1,3}$/iu;
export const PHONE_SIGN = /[☎✆📞📱📲🕿]/u;

/** Labels of numbers that are no phone numbers, as whole words. The label nearest to the number decides. */
export const OTHER_NUMBER_LABEL = labels(
  `(?:${[
    'orders?|bestell(?:ung|-?nr|nummer)|auftrags?(?:-?nr|nummer)?|commande|pedido|ordine|orden|bestelling|bestelnummer',
    'invoice|rechnung(?:s-?nr|snummer)?|facture?|factura|fattura|factuur|isbn|issn|ean|gtin|upc|asin|sku|doi|arxiv|pmid|patent',
    'art(?:icle|ikel|ículo|icolo|\\.)(?:-?nr|nummer|nr)?|item|part|product|produkt|produit|producto|prodotto',
    'ref(?:erence|erenz|\\.)?|r[ée]f[ée]rence|referencia|riferimento|serial|serie(?:n-?nr|nnummer|nummer)?|version|model|modell?[oe]?|build|release',
    'vat|ust(?:-?id(?:-?nr)?)?|tva|iva|btw|tax|steuer(?:-?nr|nummer|-?id)?|siret|siren|rcs|hrb|hra|kvk|cif|nif|partita|regist(?:er|re|ro)|company',
    'account|konto(?:nummer|-?nr)?|compte|cuenta|conto|rekening(?:nummer)?|iban|blz|bic|swift|routing|sort|card|karte|carte|tarjeta|carta|kaart',
    'tracking|sendung(?:snummer)?|colis|env[íi]o|spedizione|zending|paket(?:nummer)?|parcel|ticket|case',
    '(?:customer|client|member) (?:no|number|id)|kunden-?(?:nr|nummer)|klantnummer|(?:n[°ºo.]|num[ée]ro|n[úu]mero|code) (?:de )?client[e]?',
    'id|uid|pid|port|ip|timestamp|epoch|size|bytes|zip|plz|postcode|postal|population|einwohner|license|licence|batch|lot|charge',
    'ssn|nino|passport|reisepass|price|preis|prix|precio|prezzo|prijs|total|summe|montant|importe|totale|bedrag',
    '订单|訂單|注文|주문|发票|發票|請求書|운송장|송장|快递|运单|運單|追跡|账号|帳號|口座|계좌|卡号|卡號|カード|카드|编号|編號|身份证|身分證',
  ].join('|')})${NOT_BEFORE_LETTER}`,
);

const IP = /^\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?$/;
/** 1.9.4, also with a date behind it; 95 / 100 / 97. */
const VERSION = /^\d{1,2}\.\d{1,3}\.\d{1,3}(?:$|[ /(-])|^\d{1,3}(?: \/ \d{1,3})+$/;
const HOLDS_DATE = /(?<!\d)(?:19|20)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)/;
const DATE =
  /^(?:(?:19|20)\d{2}[-./ ](?:0?[1-9]|1[0-2])[-./ ](?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[-./ ](?:0?[1-9]|1[0-2]|[12]\d|3[01])[-./ ](?:19|20)\d{2})(?![-./]?\d)/;
const SHORT_DATE = /^(?:0?[1-9]|[12]\d|3[01])[-./](?:0?[1-9]|1[0-2])[-./]\d{2}$/;
/** 12/7/25, also as the beginning of a range. */
const SLASHED_DATE = /^(?:0?[1-9]|[12]\d|3[01])\/(?:0?[1-9]|[12]\d|3[01])\/(?:\d{2}|(?:19|20)\d{2})(?!\d)/;
const YEARS = /^(?:19|20)\d{2} ?[-–/] ?(?:19|20)\d{2}$/;
/** 1.234.567 or 1 234 567: a number with thousands separators. Quantities do not start with zero. */
const THOUSANDS = /^[1-9]\d{0,2}(?:[ .\u00a0\u202f]\d{3})+$/;
/** A decimal number, a range of two, or a position. Italian mobile numbers are written like the first: 328.1234567. */
const DECIMALS = /^\d{1,4}\.\d{1,2}[-– ]\d{1,4}\.\d{1,2}$|^\d{1,4}\.\d{3,}(?: \d{1,4}\.\d{3,})?$/;
const PLAIN_DECIMAL = /^\d{3}\.\d{6,7}$/;
const MONEY_AFTER =
  /^[ \u00a0\u202f]?(?:€|\$|£|¥|%|°|eur\b|usd\b|gbp\b|chf\b|euros?\b|dollars?\b|km\b|kg\b|m²|mb\b|gb\b|px\b|ms\b|[元円圆圓원万萬만億亿억])/i;
const TIME_AFTER = /^:\d\d/;
const MONEY_BEFORE = /(?:€|\$|£|¥|eur|usd|gbp|chf|fr\.)[ \u00a0]?$/i;

/** Whether the run of digits at this place is written like something else. */
export function isOtherShape(text: string, start: number, end: number, isLabelled: boolean): boolean {
  const run = text.slice(start, end).replace(/^[([]/, '');
  if (IP.test(run) || DATE.test(run) || SHORT_DATE.test(run) || YEARS.test(run) || SLASHED_DATE.test(run)) return true;
  if (VERSION.test(run) || HOLDS_DATE.test(run)) return true;
  if (DECIMALS.test(run) && !(isLabelled && PLAIN_DECIMAL.test(run))) return true;
  return isQuantity(text.slice(Math.max(0, start - 5), start), text.slice(end, end + 10));
}

const isQuantity = (before: string, after: string): boolean =>
  MONEY_AFTER.test(after) || MONEY_BEFORE.test(before) || TIME_AFTER.test(after);

export const looksLikeQuantity = (run: string): boolean => THOUSANDS.test(run);
