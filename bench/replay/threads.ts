// The threads whose calls can be recorded, by the files that they run.

export const THREADS = {
  store: { file: 'src/store/sqlite/store-thread.ts' },
  index: { file: 'src/index/index-thread.ts' },
} as const;

export type ThreadName = keyof typeof THREADS;

export const isThread = (name: string | undefined): name is ThreadName => name !== undefined && name in THREADS;
