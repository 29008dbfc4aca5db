// The JSON schema of a request body, as a form needs it: what a client may send, with the texts of the contract.
import { z } from 'zod';

export function requestSchema(request: z.ZodType): unknown {
  return z.toJSONSchema(request, { io: 'input', unrepresentable: 'any', reused: 'ref' });
}
