// Which media programs are on this machine. Looks for the files only.
import { dirname, join } from 'node:path';
import { chosenProgram, findProgram, isExecutable } from '../util/find-program.ts';

export interface ToolChoice {
  /** `auto`, `off`, or the path of an executable. */
  ffmpeg: string;
  ytDlp: string;
  /** Folders with programs, as in PATH. */
  searchPath: string;
}

export interface MediaTools {
  ffmpeg: string;
  ffprobe: string;
}

export interface FoundTools {
  tools?: MediaTools;
  /** One sentence why there are none, and what to do about it. */
  problem?: string;
  ytDlp?: string;
  /** What holds a program to limits and ends it with us, where the system has it. */
  prlimit?: string;
  setpriv?: string;
  /** What yt-dlp may start by itself. */
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
  if (choice === 'off') return { problem: 'Audio and video are switched off (TRAWL_FFMPEG=off).' };
  const ffmpeg = chosenProgram(choice, ['ffmpeg'], searchPath);
  if (!ffmpeg) {
    return {
      problem:
        choice === 'auto'
          ? 'There is no ffmpeg on this machine. Install it (for example: apt install ffmpeg), or name one by TRAWL_FFMPEG, and start again.'
          : 'TRAWL_FFMPEG names a file that cannot be executed.',
    };
  }
  const ffprobe = [join(dirname(ffmpeg), 'ffprobe')].find(isExecutable) ?? findProgram(['ffprobe'], searchPath);
  if (ffprobe) return { tools: { ffmpeg, ffprobe } };
  return {
    problem: 'There is an ffmpeg on this machine, but no ffprobe. Put the one that belongs to it into the same folder.',
  };
}
