// What answers of tools have in common. Every field may be missing, since long answers are shortened, and others may follow,
// so that an answer of the service always fits its schema.
import { z } from 'zod';

export const output = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.looseObject({ success: z.boolean().optional(), ...shape, warning: z.string().optional() });

export const anyRecord = () => z.looseObject({});
export const records = () => z.array(anyRecord()).optional();
