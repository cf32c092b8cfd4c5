import { readSettingFile, rereading, SettingFileError } from './setting-file.js';

/** The variable that names the file with the value of a secret setting: `API_KEY_FILE` for `API_KEY`. */
export const fileSettingOf = (name: string): string => `${name}_FILE`;

/** The single line of the file, without its line break. @throws SettingFileError */
export const readSecretFile = (file: string): string => {
  const value = readSettingFile(file).replace(/(\r?\n)+$/, '');
  if (/[\r\n]/.test(value)) throw new SettingFileError(`the file ${file} has more than one line`);
  return value;
};

/** A secret setting as `readConfiguration` gives it: its value and, where it came from a file, the file. */
export type SecretOf<Name extends string> = { readonly [Key in Name]: string | undefined } & {
  readonly [Key in Name as `${Key}_FILE`]?: string | undefined;
};

/** Returns the current value of a secret; undefined: not set. */
export type SecretReader = () => string | undefined;

/** For reconnecting clients: a new value in the secret file applies from the next connection on. */
export const secretReader = <Name extends string>(settings: SecretOf<Name>, name: Name): SecretReader => {
  const given: Readonly<Record<string, string | undefined>> = settings;
  const file = given[fileSettingOf(name)];
  const value = given[name];
  return file === undefined ? () => value : rereading<string | undefined>(() => readSecretFile(file), value);
};
