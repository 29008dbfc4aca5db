// A product as the page shows it: meta tags of shops, what stands beside the heading, and labels such as "Brand".
// A price alone makes no product page: articles mention prices, and lists are full of them.
import type { ProductPrice } from '../../contracts/formats/product.ts';
import type { LabelledValue, StructuredData } from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import type { RolePrice } from '../../text/prices/price-roles.ts';
import type { PriceContext } from '../../text/prices/prices.ts';
import { known } from '../data/item-values.ts';
import { pageTitles } from '../data/page-titles.ts';
import type { Offer } from '../offer/offer.ts';
import { availabilityOf, readAvailability } from './availability.ts';
import { isText } from './choose-product-item.ts';
import { type ProductDraft, priceContext, priceOf } from './product-draft.ts';

const DESCRIPTION_NAME = /description|product text|short desc|beschreibung/i;
const PRICE_LABEL =
  /^(?:our |sale |your |unit |retail )?(?:price|preis|prix|precio|prezzo|prijs|pris|preço|cena|цена|価格|价格)$/i;
const BRAND_LABEL =
  /^(?:brand|marke|marque|marca|merk|märke|varumärke|marka|manufacturer|hersteller|fabricant|fabricante|produttore|producent|maker|ブランド|品牌|メーカー)$/i;
const SKU_LABEL =
  /^(?:sku|art(?:icle|ikel)?[ .-]{0,3}(?:no|nr|number|nummer)\.?|item (?:no|number|model number)\.?|(?:item |product )?model(?: number| no\.?)?|product code|référence|referencia|ref\.?|codice|品番|mpn)$/i;
/** "/brands/acme": the link to the other things of the same maker. */
const BRAND_PATH =
  /\/(?:brands?|marken?|marques?|marcas?|merk(?:en)?|marki|vendors?|manufacturers?|hersteller)\/[^/]+\/?$/i;
const MAX_BRAND = 60;
const MAX_CODE = 30;

/** What the shop says in meta tags for link previews. */
export function metaProducts(source: PageSource): ProductDraft[] {
  const stated = source.data && metaProduct(source.data, priceContext(source));
  return stated ? [stated] : [];
}

/** What the page shows. `title` is the name of the product, if another source has told that the page sells one. */
export function shownProduct(source: PageSource, offer: Offer, title: string | undefined): ShownProduct | undefined {
  const name = title ?? source.data?.subject?.title ?? pageTitles(source)[0];
  if (!source.data || name === undefined) return undefined;
  const draft = shownDraft(source.data, offer, name, priceContext(source));
  return { draft, isSold: title !== undefined || (isForSale(draft, offer) && !isText(source)) };
}

export interface ShownProduct {
  draft: ProductDraft;
  /** It is sold on this page, not only written about. */
  isSold: boolean;
}

function metaProduct({ meta }: StructuredData, context: PriceContext): ProductDraft | undefined {
  const title = meta['og:title'];
  const amount = meta['product:sale_price:amount'] ?? meta['product:price:amount'] ?? meta['og:price:amount'];
  const currency = meta['product:price:currency'] ?? meta['product:sale_price:currency'] ?? meta['og:price:currency'];
  const price = amount === undefined ? undefined : priceOf(amount, currency?.trim().toUpperCase(), context);
  if (title === undefined || !(price || /^(?:og:)?product(?:\.item)?$/i.test(meta['og:type'] ?? ''))) return undefined;
  const original = priceOf(meta['product:original_price:amount'], currency, context);
  const image = meta['og:image'];
  return {
    title,
    ...known({
      url: meta['og:url'],
      brand: meta['product:brand'] ?? meta['og:brand'],
      category: meta['product:category'],
      description: meta['og:description'] ?? meta.description,
      images: image === undefined ? undefined : [{ url: image }],
    }),
    variants: [
      known({
        sku: meta['product:retailer_item_id'] ?? meta['product:sku'],
        price,
        sale: original && { originalPrice: original },
        availability: readAvailability(meta['product:availability'] ?? meta['og:availability']),
      }),
    ],
  };
}

function shownDraft(data: StructuredData, offer: Offer, title: string, context: PriceContext): ProductDraft {
  const parts = data.parts.filter(({ isRepeated }) => !isRepeated);
  const pairs = [...data.pairs, ...(data.subject?.pairs ?? [])];
  const label = (pattern: RegExp): LabelledValue | undefined => pairs.find((pair) => pattern.test(pair.label));
  const price = offer.price ? shownPrice(offer.price) : priceOf(label(PRICE_LABEL)?.value, undefined, context);
  const description = parts.find(({ name, text }) => DESCRIPTION_NAME.test(name) && text.length > 40)?.text;
  const preview = data.meta['og:image'];
  const image = preview === undefined ? data.subject?.image : { url: preview };
  const brand =
    label(BRAND_LABEL)?.value ??
    parts.find(({ name }) => /(?:^| )brand(?: name)?(?: |$)/.test(name))?.text ??
    parts.find(({ href, text }) => text.length <= MAX_BRAND && BRAND_PATH.test(URL.parse(href ?? '')?.pathname ?? ''))
      ?.text;
  return {
    title,
    ...known({
      brand,
      description: description ?? data.meta['og:description'] ?? data.meta.description,
      images: image && [image],
    }),
    variants: [
      known({
        sku: codeOf(label(SKU_LABEL)?.value),
        price,
        sale: offer.original && { originalPrice: shownPrice(offer.original) },
        availability: availabilityOf(offer.stock),
      }),
    ],
  };
}

/** A label may have more than its value in its line. */
const codeOf = (text: string | undefined): string | undefined =>
  text === undefined || text.length <= MAX_CODE ? text : /^[\w./-]+/.exec(text)?.[0];

export const shownPrice = ({ amount, currency, formatted }: RolePrice): ProductPrice =>
  known({ amount, currency, formatted });

/** A price with a way to buy, or a price beside its stock: less than that is a text. */
function isForSale({ variants: [variant] }: ProductDraft, offer: Offer): boolean {
  if (variant?.price) return offer.isForSale || offer.stock !== undefined;
  return offer.stock !== undefined && (offer.isForSale || variant?.sku !== undefined);
}
