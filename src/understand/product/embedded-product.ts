// A product in the data of a shop's program: product JSON of themes, variations of forms, the state of an application.
// An object counts if it has the title of the page and a price, whatever the shop calls its fields.
import type { PageSource } from '../../page/understanding.ts';
import type { PriceContext } from '../../text/prices/prices.ts';
import { currencyOf } from '../../text/prices/prices.ts';
import { known } from '../data/item-values.ts';
import { type Fields, fieldOf, isFields, textIn, valuesIn } from '../data/json-fields.ts';
import { pageTitles } from '../data/page-titles.ts';
import { readAvailability } from './availability.ts';
import { isSameTitle, type ProductDraft, priceContext, priceOf, type VariantDraft } from './product-draft.ts';

const TITLES = ['title', 'name', 'productName', 'product_name', 'displayName', 'product_title'];
const PRICES = [
  'price',
  'salePrice',
  'sale_price',
  'currentPrice',
  'current_price',
  'finalPrice',
  'final_price',
  'display_price',
  'priceValue',
  'amount',
];
const ORIGINALS = [
  'compare_at_price',
  'compareAtPrice',
  'regular_price',
  'regularPrice',
  'display_regular_price',
  'originalPrice',
  'original_price',
  'listPrice',
  'list_price',
  'oldPrice',
  'old_price',
  'wasPrice',
];
const STOCK = [
  'available',
  'inStock',
  'in_stock',
  'is_in_stock',
  'isInStock',
  'availableForSale',
  'availability',
  'stockStatus',
  'stock_status',
];
const LISTS = ['variants', 'variations', 'skus', 'product_variations', 'children', 'items', 'nodes', 'edges'];
const CURRENCIES = ['currency', 'priceCurrency', 'currencyCode', 'currency_code', 'currencyIso'];
const CENTS = /^(?:price|compare_at_price)$/;

export function embeddedProducts(source: PageSource): ProductDraft[] {
  const data = source.data;
  if (!data) return [];
  const titles = pageTitles(source);
  const context = priceContext(source);
  const isTitle = (text: string) => titles.some((title) => isSameTitle(title, text));
  // The data of shops often leave it to the page to say the currency.
  const stated = data.meta['og:price:currency'] ?? data.meta['product:price:currency'];
  const drafts: ProductDraft[] = [];
  for (const { value: fields } of valuesIn(data.embedded)) {
    if (!isFields(fields)) continue;
    const title = textIn(fields, TITLES);
    if (title === undefined || title.length < 2 || !isTitle(title)) continue;
    const draft = draftOf(fields, title, context, stated);
    if (draft.variants.some(({ price }) => price !== undefined)) drafts.push(draft);
  }
  // Variations of a form have no title of their own: they belong to the product of the page.
  const variations = data.embedded.find(({ name }) => name === 'data-product_variations')?.value;
  const [title] = titles;
  if (Array.isArray(variations) && title !== undefined) {
    const variants = variations.filter(isFields).map((each) => variantOf(each, context, stated, false));
    if (variants.length > 0) drafts.push({ title, variants });
  }
  return drafts.sort((a, b) => b.variants.length - a.variants.length).slice(0, 5);
}

