// The format `knowledgeGraph`: the entities of the page's data, or those that a model finds in its text.
import type { KnowledgeGraph } from '../../contracts/formats/knowledge-graph.ts';
import type { MadeFormat } from '../../page/understanding.ts';
import { askAboutPage, cutWarning } from '../data/ask-about-page.ts';
import type { FormatMaker } from '../format-maker.ts';
import { GRAPH_SCHEMA, graphInstructions } from '../prompts/pages/knowledge-graph.ts';
import { madeWithoutModel } from '../without-model.ts';

export const knowledgeGraph: FormatMaker<'knowledgeGraph'> = async (source, { entityTypes }, tools) => {
  const { work, model, signal } = tools;
  const chosen = model('extract');
  if ('without' in chosen) {
    const graph = await work.graph.find(source, entityTypes);
    return asContent(graph, [madeWithoutModel('knowledgeGraph', chosen.without)]);
  }
  if (source.markdown.trim() === '') return asContent(await work.graph.find(source, entityTypes), []);
  const types = entityTypes && entityTypes.length > 0 ? { types: entityTypes.join('\n') } : undefined;
  const question = {
    instructions: graphInstructions(types !== undefined),
    schema: GRAPH_SCHEMA,
    ...(types && { material: types }),
  };
  const { value, isCut } = await askAboutPage(chosen.model, source, question, signal);
  const { graph, leftOut } = await work.graph.read(source, value, entityTypes);
  return asContent(graph, [...leftOut, ...(isCut ? [cutWarning('knowledgeGraph')] : [])]);
};

const EMPTY = '`knowledgeGraph` is empty: no entities were found on this page.';

const asContent = (knowledgeGraph: KnowledgeGraph, warnings: string[]): MadeFormat => ({
  content: { knowledgeGraph },
  warnings: knowledgeGraph.nodes.length === 0 ? [EMPTY, ...warnings] : warnings,
});
