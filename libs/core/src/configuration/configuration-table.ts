import { type z } from 'zod';
import { fileSettingOf } from './secret-file.js';
import { meaningOf } from './setting.js';

export interface SettingRow {
  readonly name: string;
  readonly expects: string;
  /** Default of the variable; undefined: it must be set. */
  readonly fallback: string | undefined;
  readonly description: string;
  readonly secret: boolean;
}

export const settingRows = (schema: z.ZodObject): SettingRow[] =>
  Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, variable]) => {
    const meaning = meaningOf(variable);
    if (!meaning) throw new Error(`the setting ${name} has no meaning: make it with setting()`);
    const unset = variable.safeParse(undefined);
    return {
      name,
      expects: meaning.expects,
      fallback: unset.success ? textOf(unset.data) : undefined,
      description: meaning.description,
      secret: meaning.secret ?? false,
    };
  });

const textOf = (value: unknown): string =>
  value === undefined ? '' : Array.isArray(value) ? value.join(',') : String(value);

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** All variables of a service as a Markdown table, for the documentation. */
export const configurationTable = (schema: z.ZodObject): string => {
  const lines = settingRows(schema).map((row) => {
    const fallback = row.fallback === undefined ? 'required' : row.fallback === '' ? 'not set' : `\`${row.fallback}\``;
    const names = row.secret ? [row.name, fileSettingOf(row.name)] : [row.name];
    return `| ${names.map((name) => `\`${name}\``).join(' or ')} | ${cell(row.expects)} | ${cell(fallback)} | ${cell(row.description)} |`;
  });
  return ['| Variable | Expects | Default | Meaning |', '| --- | --- | --- | --- |', ...lines, ''].join('\n');
};
