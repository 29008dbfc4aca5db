// The page "Collections", in one width.
import { walkCollections } from './walks/collections.ts';

walkCollections('short');
