// The page "Pages", in one width.
import { walkPages } from './walks/pages.ts';

walkPages('short');
