// The page "Pages", in every width and both themes, and what is left out of the short run.
import { walkPages } from './walks/pages.ts';

walkPages('full');
