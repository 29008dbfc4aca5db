// The maker of each format that needs understanding.
import type { DerivedFormatType } from '../../contracts/understanding.ts';
import type { FormatMaker } from '../format-maker.ts';
import { branding } from './branding.ts';
import { json } from './json.ts';

export const MAKERS: { readonly [Type in DerivedFormatType]?: FormatMaker<Type> } = {
  branding,
  json,
};
