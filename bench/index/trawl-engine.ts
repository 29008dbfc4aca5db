// The embedded index, opened as in the service.
import { createEngineOf } from './page-index-engine.ts';

export const open = createEngineOf('embedded');