function draftOf(fields: Fields, title: string, context: PriceContext, stated: string | undefined): ProductDraft {
  const currency = currencyIn(fields) ?? stated;
  // Shopify's themes write prices in cents, as whole numbers.
  const inCents =
    Object.hasOwn(fields, 'handle') && Object.hasOwn(fields, 'vendor') && Number.isInteger(fieldOf(fields, 'price'));
  const list = LISTS.map((name) => variantList(fieldOf(fields, name))).find((each) => each.length > 0) ?? [];
  const own = variantOf(fields, context, currency, inCents);
  const names = optionNames(fields);
  const variants = list.map((each) => variantOf(each, context, currency, inCents, names));
  const priced = variants.some(({ price }) => price !== undefined)
    ? variants
    : variants.map((each) => ({ ...known({ price: own.price, sale: own.sale }), ...each }));
  return {
    title,
    ...known({
      brand: textIn(fields, ['vendor', 'brand', 'brandName', 'brand_name', 'manufacturer']),
      category: textIn(fields, ['product_type', 'productType', 'category', 'categoryName']),
      description: textIn(fields, ['description', 'shortDescription', 'body_html'])
        ?.replace(/<[^<>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    }),
    variants: priced.length > 0 ? priced : [own],
  };
}

/** A list of objects, also where GraphQL wraps each in a `node`. */
function variantList(value: unknown): Fields[] {
  const list = isFields(value) ? (fieldOf(value, 'nodes') ?? fieldOf(value, 'edges')) : value;
  if (!Array.isArray(list)) return [];
  return list
    .slice(0, 500)
    .map((each) => (isFields(each) && isFields(each.node) ? each.node : each))
    .filter(isFields)
    .filter(isVariant);
}

const isVariant = (fields: Fields): boolean =>
  [...PRICES, ...STOCK, 'sku', 'option1'].some((name) => Object.hasOwn(fields, name));

function variantOf(
  fields: Fields,
  context: PriceContext,
  currency: string | undefined,
  inCents: boolean,
  names: readonly string[] = [],
): VariantDraft {
  const read = (list: readonly string[]) => {
    for (const name of list) {
      const price = priceIn(fieldOf(fields, name), currencyIn(fields) ?? currency, context);
      if (price) return inCents && CENTS.test(name) ? { ...price, amount: price.amount / 100 } : price;
    }
    return undefined;
  };
  const price = read(PRICES);
  const original = read(ORIGINALS);
  const stock = STOCK.map((name) => fieldOf(fields, name)).find(
    (value) => typeof value === 'boolean' || typeof value === 'string',
  );
  const quantity = ['quantity', 'stock', 'inventory_quantity']
    .map((name) => fieldOf(fields, name))
    .find(Number.isInteger);
  const image = imageIn(fieldOf(fields, 'image') ?? fieldOf(fields, 'featured_image'));
  return known({
    id: textIn(fields, ['id', 'variation_id', 'variantId']),
    sku: textIn(fields, ['sku', 'SKU']),
    title: textIn(fields, ['title', 'name', 'variantName']),
    values: optionValues(fields, names),
    price,
    sale: original && price && original.amount > price.amount ? { originalPrice: original } : undefined,
    availability:
      typeof stock === 'boolean'
        ? { inStock: stock }
        : typeof stock === 'string'
          ? readAvailability(stock)
          : quantity === undefined
            ? undefined
            : { inStock: Number(quantity) > 0 },
    images: image === undefined ? undefined : [{ url: image }],
  });
}

function optionValues(fields: Fields, names: readonly string[]): Record<string, string> | undefined {
  const values: Record<string, string> = {};
  const add = (name: string, value: unknown) => {
    if (typeof value === 'string' && value !== '' && value.length < 200 && name !== '__proto__')
      values[name.slice(0, 100)] = value;
  };
  for (const number of [1, 2, 3]) add(names[number - 1] ?? `option${number}`, fieldOf(fields, `option${number}`));
  for (const name of ['color', 'colour', 'size', 'material']) add(name, fieldOf(fields, name));
  const attributes = fieldOf(fields, 'attributes');
  if (isFields(attributes)) {
    for (const [name, value] of Object.entries(attributes).slice(0, 20))
      add(name.replace(/^attribute_(?:pa_)?/, ''), value);
  }
  return Object.keys(values).length > 0 ? values : undefined;
}

/** Names of the options of all variants: ["Size"] or [{ name: "Size" }]. */
function optionNames(fields: Fields): string[] {
  const options = fieldOf(fields, 'options');
  if (!Array.isArray(options)) return [];
  return options
    .slice(0, 3)
    .map((option) =>
      typeof option === 'string'
        ? option
        : isFields(option) && typeof option.name === 'string'
          ? option.name
          : 'option',
    );
}

/** A number or text, or an object with an amount: { amount: 12, currencyCode: "EUR" }. */
function priceIn(value: unknown, currency: string | undefined, context: PriceContext) {
  if (!isFields(value)) return priceOf(value, currency, context);
  const inner = ['amount', 'value', 'current', 'price', 'sale']
    .map((name) => fieldOf(value, name))
    .find((each) => typeof each === 'number' || typeof each === 'string');
  return priceOf(inner, currencyIn(value) ?? currency, context);
}

const currencyIn = (fields: Fields): string | undefined => {
  const text = textIn(fields, CURRENCIES);
  return text === undefined || text.length > 5 ? undefined : currencyOf(text);
};

function imageIn(value: unknown): string | undefined {
  const url = isFields(value) ? (fieldOf(value, 'url') ?? fieldOf(value, 'src')) : value;
  return typeof url === 'string' && /^https?:\/\//.test(url) ? url : undefined;
}
