import { execFile } from 'node:child_process';
import { type Environment } from './child-process.js';

/** A block of commands in a Markdown text, with what it is to print. */
export interface CommandBlock {
  /** Line of the text, for people. */
  readonly line: number;
  readonly commands: string;
  /** `…` stands for anything on one line or many; undefined: whatever. */
  readonly expected: string | undefined;
}

/** That of a step of a list is indented. */
const fence = /^( *)```(.*)$/;

/** A source of the page, `js file=watch.mjs`: the reader saves it under that name. */
const programFile = /^\w+ file=([\w.-]+)$/;
const endOfProgram = 'END_OF_PROGRAM';

/**
 * The blocks marked `sh run`, each with the `json` or `text` block that follows it before any other block; and the programs
 * that the page has its reader save, as commands that do so.
 */
export const readCommandBlocks = (markdown: string): CommandBlock[] => {
  const lines = markdown.split('\n');
  const blocks: { info: string; line: number; text: string }[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', info] = fence.exec(lines[at]!) ?? [];
    if (info === undefined) continue;
    const end = lines.findIndex((line, i) => i > at && line.trim() === '```');
    if (end === -1) throw new Error(`the block at line ${at + 1} does not end`);
    const inner = lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    blocks.push({ info: info.trim(), line: at + 1, text: inner.join('\n') });
    at = end;
  }
  return blocks.flatMap(({ info, line, text }, index) => {
    const file = programFile.exec(info)?.[1];
    if (file !== undefined) {
      const commands = `cat > ${file} <<'${endOfProgram}'\n${text}\n${endOfProgram}`;
      return [{ line, commands, expected: undefined }];
    }
    if (info !== 'sh run') return [];
    const next = blocks[index + 1];
    const expected = next && ['json', 'text'].includes(next.info) ? next.text : undefined;
    return [{ line, commands: text, expected }];
  });
};

const separator = '=== end of block ===';

export interface RunOptions {
  /** Texts of the commands and what stands for them here: addresses. */
  readonly replace: readonly (readonly [text: string, by: string])[];
  readonly folder?: string;
  readonly environment?: Environment;
  readonly timeoutMs?: number;
}

/** Runs all blocks in one shell, as a reader does: a variable of one is there in the next. A command that fails ends them. */
export const runBlocks = (
  blocks: readonly CommandBlock[],
  { replace, folder, environment, timeoutMs = 60_000 }: RunOptions,
): Promise<{ readonly outputs: readonly string[]; readonly errors: string }> => {
  const script = blocks
    .map(({ commands }) => replace.reduce((text, [found, by]) => text.replaceAll(found, by), commands))
    .map((commands) => `${commands}\nprintf '\\n%s\\n' '${separator}'`)
    .join('\n');
  return new Promise((resolve) => {
    // A terminal's colours would be in the texts that are compared.
    const env = { ...(environment ?? process.env), FORCE_COLOR: undefined };
    const options = { timeout: timeoutMs, maxBuffer: 2 ** 26, cwd: folder, env };
    execFile('bash', ['-e', '-u', '-o', 'pipefail', '-c', script], options, (error, stdout, stderr) =>
      resolve({ outputs: stdout.split(`\n${separator}\n`), errors: error ? `${error.message}\n${stderr}` : '' }),
    );
  });
};

/** White space outside of texts means nothing in JSON, and nothing here. */
const withoutSpace = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? part : ''));

/** Whether an output is the expected one, but for what `…` stands for and for white space between tokens. */
export const matchesExpected = (output: string, expected: string): boolean => {
  const pattern = withoutSpace(expected)
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^]*?');
  return new RegExp(`^${pattern}$`).test(withoutSpace(output));
};
