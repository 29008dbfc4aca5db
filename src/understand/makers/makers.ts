// The maker of each format that needs understanding.
import type { FormatOf } from '../../contracts/formats/format-traits.ts';
import type { FormatMaker } from '../format-maker.ts';
import { query, question } from './answer.ts';
import { branding } from './branding.ts';
import { chunks } from './chunks.ts';
import { deterministicJson } from './deterministic-json.ts';
import { highlights } from './highlights.ts';
import { json } from './json.ts';
import { knowledgeGraph } from './knowledge-graph.ts';
import { menu } from './menu.ts';
import { product } from './product.ts';
import { summary } from './summary.ts';

export const MAKERS: { readonly [Type in FormatOf<'understanding'>]: FormatMaker<Type> } = {
  chunks,
  summary,
  question,
  highlights,
  query,
  branding,
  json,
  product,
  menu,
  knowledgeGraph,
  deterministicJson,
};
