// Completion scripts of the three usual shells. All words are ours: nothing in them comes from pages or users.
import type { CommandWords, FlagWords } from './completion-words.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const namesOf = (flags: readonly FlagWords[]): string[] => flags.flatMap(({ names }) => names);

/** `case` branches of a shell function that sets `words` and `values` for the command that was typed so far. */
const branches = (all: readonly CommandWords[]): string =>
  all
    .map(({ path, commands, flags }) => {
      const names = commands.map(({ name }) => name).join(' ');
      const taking = flags.filter(({ takesValue }) => takesValue);
      const values = taking.map(
        ({ names: each, choices }) => `        ${each.join('|')}) values=${quoted(choices.join(' '))}; takes=1 ;;`,
      );
      const choices = values.length > 0 ? ['      case "$prev" in', ...values, '      esac'] : [];
      return [
        `    ${quoted(path)})`,
        `      commands=${quoted(names)}`,
        `      flags=${quoted(namesOf(flags).join(' '))}`,
        ...choices,
        '      ;;',
      ].join('\n');
    })
    .join('\n');

/** The command below others is the longest path of words that is known. */
const paths = (all: readonly CommandWords[]): string => all.map(({ path }) => path.replaceAll(' ', '/')).join(' ');

/** Shared by bash and zsh, whose languages agree on this part. */
const shared = (all: readonly CommandWords[]): string => `_trawl_words() {
  # $1: the words before the cursor, without the program; $2: the one just before it.
  local path='' word prev="$2"
  commands='' flags='' values='' takes=''
  for word in $1; do
    case " ${paths(all)} " in
      *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;;
      *) break ;;
    esac
  done
  case "\${path//\\// }" in
${branches(all)}
  esac
}`;

export const bashScript = (all: readonly CommandWords[]): string => `# Completion of trawl for bash.
${shared(all)}
_trawl() {
  local commands flags values takes
  local cur="\${COMP_WORDS[COMP_CWORD]}"
  local prev="\${COMP_WORDS[COMP_CWORD-1]}"
  _trawl_words "\${COMP_WORDS[*]:1:COMP_CWORD-1}" "$prev"
  COMPREPLY=()
  if [ -n "$takes" ]; then
    local done=''
    # A list is completed after its last comma.
    case "$cur" in *,*) [ -n "$values" ] && done="\${cur%,*}," ;; esac
    if [ -n "$values" ]; then COMPREPLY=($(compgen -P "$done" -W "$values" -- "\${cur##*,}"))
    else COMPREPLY=($(compgen -f -- "$cur")); fi
  else
    case "$cur" in
      -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
      *) COMPREPLY=($(compgen -W "$commands" -- "$cur")) ;;
    esac
  fi
}
complete -o default -F _trawl trawl`;

export const zshScript = (all: readonly CommandWords[]): string => `#compdef trawl
# Completion of trawl for zsh.
${shared(all)}
_trawl() {
  setopt localoptions shwordsplit
  local commands flags values takes
  local cur="\${words[CURRENT]}"
  local prev="\${words[CURRENT-1]}"
  _trawl_words "\${words[2,CURRENT-1]}" "$prev"
  if [ -n "$takes" ]; then
    if [ -n "$values" ]; then compset -P '*,'; compadd -- $values
    else _files; fi
  else
    case "$cur" in
      -*) compadd -- $flags ;;
      *) if [ -n "$commands" ]; then compadd -- $commands; else _files; fi ;;
    esac
  fi
}
if [ "$funcstack[1]" = "_trawl" ]; then _trawl "$@"; else compdef _trawl trawl; fi`;

export function fishScript(all: readonly CommandWords[]): string {
  const lines = all.flatMap(({ path, commands, flags }) => {
    const here = fishCondition(path, commands);
    const below = commands.map(
      ({ name, summary }) => `complete -c trawl -n ${quoted(here)} -f -a ${name} -d ${quoted(summary)}`,
    );
    const own = flags.flatMap(({ names, ...flag }) => names.map((name) => fishFlag(here, name, flag)));
    return [...below, ...own];
  });
  return ['# Completion of trawl for fish.', ...lines].join('\n');
}

/** The words of the path were typed, and none of the commands below it. */
function fishCondition(path: string, commands: CommandWords['commands']): string {
  if (path === '') return '__fish_use_subcommand';
  const typed = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const names = commands.map(({ name }) => name).join(' ');
  return [...typed, ...(names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`])].join('; and ');
}

function fishFlag(here: string, name: string, { takesValue, choices, text }: Omit<FlagWords, 'names'>): string {
  const option = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`;
  const values = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
  return `complete -c trawl -n ${quoted(here)} ${option}${values} -d ${quoted(text)}`;
}
