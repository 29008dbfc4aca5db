// Recognises useless titles of files, which are often set by the program that wrote the file.

const PROGRAM = /^(?:microsoft (?:office )?(?:word|powerpoint|excel|publisher)|powerpoint|word|print) - /i;
const PATH = /^(?:file:|[a-z]:\\|\/)/i;
const FILE =
  /\.(?:docx?|docm|dotx?|pdf|xlsx?|xlsm|pptx?|ppsx?|od[tsp]|rtf|indd|qxd|tex|dvi|e?ps|tmp|pub|wpd|cdr|jpe?g|png|tiff?|html?|txt|md|vsd|dwg)$/i;
const PLACEHOLDER =
  /^(?:untitled|document|presentation|book|workbook|sheet|slide|page|title|unknown|none|null|undefined|template|powerpoint[ -]?pr[eéä]sentation|(?:no|kein) (?:title|titel)|unbenannt|sans titre|sin t[ií]tulo|senza titolo)[ _-]?\d{0,4}$/i;
const WORD = /\p{L}{2}/u;

/** Does the title describe the content? `name` is the name of the file. */
export function isDescriptive(title: string, name: string): boolean {
  const text = title.trim();
  const isName = /[_\d-]/.test(text) && !/\s/.test(text) && text.toLowerCase() === bare(name).toLowerCase();
  const isJunk = [PROGRAM, PATH, FILE, PLACEHOLDER].some((pattern) => pattern.test(text));
  return WORD.test(text) && !isJunk && !isName;
}

const bare = (name: string): string => name.replace(/\.[a-z0-9]{1,5}$/i, '');
