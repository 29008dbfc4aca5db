// A product as the page shows it: meta tags of shops, and parts whose names say what they are (price, stock, brand).
// A price alone makes no product page: articles mention prices, and lists are full of them.
import type { LabelledValue, NamedPart, StructuredData } from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import { type PriceContext, readPrice } from '../../text/prices/prices.ts';
import { known } from '../data/item-values.ts';
import { pageTitles } from '../data/page-titles.ts';
import { readAvailability } from './availability.ts';
import { isText } from './choose-product-item.ts';
import { type ProductDraft, priceContext, priceOf } from './product-draft.ts';

const PRICE_NAME = /price|preis|prix|precio|prezzo|prijs|pris\b|preço|cena|цена|amount|价格|価格/i;
const OTHER_PRICE =
  /old|was|before|list\b|regular|original|compare|strike|crossed|msrp|rrp|uvp|shipping|delivery|versand|cart|total|unit|per |save|saving|discount|filter|range|alt|installment|monthly|label|note|info|tax/i;
const BEFORE_SALE_NAME =
  /old|was|before|list\b|regular|original|compare|strike|crossed|msrp|rrp|uvp|statt|barré|tachado/i;
const STOCK_NAME = /stock|availab|verfügbar|lieferbar|lager|inventory|dispo|voorraad/i;
const DESCRIPTION_NAME = /description|product text|short desc|beschreibung/i;
const PRICE_LABEL =
  /^(?:our |sale |your |unit |retail )?(?:price|preis|prix|precio|prezzo|prijs|pris|preço|cena|цена|価格|价格)$/i;
const BRAND_LABEL =
  /^(?:brand|marke|marque|marca|merk|märke|manufacturer|hersteller|fabricant|fabricante|produttore|maker|ブランド|品牌|メーカー)$/i;
const SKU_LABEL =
  /^(?:sku|art(?:icle|ikel)?[ .-]{0,3}(?:no|nr|number|nummer)\.?|item (?:no|number|model number)\.?|(?:item |product )?model(?: number| no\.?)?|product code|référence|referencia|ref\.?|codice|品番|mpn)$/i;
const STOCK_LABEL =
  /^(?:availability|stock|verfügbarkeit|lieferzeit|disponibilité|disponibilidad|disponibilità|在庫)$/i;
const INTO_CART =
  /^(?:add to (?:cart|basket|bag|trolley)|buy(?: it)? now|pre-?order(?: now)?|in den (?:warenkorb|einkaufswagen)|jetzt kaufen|ajouter au panier|añadir al (?:carrito|cesto)|agregar al carrito|comprar ahora|aggiungi al carrello|in winkelwagen|toevoegen aan winkelwagen|lägg i varukorg|legg i handlekurv|læg i kurv|adicionar ao carrinho|dodaj do koszyka|do koszyka|do košíku|в корзину|カートに入れる|加入购物车|장바구니)/iu;
/** Longer texts with these words sell something else: "Buy tickets". */
const BUY = /^(?:buy|kaufen|acheter|comprar|acquista|köp|kjøp|køb|koupit|купить|購入する|购买)\W{0,5}$/iu;

/** What the shop says in meta tags for link previews. */
export function metaProducts(source: PageSource): ProductDraft[] {
  const stated = source.data && metaProduct(source.data, priceContext(source));
  return stated ? [stated] : [];
}

/** What the page shows. `title` is the name of the product, if another source has told that the page sells one. */
export function shownProducts(source: PageSource, title: string | undefined): ProductDraft[] {
  const name = title ?? pageTitles(source)[0];
  if (!source.data || name === undefined) return [];
  const shown = shownProduct(source.data, name, priceContext(source));
  return title !== undefined || (shown.isForSale && !isText(source)) ? [shown.draft] : [];
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

interface ShownProduct {
  draft: ProductDraft;
  isForSale: boolean;
}

function shownProduct(data: StructuredData, title: string, context: PriceContext): ShownProduct {
  const parts = data.parts.filter(({ isRepeated }) => !isRepeated);
  const label = (pattern: RegExp): LabelledValue | undefined => data.pairs.find((pair) => pattern.test(pair.label));
  const price = shownPrice(parts, context) ?? priceOf(label(PRICE_LABEL)?.value, undefined, context);
  const availability = readAvailability(
    parts.find(({ name, text }) => STOCK_NAME.test(name) && readAvailability(text))?.text ?? label(STOCK_LABEL)?.value,
  );
  const canBuy = parts.some(({ text }) => text.length < 60 && (INTO_CART.test(text) || BUY.test(text)));
  const original = shownOriginal(parts, context);
  const description = parts.find(({ name, text }) => DESCRIPTION_NAME.test(name) && text.length > 40)?.text;
  const image = data.meta['og:image'];
  const draft: ProductDraft = {
    title,
    ...known({
      brand: label(BRAND_LABEL)?.value ?? parts.find(({ name }) => /(?:^| )brand(?: name)?(?: |$)/.test(name))?.text,
      description: description ?? data.meta['og:description'] ?? data.meta.description,
      images: image === undefined ? undefined : [{ url: image }],
    }),
    variants: [
      known({ sku: label(SKU_LABEL)?.value, price, sale: original && { originalPrice: original }, availability }),
    ],
  };
  // A price with a way to buy, or a price beside its stock: less than that is a text.
  return { draft, isForSale: price !== undefined && (canBuy || availability !== undefined) };
}

const isCrossedOut = ({ tag }: NamedPart): boolean => tag === 'del' || tag === 's' || tag === 'strike';

function shownPrice(parts: readonly NamedPart[], context: PriceContext) {
  const named = parts.filter(
    (part) => PRICE_NAME.test(part.name) && !OTHER_PRICE.test(part.name) && !isCrossedOut(part),
  );
  for (const { text } of named) {
    const price = readPrice(text, context);
    if (price?.currency !== undefined && text.length < 120) return priceOf(text, undefined, context);
  }
  return undefined;
}

function shownOriginal(parts: readonly NamedPart[], context: PriceContext) {
  const part = parts.find(
    (each) =>
      (isCrossedOut(each) || (PRICE_NAME.test(each.name) && BEFORE_SALE_NAME.test(each.name))) &&
      readPrice(each.text, context),
  );
  return part && priceOf(part.text, undefined, context);
}
