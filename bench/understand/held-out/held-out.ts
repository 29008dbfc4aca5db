// The half of the labelled corpus that only measures.
import type { LabelledPage } from '../labelled-page.ts';

export const heldOutPages: LabelledPage[] = [];
