// Whether something can be bought now, by the words of schema.org and of shops in several languages.
import type { ProductVariant } from '../../contracts/formats/product.ts';

type Availability = ProductVariant['availability'];

const IN_STOCK =
  /^(?:InStock|InStoreOnly|OnlineOnly|LimitedAvailability|MadeToOrder|in[_ ]?stock|instock|available|true)$/i;
const NOT_IN_STOCK =
  /^(?:OutOfStock|SoldOut|Discontinued|BackOrder|PreOrder|PreSale|Reserved|out[_ ]?of[_ ]?stock|oos|backorder|preorder|pending|false)$/i;
const OUT_WORDS =
  /out of stock|sold out|unavailable|not available|no longer available|discontinued|ausverkauft|vergriffen|nicht (?:mehr )?(?:auf lager|verfügbar|lieferbar|vorrätig)|rupture|épuisé|indisponible|agotado|sin existencias|no disponible|esaurito|non disponibile|uitverkocht|niet (?:op voorraad|beschikbaar|leverbaar)|slutsåld|ej i lager|udsolgt|utsolgt|ikke på lager|esgotado|indisponível|niedostępn|brak w magazynie|vyprodáno|není skladem|нет в наличии|распродан|在庫切れ|在庫なし|売り切れ|品切れ|缺货|售罄|무료품절|품절/iu;
const IN_WORDS =
  /in stock|available|ready to ship|ships (?:today|in|within)|\bonly \d{1,5} left|\d{1,6} (?:left|in stock|available)|auf lager|lieferbar|verfügbar|vorrätig|en stock|disponible|disponibile|op voorraad|leverbaar|i lager|på lager|em estoque|disponível|dostępn|w magazynie|skladem|в наличии|在庫あり|有货|现货|재고 있음/iu;

/** Undefined if the text says nothing about it. */
export function readAvailability(text: string | undefined): Availability | undefined {
  const said = text?.replace(/\s+/g, ' ').trim();
  if (!said || said.length > 200) return undefined;
  if (NOT_IN_STOCK.test(said) || OUT_WORDS.test(said)) return { inStock: false, text: said };
  if (/(?:^|\D)0 (?:left|in stock|available|pieces|items|stück)/i.test(said)) return { inStock: false, text: said };
  return IN_STOCK.test(said) || IN_WORDS.test(said) ? { inStock: true, text: said } : undefined;
}

/** Where nothing is said: what has a price is offered. */
export const assumedAvailability = (hasPrice: boolean): Availability => ({ inStock: hasPrice });
