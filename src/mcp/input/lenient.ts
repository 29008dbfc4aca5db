// Arguments as models write them: null for absent, "5" for 5, "true" for true, JSON in a string for an object, a single
// value for a list. What has one meaning is accepted; the schema that clients see is the plain one.
import { z } from 'zod';

const MAX_JSON_TEXT = 1_000_000;

/** An argument that may be absent, null or empty. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => orAbsent(repair(schema, value)), schema.optional()).optional();

/** An argument that has to be there. */
export const required = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => repair(schema, value), schema);

const orAbsent = (value: unknown): unknown => (value === null || value === '' ? undefined : value);

/** What the value means for the schema, or the value itself if that is not clear. */
function repair(schema: z.ZodType, value: unknown): unknown {
  if (typeof value === 'string') return fromText(schema, value);
  if (schema instanceof z.ZodArray) return toList(schema.element as z.ZodType, value);
  if (schema instanceof z.ZodString && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  return value;
}

function fromText(schema: z.ZodType, text: string): unknown {
  if (schema instanceof z.ZodNumber) return fromPattern(text, /^-?\d+(?:\.\d+)?$/, Number);
  if (schema instanceof z.ZodBoolean) return fromPattern(text, /^(?:true|false)$/i, (word) => /^t/i.test(word));
  if (schema instanceof z.ZodArray) {
    const list = fromJson(text, /^\s*\[/);
    return toList(schema.element as z.ZodType, list ?? text);
  }
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return text;
  return fromJson(text, /^\s*[[{]/) ?? text;
}

const fromPattern = (text: string, pattern: RegExp, read: (text: string) => unknown): unknown => {
  const trimmed = text.trim();
  return pattern.test(trimmed) ? read(trimmed) : text;
};

function fromJson(text: string, start: RegExp): unknown {
  if (text.length > MAX_JSON_TEXT || !start.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A single value is a list of one. */
function toList(element: z.ZodType, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return value;
  const list = Array.isArray(value) ? value : [value];
  return list.map((entry) => repair(element, entry));
}
