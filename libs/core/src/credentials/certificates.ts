import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate and its key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const days = { authority: 3_650, server: 825 };
const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];

/** Passes keys in files that only their owner can read: other users of the machine see the arguments of a command. */
const openssl = (
  words: (folder: string) => readonly string[],
  files: Readonly<Record<string, string>>,
): Certificate => {
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-certificate-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
    const made = ['-keyout', join(folder, 'made.key'), '-out', join(folder, 'made.crt')];
    execFileSync('openssl', ['req', '-x509', ...curve, ...made, ...words(folder)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return {
      cert: readFileSync(join(folder, 'made.crt'), 'utf8'),
      key: readFileSync(join(folder, 'made.key'), 'utf8'),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error('openssl is not installed: sudo apt-get install -y openssl', { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * Creates a certificate authority for the servers of one network, valid for ten years. @throws Error without openssl
 */
export const createAuthority = (name: string): Certificate =>
  openssl(
    () => [
      ...['-days', String(days.authority), '-subj', `/CN=${name}`],
      ...['-addext', 'basicConstraints=critical,CA:TRUE'],
      ...['-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
    ],
    {},
  );

/**
 * Creates a server certificate for all host names and addresses of a server, valid for 825 days. Also valid as a client
 * certificate.
 * @throws Error without openssl
 */
export const createCertificate = (authority: Certificate, names: readonly string[]): Certificate => {
  const alternatives = names.map((name) => `${isIP(name) === 0 ? 'DNS' : 'IP'}:${name}`);
  return openssl(
    (folder) => [
      ...['-days', String(days.server), '-subj', `/CN=${names[0] ?? 'server'}`],
      ...['-CA', join(folder, 'ca.crt'), '-CAkey', join(folder, 'ca.key')],
      ...['-addext', `subjectAltName=${alternatives.join(',')}`],
      ...['-addext', 'basicConstraints=critical,CA:FALSE'],
      ...['-addext', 'extendedKeyUsage=serverAuth,clientAuth'],
    ],
    { 'ca.crt': authority.cert, 'ca.key': authority.key },
  );
};
