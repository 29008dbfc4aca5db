// Jobs with an older version of the public SDK.
import type { Firecrawl as Newest } from 'firecrawl';
import { Firecrawl as Older } from 'firecrawl-4-24';
import { useService } from '../support/use-service.ts';
import { describeSdkJobs } from '../support/wire/sdk-jobs.ts';

describeSdkJobs(useService(), '4.24.0', Older as unknown as typeof Newest);
