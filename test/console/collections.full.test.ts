// The page "Collections", in every width and both themes.
import { walkCollections } from './walks/collections.ts';

walkCollections('full');
