// The maker of each format that needs understanding.
import type { DerivedFormatType } from '../../contracts/understanding.ts';
import type { FormatMaker } from '../format-maker.ts';
import { json } from './json.ts';

export const MAKERS: { readonly [Type in DerivedFormatType]?: FormatMaker<Type> } = {
  json,
};
