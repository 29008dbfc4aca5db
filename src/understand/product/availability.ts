// Whether something can be bought now, as a text of the page or of its data says.
import type { ProductVariant } from '../../contracts/formats/product.ts';
import { readStock, type Stock } from '../../text/stock/stock.ts';

type Availability = ProductVariant['availability'];

/** Undefined if the text says nothing about it. */
export function readAvailability(text: string | undefined): Availability | undefined {
  return text === undefined ? undefined : availabilityOf(readStock(text));
}

export const availabilityOf = (stock: Stock | undefined): Availability | undefined =>
  stock && { inStock: stock.inStock, text: stock.text };
