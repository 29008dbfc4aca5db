// trawl://agent/{id} and trawl://extract/{id}: the state and the data of a run, as JSON.
import type { ResourceContext, ResourceKind } from '../resource.ts';
import { recentIds } from './recent.ts';
import { readPosition, textPart } from './text-part.ts';
import { agentUri, extractUri } from './uris.ts';

type Ask = (id: string, context: ResourceContext) => Promise<unknown>;

const result = (kind: 'agent' | 'extract', title: string, uriOf: typeof agentUri, ask: Ask): ResourceKind => ({
  name: kind,
  title,
  description: `${title}, as JSON, with the URLs that its values come from. \`offset\` reads on.`,
  template: `trawl://${kind}/{id}{?offset}`,
  mimeType: 'application/json',
  values: { id: recentIds(kind) },
  async read({ id = '', offset }, context) {
    const start = readPosition('offset', offset);
    const text = JSON.stringify(await ask(id, context), null, 1);
    const part = textPart(text, { offset: start, max: context.maxAnswer, uriAt: (next) => uriOf(id, next) });
    return [{ uri: uriOf(id, start), mimeType: 'application/json', text: part }];
  },
});

export const agentResult = result('agent', 'The result of a run of an agent', agentUri, (id, { api, signal }) =>
  api.call('agentStatus', { params: { id }, signal }),
);

export const extractResult = result('extract', 'The result of an extraction', extractUri, (id, { api, signal }) =>
  api.call('extractStatus', { params: { id }, signal }),
);
