// A chapter of the manual as a file, for people without one at hand. It is on this server, so it needs no network.
import { problemText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { toast } from '../../ui/states/toasts.tsx';

const CHAPTER = { group: 'use', name: 'start.md' };

export async function manualChapter(): Promise<File | undefined> {
  try {
    const text = await call('manual', { params: CHAPTER });
    return new File([text], CHAPTER.name, { type: 'text/markdown' });
  } catch (error) {
    toast(problemText(error), 'bad');
    return undefined;
  }
}
