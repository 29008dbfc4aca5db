// The search page, in one width.
import { walkSearch } from './walks/search.ts';

walkSearch('short');
