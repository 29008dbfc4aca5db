// Text fields of forms: some clients send every field of theirs, and an empty one counts as absent.
import { z } from 'zod';

const orAbsent = (text: string): string | undefined => (text === '' ? undefined : text);

export const optionalText = (text: z.ZodString) => text.transform(orAbsent).optional();

/** A list without its empty entries. */
export const textList = (maxEntries: number, text: z.ZodString) =>
  z
    .array(text)
    .max(maxEntries)
    .transform((list) => list.filter((entry) => entry !== ''));
