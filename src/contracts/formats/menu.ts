// The format `menu`: what a restaurant, café or delivery service offers on a page.
import { z } from 'zod';

const price = z.lazy(() =>
  z.object({ amount: z.number(), currency: z.string().optional(), formatted: z.string().optional() }),
);
const image = z.object({ url: z.string(), alt: z.string().optional() });

const optionGroup = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    options: z.array(z.object({ id: z.string(), name: z.string(), price: price.optional() })),
  }),
);

const item = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string().optional(),
    images: z.array(image),
    price: price.optional(),
    availability: z.object({ inStock: z.boolean(), text: z.string().optional() }),
    dietary: z
      .array(z.string())
      .describe('`vegan`, `vegetarian`, `gluten-free` and so on, as far as the page says so.'),
    calories: z.number().optional(),
    optionGroups: z.array(optionGroup).describe('Filled only with the option `modifiers`.'),
    identifiers: z.object({ merchantItemId: z.string().optional() }),
    url: z.string().optional(),
    sourceUrl: z.string(),
  }),
);

const section = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string().optional(),
    items: z.array(item),
  }),
);

export const menu = z.lazy(() =>
  z.object({
    isMenu: z.boolean(),
    confidence: z.number().min(0).max(1),
    merchant: z.object({ name: z.string(), type: z.string().optional(), location: z.string().optional() }),
    currency: z.string().optional(),
    sections: z.array(section),
    sourceUrl: z.string(),
  }),
);

export type Menu = z.output<typeof menu>;
export type MenuSection = z.output<typeof section>;
export type MenuItem = z.output<typeof item>;
export type MenuOptionGroup = z.output<typeof optionGroup>;
