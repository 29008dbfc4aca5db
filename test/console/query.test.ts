// The page "Query", in one width.
import { walkQuery } from './walks/query.ts';

walkQuery('short');
