// The schema of an agent's or an extraction's result, checked before the run starts.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { JsonSchema } from '../../understand/json/schema/subschemas.ts';
import type { Caller } from '../caller.ts';
import { type SchemaDeps, schemaProblem } from '../page/checks/check-schemas.ts';

export async function checkRunSchema(deps: SchemaDeps, caller: Caller, schema: JsonSchema | undefined): Promise<void> {
  if (schema === undefined) return;
  const problem = await schemaProblem(deps, caller, schema);
  if (problem === undefined) return;
  const message = `Invalid JSON schema: ${problem}`;
  throw new ServiceError('BAD_REQUEST', { message, details: [{ code: 'invalid_schema', path: ['schema'], message }] });
}
