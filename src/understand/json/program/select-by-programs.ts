// What the known programs of a site select on a page, in the thread that has its tree.
import { SelectorTooComplex } from '../../../markup/html/select-nodes.ts';
import type { AskedPrograms, TemplateProgram } from '../../../page/selector-programs.ts';
import type { PageText, SelectedValues, SelectorRun } from '../../../page/understanding.ts';
import { fieldName } from '../fill/field-names.ts';
import { runProgramOn, type TriedProgram } from '../json-work.ts';
import { templateOf } from './page-template.ts';
import { likeness } from './template-likeness.ts';
import { textHash } from './text-hash.ts';

/** A program may fit a page whose template differs this much from its own. */
const RELATED = 0.6;
const MAX_RUNS = 4;

/** The first program that fits, most similar template first. */
export function selectByPrograms({ asked, schema, programs }: AskedPrograms, source: PageText): SelectedValues {
  const template = templateOf(source);
  const near = programs
    .map((known) => ({ known, likeness: likeness(known.template, template) }))
    .filter((each) => each.likeness >= RELATED)
    .sort((one, other) => other.likeness - one.likeness);
  let nearest: SelectorRun | undefined;
  for (const { known } of near.slice(0, MAX_RUNS)) {
    const run = runOf(known, schema, source);
    if (run.problems.length === 0) return { asked, template, run };
    nearest ??= run;
  }
  return { asked, template, ...(nearest && { run: nearest }) };
}

type Asked = [schema: AskedPrograms['schema'], program: TemplateProgram['program'], source: PageText];

function runOf(known: TemplateProgram, schema: AskedPrograms['schema'], source: PageText): SelectorRun {
  const { id, isSettled, program, optional } = known;
  const { empty, ...made } = attempt(schema, program, source);
  return {
    id,
    isSettled,
    ...made,
    empty: empty.filter((path) => !optional.includes(path)),
    marks: marksOf(made.value),
  };
}

/** A stored program that a page makes too expensive does not fit it. */
function attempt(...[schema, program, source]: Asked) {
  try {
    return runProgramOn(schema, program, source, { isNew: false });
  } catch (error) {
    if (!(error instanceof SelectorTooComplex)) throw error;
    return { value: undefined, problems: [error.message], citations: {}, empty: [] };
  }
}

export function tryProgram(...[schema, program, source]: Asked): TriedProgram {
  const { value, problems, citations } = runProgramOn(schema, program, source, { isNew: true });
  return { value, problems, citations, marks: marksOf(value) };
}

/** Pages of a template are about different things, which have different names, texts, addresses and numbers. */
const OWN_CONCEPTS = ['name', 'description', 'body', 'url', 'sku', 'gtin', 'isbn', 'mpn'];

/** The values of a page that no other page of its template should have. */
export function marksOf(value: unknown): Record<string, number> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => typeof each === 'string' || typeof each === 'number')
      .filter(([name]) => OWN_CONCEPTS.some((concept) => fieldName(name).concepts.has(concept)))
      .map(([name, each]) => [name, textHash(String(each))]),
  );
}
