// Messages between the service and a query process, which runs one query at a time.
import type { ErrorCode } from '../../../../contracts/errors/errors.ts';
import type { ResultColumn, TableQuery } from '../../../ports/table-queries.ts';

export interface QueryRequest extends TableQuery {
  dataDir: string;
  /** Module that makes chunks, as a URL. */
  chunker: string;
}

export interface QueryProblem {
  code: ErrorCode;
  /** Absent: the text of the error table. */
  message?: string;
}

/** The first message says that the process is ready. Batches come before the answer that they belong to. */
export type QueryMessage =
  | { ready: true }
  | { batch: string }
  | { columns: ResultColumn[]; rowCount: number }
  | { problem: QueryProblem };
