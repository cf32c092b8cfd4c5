import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));
const protocol = join(root, 'docs', 'protocol');

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
const textOf = (file: string): string => readFileSync(file, 'utf8');

/** Files below a folder with this extension, without built and installed ones. */
const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', 'generated'].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path, ending);
    return entry.name.endsWith(ending) ? [path] : [];
  });

const pages = [
  ...filesBelow(join(root, 'docs'), '.md'),
  ...['README.md', 'CHANGELOG.md'].map((name) => join(root, name)).filter(exists),
];

/** Code blocks are output and programs: their brackets are no links. */
const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '');
const withoutSpans = (text: string): string => text.replaceAll(/`[^`\n]*`/g, '');

/** The anchor that a heading gets: lower case, punctuation left out, spaces as hyphens. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const headingsOf = (file: string): string[] =>
  [...withoutCode(textOf(file)).matchAll(/^#{1,6} (.*)$/gm)].map((match) => match[1]!);

const brokenLink = (page: string, target: string): boolean => {
  if (/^(https?|mailto):/.test(target)) return false;
  const [path = '', anchor] = target.split('#', 2);
  const file = path === '' ? page : resolve(dirname(page), decodeURIComponent(path));
  if (!exists(file)) return true;
  return anchor !== undefined && !headingsOf(file).map(anchorOf).includes(anchor);
};

/** Paths in code spans: `apps/x/src/y.ts`. Patterns are checked up to their first placeholder. */
const namedPaths = (text: string): string[] =>
  [...text.matchAll(/`((?:apps|libs|tools|docs|bench|e2e)\/[^\s`]*)`/g)]
    .map((match) => match[1]!)
    .filter((path) => !/\/(dist|generated)(\/|$)/.test(path))
    .map((path) => (/[<*{]/.test(path) ? path.slice(0, path.search(/[^/]*[<*{]/)) : path));

describe.each(pages.map((page) => relative(root, page)))('%s', (name) => {
  const page = join(root, name);
  const text = withoutCode(textOf(page));

  it('links to what exists', () => {
    const links = [...withoutSpans(text).matchAll(/\]\(([^()\s]+)\)/g)].map((match) => match[1]!);
    expect(links.filter((target) => brokenLink(page, target))).toEqual([]);
  });

  // The documents of the protocol also speak of parts that are not built yet.
  if (page.startsWith(protocol)) return;
  it('names files that exist', () => {
    expect(namedPaths(text).filter((path) => !exists(join(root, path)))).toEqual([]);
  });
});

/** `6.5` of a heading; `18.14` for the item 14 of a numbered list of section 18. */
const sectionsOf = (file: string): Set<string> => {
  const sections = new Set<string>();
  let section: string | undefined;
  for (const line of withoutCode(textOf(file)).split('\n')) {
    if (line.startsWith('#')) section = /^#+ (\d+(?:\.\d+)*)/.exec(line)?.[1];
    const item = /^(\d+)\. /.exec(line)?.[1];
    if (section !== undefined) sections.add(item === undefined ? section : `${section}.${item}`);
  }
  return sections;
};

describe('sections of the protocol', () => {
  const sections = new Map(
    filesBelow(protocol, '.md').map((file) => [file.slice(protocol.length + 1, protocol.length + 3), sectionsOf(file)]),
  );

  it('that the code and the documentation name exist', () => {
    const readers = [
      ...pages.filter((page) => !page.startsWith(protocol)),
      ...['apps', 'libs', 'tools', 'e2e', 'bench'].flatMap((folder) => filesBelow(join(root, folder), '.ts')),
    ];
    const unknown = readers.flatMap((file) =>
      [...textOf(file).matchAll(/\b(0[1-9]) §(\d+(?:\.\d+)*)/g)]
        .filter(([, document, section]) => !sections.get(document!)?.has(section!))
        .map(([reference]) => `${relative(root, file)}: ${reference}`),
    );
    expect(unknown).toEqual([]);
  });
});
