// What language models are used for. The operator may set another model for each purpose.

export const MODEL_PURPOSES = ['extract', 'answer', 'clean', 'agent', 'judge'] as const;
export type ModelPurpose = (typeof MODEL_PURPOSES)[number];
