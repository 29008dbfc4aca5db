// The held-out half of the tasks, for measuring only: see README.md.
import type { TaskTemplate } from '../task.ts';

export const heldOutTemplates: readonly TaskTemplate[] = [];
