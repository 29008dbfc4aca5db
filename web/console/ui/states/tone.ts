// How good or bad a state is; a colour repeats it.
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'idle';
