// The program of a query process: it waits for a query, runs it, and waits for the next.
import type { QueryMessage, QueryRequest } from './query-messages.ts';
import { runQuery } from './run-query.ts';

const send = (message: QueryMessage): void => void process.send?.(message);

process.on('message', (request: QueryRequest) => void runQuery(request, send));
process.on('disconnect', () => process.exit());

send({ ready: true });
