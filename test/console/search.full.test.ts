// The search page, in every width and both themes, and what is left out of the short run.
import { walkSearch } from './walks/search.ts';

walkSearch('full');
