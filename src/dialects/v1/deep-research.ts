// Deep research: a run of an agent that answers in words, with what it did and the pages that it quotes.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ResponseOf } from '../../contracts/route-types.ts';
import { validate } from '../../contracts/validate/validate.ts';
import type { DialectAnswer, DialectRequest, Trawl } from '../dialect.ts';
import { ignoredFields } from '../shared/ignored-fields.ts';
import { objectOf, sentFields } from '../shared/sent-fields.ts';
import { researchFields } from './fields.ts';

export async function startResearch(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { query, topic, analysisPrompt, formats, jsonOptions, ...given } = validate(
    researchFields,
    sentFields(request),
  );
  const question = query ?? topic;
  if (question === undefined) {
    throw new ServiceError('BAD_REQUEST', { message: 'Bad Request: Set `query` to what is to be found out.' });
  }
  const { schema, prompt } = formats.includes('json') ? objectOf(jsonOptions) : {};
  const { maxDepth, timeLimit, maxUrls, systemPrompt } = given;
  const { id } = await trawl.call('startAgent', {
    isIdempotent: true,
    body: {
      prompt: [question, analysisPrompt, prompt].filter((text) => typeof text === 'string').join('\n\n'),
      mode: 'chat',
      ...(schema !== undefined && { schema }),
    },
  });
  return { body: { success: true, id }, warnings: [ignoredFields({ maxDepth, timeLimit, maxUrls, systemPrompt })] };
}

export async function researchStatus({ params }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const asked = { params: { id: params.id! } };
  const run = await trawl.call('agentStatus', asked);
  const { events } = await trawl.call('agentTrace', asked);
  const { status, message, data, error, expiresAt, warning } = run;
  const activities = activitiesOf(events);
  const known = describedPages(events);
  const sources = [...new Set(Object.values(run.sources ?? {}).flat())].map((url) => ({ url, ...known.get(url) }));
  return {
    body: {
      success: true,
      status,
      data: {
        finalAnalysis: message ?? '',
        ...(data !== undefined && { json: data }),
        ...{ activities, sources },
      },
      totalUrls: sources.length,
      ...(error !== undefined && { error }),
      expiresAt,
      // Clients follow the progress by these, and expect all three.
      ...{ activities, sources, summaries: [] },
    },
    warnings: [warning],
  };
}

type TraceEvent = ResponseOf<'agentTrace'>['events'][number];

/** What the tools have found out about pages. */
function describedPages(events: readonly TraceEvent[]): Map<string, { title?: string; description?: string }> {
  const results = events.flatMap((event) => (event.type === 'tool_call.finished' ? [event.result].flat() : []));
  const known = new Map<string, object>();
  for (const { url, finalUrl = url, title, description } of results.map(objectOf)) {
    if (typeof finalUrl !== 'string') continue;
    known.set(finalUrl, {
      ...known.get(finalUrl),
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
    });
  }
  return known;
}

interface Activity {
  type: string;
  status: 'processing' | 'complete' | 'error';
  message: string;
  timestamp: string;
}

function activitiesOf(events: readonly TraceEvent[]): Activity[] {
  const finished = new Set(events.map((event) => event.type === 'tool_call.finished' && event.toolCallId));
  return events.flatMap((event) => activityOf(event, finished) ?? []);
}

function activityOf(event: TraceEvent, finished: ReadonlySet<string | false>): Activity | undefined {
  const timestamp = event.occurredAt;
  switch (event.type) {
    case 'progress.reported':
      return { type: 'thought', status: 'complete', message: event.message, timestamp };
    case 'reasoning.summary':
      return { type: 'thought', status: 'complete', message: event.text, timestamp };
    case 'error.occurred':
      return { type: 'thought', status: 'error', message: event.error.message, timestamp };
    case 'tool_call.started': {
      const status = finished.has(event.toolCallId) ? 'complete' : 'processing';
      return { type: event.toolName, status, message: JSON.stringify(event.parameters), timestamp };
    }
    default:
      return undefined;
  }
}
