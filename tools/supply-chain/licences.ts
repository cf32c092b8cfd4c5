import { type LockedPackage } from './lock.js';

/** Ask for no more than a notice, or for nothing: may be in an image and in the page for browsers. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

/** Ask for sources, of a file, a library or the whole. */
const copyleft = /\b(?:A?GPL|LGPL|MPL|EPL|EUPL|CDDL|CPL|OSL|SSPL|CC-BY-SA)\b/;

export type LicenceKind = 'permissive' | 'copyleft' | 'unknown';

/**
 * The kind of an SPDX expression; permissive if one alternative is. Parentheses within it are not resolved: such an
 * expression is not permissive before a person has read it.
 */
export const licenceKind = (expression: string | undefined): LicenceKind => {
  if (expression === undefined) return 'unknown';
  const alternatives = expression.replace(/^\(([^()]*)\)$/, '$1').split(' OR ');
  const isPermissive = (alternative: string): boolean => alternative.split(' AND ').every((id) => permissive.has(id));
  if (alternatives.some(isPermissive)) return 'permissive';
  return copyleft.test(expression) ? 'copyleft' : 'unknown';
};

const kinds: readonly LicenceKind[] = ['permissive', 'copyleft', 'unknown'];

/** Words in lines of at most `width` characters. */
const wrapped = (words: readonly string[], width: number): string[] => {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines.push(`${lines.pop()!} ${word}`);
    else lines.push(word);
  }
  return lines;
};

interface LicenceGroup {
  readonly licence: string;
  readonly kind: LicenceKind;
  readonly packages: readonly string[];
}

/** Packages by licence: permissive ones first, the largest group first. */
const licenceGroups = (packages: readonly LockedPackage[]): readonly LicenceGroup[] => {
  const byLicence = new Map<string | undefined, Set<string>>();
  for (const { name, version, licence } of packages) {
    const group = byLicence.get(licence) ?? new Set();
    byLicence.set(licence, group.add(`${name}@${version}`));
  }
  return [...byLicence]
    .map(([licence, names]) => ({
      licence: licence ?? 'no licence',
      kind: licenceKind(licence),
      packages: [...names].sort(),
    }))
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || b.packages.length - a.packages.length);
};

export interface LicenceReport {
  readonly text: string;
  /** Whether all packages may be shipped. */
  readonly passes: boolean;
}

/** A table of `width` characters, and a sentence that says whether the packages may be shipped. */
export const licenceReport = (packages: readonly LockedPackage[], width: number): LicenceReport => {
  const groups = licenceGroups(packages);
  const head = Math.max(...groups.map(({ licence }) => licence.length), 'licence'.length);
  const indent = head + 'permissive'.length + '   0  '.length + 3;
  const rows = groups.flatMap(({ licence, kind, packages: names }) => {
    const first = `${licence.padEnd(head)}  ${kind.padEnd(10)} ${String(names.length).padStart(4)}  `;
    return wrapped(names, Math.max(width - indent, 40)).map((line, i) => (i === 0 ? first : ' '.repeat(indent)) + line);
  });
  const refused = groups.filter(({ kind }) => kind !== 'permissive');
  const count = groups.reduce((sum, group) => sum + group.packages.length, 0);
  const verdict =
    refused.length === 0
      ? `${count} packages are shipped, all under permissive licences.`
      : `Not to be shipped: ${refused.flatMap((group) => group.packages.map((name) => `${name} (${group.licence})`)).join(', ')}.`;
  return { text: [...rows, '', verdict].join('\n'), passes: refused.length === 0 };
};
