// Source files as the rules see them: parsed once, with the facts that rules ask about.
import { dirname, join, normalize } from 'node:path';
import { type Comment, type Node, parseSync } from 'oxc-parser';

export interface Import {
  /** As written: './x.ts', 'node:net', 'undici'. */
  specifier: string;
  /** The path from the root of the project, for relative imports. */
  to: string | undefined;
  isTypeOnly: boolean;
  /** `export ... from` */
  isReexport: boolean;
}

export interface SourceFile {
  path: string;
  text: string;
  imports: Import[];
  /** Names of `let` and `var` outside of every function. */
  moduleVariables: string[];
  /** Names of exported types, interfaces, classes and enums. */
  exportedTypes: string[];
  /** Texts of comments without their marks; line comments below each other are one text. */
  comments: string[];
  /** What stands behind each `throw new`. */
  thrownClasses: string[];
  /** Calls of functions and constructors by name: `fetch`, `console.log`, `new WebSocket`. */
  calls: Set<string>;
  /** Dotted names that are read: `process.env`, `console.log`. */
  members: Set<string>;
}

export function parseSource(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text, {
    lang: path.endsWith('x') ? 'tsx' : 'ts',
    sourceType: 'module',
  });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const file: SourceFile = {
    path,
    text,
    imports: [],
    moduleVariables: [],
    exportedTypes: [],
    comments: commentTexts(text, comments),
    thrownClasses: [],
    calls: new Set(),
    members: new Set(),
  };
  for (const statement of program.body) readModuleVariables(statement, file);
  file.exportedTypes.push(...exportedTypes(program.body));
  walk(program, (node) => readNode(node, file));
  return file;
}

function readNode(node: Node, file: SourceFile): void {
  const add = (specifier: string, kinds: Partial<Import>) => {
    const to = specifier.startsWith('.') ? normalize(join(dirname(file.path), specifier)) : undefined;
    file.imports.push({ specifier, to, isTypeOnly: false, isReexport: false, ...kinds });
  };
  switch (node.type) {
    case 'ImportDeclaration': {
      const names = node.specifiers ?? [];
      const isEachType = names.length > 0 && names.every((name) => 'importKind' in name && name.importKind === 'type');
      add(node.source.value, { isTypeOnly: node.importKind === 'type' || isEachType });
      return;
    }
    case 'ExportNamedDeclaration':
      if (node.source) add(node.source.value, { isTypeOnly: node.exportKind === 'type', isReexport: true });
      return;
    case 'ExportAllDeclaration':
      add(node.source.value, { isTypeOnly: node.exportKind === 'type', isReexport: true });
      return;
    case 'ImportExpression':
      if (node.source.type === 'Literal') add(String(node.source.value), {});
      return;
    case 'TSImportType':
      add(node.source.value, { isTypeOnly: true });
      return;
    case 'ThrowStatement':
      if (node.argument.type === 'NewExpression') file.thrownClasses.push(nameOf(node.argument.callee));
      return;
    case 'CallExpression':
      file.calls.add(nameOf(node.callee));
      return;
    case 'NewExpression':
      file.calls.add(`new ${nameOf(node.callee)}`);
      return;
    case 'MemberExpression':
      file.members.add(nameOf(node));
      return;
  }
}

function readModuleVariables(statement: Node, file: SourceFile): void {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declared?.type !== 'VariableDeclaration' || declared.kind === 'const') return;
  for (const { id } of declared.declarations) file.moduleVariables.push(nameOf(id));
}

const TYPE_DECLARATIONS = /^(TSTypeAlias|TSInterface|Class|TSEnum)Declaration$/;

/** Also those that are declared first and exported by a list: `export { type X }`. */
function exportedTypes(body: readonly Node[]): string[] {
  const typeName = (node: Node | null) =>
    node && TYPE_DECLARATIONS.test(node.type) && 'id' in node && node.id ? [nameOf(node.id as Node)] : [];
  const declared = new Set(body.flatMap(typeName));
  return body.flatMap((node) => {
    if (node.type === 'ExportDefaultDeclaration') return typeName(node.declaration);
    if (node.type !== 'ExportNamedDeclaration' || node.source) return [];
    const listed = node.specifiers
      .filter(({ local }) => declared.has(nameOf(local)))
      .map(({ exported }) => nameOf(exported));
    return [...typeName(node.declaration), ...listed];
  });
}

function commentTexts(text: string, comments: readonly Comment[]): string[] {
  const texts: string[] = [];
  let lineEnd = -1;
  for (const { type, value, start, end } of comments) {
    const words = value.replace(/^\s*\**\s?/gm, '').trim();
    const continues = type === 'Line' && lineEnd >= 0 && /^\n[ \t]*$/.test(text.slice(lineEnd, start));
    if (continues) texts.push(`${texts.pop()}\n${words}`);
    else texts.push(words);
    lineEnd = type === 'Line' ? end : -1;
  }
  return texts;
}

/** A name with its dots, such as `process.env.HOME`; `?` stands for what has no name. */
function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression' && !node.computed) return `${nameOf(node.object)}.${nameOf(node.property)}`;
  return '?';
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child && typeof child === 'object' && typeof child.type === 'string') walk(child as Node, visit);
    }
  }
}
