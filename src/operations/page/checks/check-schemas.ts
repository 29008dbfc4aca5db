// Refuses schemas that cannot be used, before a page is fetched for them. In a thread: a schema may be made to be slow.
import { type ErrorDetail, ServiceError } from '../../../contracts/errors/errors.ts';
import type { ScrapeOptions } from '../../../contracts/scrape/scrape-options.ts';
import type { JsonSchema } from '../../../understand/json/schema/subschemas.ts';
import type { Understander } from '../../../understand/understander.ts';
import type { Caller } from '../../caller.ts';

export interface SchemaDeps {
  understander: Pick<Understander, 'tools'>;
}

/** Throws ServiceError with the words of the validator. */
export async function checkSchemas(
  { understander }: SchemaDeps,
  { team, signal }: Pick<Caller, 'team' | 'signal'>,
  { formats }: Pick<ScrapeOptions, 'formats'>,
  prefix: readonly string[] = [],
): Promise<void> {
  const given = formats.flatMap((format, at) =>
    'schema' in format && format.schema ? [{ schema: format.schema, at }] : [],
  );
  if (given.length === 0) return;
  const found = await Promise.all(
    given.map(async ({ schema, at }): Promise<ErrorDetail[]> => {
      const message = await schemaProblem({ understander }, { team, signal }, schema);
      return message === undefined
        ? []
        : [{ code: 'invalid_schema', path: [...prefix, 'formats', at, 'schema'], message }];
    }),
  );
  const details = found.flat();
  if (details.length === 0) return;
  throw new ServiceError('BAD_REQUEST', {
    message: [...new Set(details.map(({ message }) => message))].join(' '),
    details,
  });
}

/** Why the schema cannot be used, in the words of the validator. */
export async function schemaProblem(
  { understander }: SchemaDeps,
  { team, signal }: Pick<Caller, 'team' | 'signal'>,
  schema: JsonSchema,
): Promise<string | undefined> {
  const { work } = understander.tools({ asker: { team: team.id }, isPrivate: true }, signal);
  return work.json.schemaProblem(schema).catch(() => {
    signal.throwIfAborted();
    return 'The schema is too complex: it takes too much time or memory.';
  });
}
