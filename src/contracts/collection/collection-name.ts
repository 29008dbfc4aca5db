// The name of a collection, and the field with which searches are restricted to one.
import { nameText } from '../bounds.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const collectionName = nameText
  .regex(NAME, 'The name of a collection has 1 to 64 letters, digits, dots, hyphens and underscores.')
  .describe('The name of a collection.');

export const searchedCollection = collectionName
  .optional()
  .describe('Only pages of this collection. Search providers are not asked.');
