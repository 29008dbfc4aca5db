// The format `product`: what a shop sells on a page, with its variants.
import { z } from 'zod';

const price = z.lazy(() =>
  z.object({
    amount: z.number(),
    currency: z.string().optional().describe('ISO 4217.'),
    formatted: z.string().optional().describe('As the page writes it.'),
  }),
);

const image = z.object({ url: z.string(), alt: z.string().optional() });

const variant = z.lazy(() =>
  z.object({
    id: z.string().optional(),
    sku: z.string().optional(),
    title: z.string().optional(),
    values: z.record(z.string(), z.string()).optional().describe('What sets it apart: `{ "color": "red" }`.'),
    price: price.optional(),
    sale: z.object({ originalPrice: price }).optional(),
    availability: z.object({
      inStock: z.boolean().describe('Where the page says nothing, true only beside a price and a way to buy.'),
      text: z.string().optional().describe('What the page says about it.'),
    }),
    images: z.array(image).optional(),
  }),
);

export const product = z.lazy(() =>
  z.object({
    title: z.string(),
    url: z.string(),
    brand: z.string().optional(),
    category: z.string().optional(),
    description: z.string().optional(),
    variants: z.array(variant),
  }),
);

export type Product = z.output<typeof product>;
export type ProductVariant = z.output<typeof variant>;
export type ProductPrice = z.output<typeof price>;
export type ProductImage = z.output<typeof image>;
