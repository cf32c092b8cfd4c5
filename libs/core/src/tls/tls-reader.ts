import { ConfigurationError, readSettingFile, rereading, SettingFileError } from '../configuration/index.js';

/** Material of a TLS connection, in PEM. */
interface TlsMaterial {
  /** Accepted certificate authorities; undefined: those of the system. */
  readonly ca?: string;
  /** Client certificate and key, for a server that requires them. */
  readonly cert?: string;
  readonly key?: string;
}

/** Returns the material for the next connection. */
export type TlsReader = () => TlsMaterial;

/** Files of the settings, by their content. */
export type TlsFiles = { readonly [Name in keyof TlsMaterial]: string | undefined };

const readAll = (files: TlsFiles, read: (name: string, file: string) => string): TlsMaterial =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, file]) => (file === undefined ? [] : [[name, read(name, file)]])),
  );

/**
 * The files of the settings `NATS_TLS_CA`, `NATS_TLS_CERT` and `NATS_TLS_KEY` (`prefix`: `NATS_TLS`), read again for
 * each connection: new certificates apply from the next one on. Undefined when none is set.
 * @throws ConfigurationError for a file that cannot be read, and for a certificate without its key
 */
export const tlsReader = (prefix: string, files: TlsFiles): TlsReader | undefined => {
  const settingOf = (name: string): string => `${prefix}_${name.toUpperCase()}`;
  if (Object.values(files).every((file) => file === undefined)) return undefined;
  if ((files.cert === undefined) !== (files.key === undefined)) {
    throw new ConfigurationError([`${settingOf('cert')} and ${settingOf('key')} belong together; set both.`]);
  }
  const first = readAll(files, (name, file) => {
    try {
      return readSettingFile(file);
    } catch (error) {
      if (!(error instanceof SettingFileError)) throw error;
      throw new ConfigurationError([`${settingOf(name)}: ${error.message}.`]);
    }
  });
  return rereading(() => readAll(files, (_, file) => readSettingFile(file)), first);
};
