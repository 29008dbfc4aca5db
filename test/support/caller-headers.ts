// The headers of a caller, as the operations make them from a request.
import { givenHeaders } from '../../src/contracts/scrape/given-headers.ts';
import { CallerHeaders } from '../../src/net/http/caller-headers.ts';

export const callerHeaders = (home: string, headers: Record<string, string>): CallerHeaders =>
  CallerHeaders.for(new URL(home), givenHeaders.parse(headers));
