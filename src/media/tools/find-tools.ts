// Finds the media programs of this machine by their files; nothing is started.
import { dirname, join } from 'node:path';
import { chosenProgram, findProgram, isExecutable } from '../../runtime/programs/find-program.ts';

export interface ToolChoice {
  /** `auto`, `off`, or the path of an executable. */
  ffmpeg: string;
  ytDlp: string;
  /** Folders to search, as in PATH. */
  searchPath: string;
}

export interface MediaTools {
  ffmpeg: string;
  ffprobe: string;
}

export interface FoundTools {
  tools?: MediaTools;
  /** Why they are not available, and what to do about it. */
  problem?: string;
  ytDlp?: string;
  /** Wrappers that set resource limits, and end the program with us, if installed. */
  prlimit?: string;
  setpriv?: string;
  /** Programs that yt-dlp may start. */
  interpreters: Record<string, string>;
}

const INTERPRETERS = ['python3', 'deno'];

export function findTools({ ffmpeg, ytDlp, searchPath }: ToolChoice): FoundTools {
  const find = (name: string) => findProgram([name], searchPath);
  const interpreters = INTERPRETERS.map((name) => [name, find(name)] as const).filter(([, path]) => path !== undefined);
  return {
    ...findFfmpeg(ffmpeg, searchPath),
    ytDlp: chosenProgram(ytDlp, ['yt-dlp'], searchPath),
    prlimit: find('prlimit'),
    setpriv: find('setpriv'),
    interpreters: Object.fromEntries(interpreters as [string, string][]),
  };
}

function findFfmpeg(choice: string, searchPath: string): Pick<FoundTools, 'tools' | 'problem'> {
  if (choice === 'off') return { problem: 'Audio and video are disabled (TRAWL_FFMPEG=off).' };
  const ffmpeg = chosenProgram(choice, ['ffmpeg'], searchPath);
  if (!ffmpeg) {
    return {
      problem:
        choice === 'auto'
          ? 'ffmpeg was not found. Install it (for example: apt install ffmpeg) or set TRAWL_FFMPEG to its path, then restart.'
          : 'TRAWL_FFMPEG is not the path of an executable file.',
    };
  }
  const ffprobe = [join(dirname(ffmpeg), 'ffprobe')].find(isExecutable) ?? findProgram(['ffprobe'], searchPath);
  if (ffprobe) return { tools: { ffmpeg, ffprobe } };
  return {
    problem: 'ffmpeg was found, but ffprobe was not. Install the matching ffprobe in the same folder.',
  };
}
