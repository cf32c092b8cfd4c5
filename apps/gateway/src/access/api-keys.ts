import { errorOf } from '@shardnode/http';
import { apiKeyMinLength } from '../settings/configuration.js';
import { keySettings, permits, type Role, roles } from './roles.js';
import { type ApiKey, type ApiKeyOptions, digest, RotatedKey } from './rotated-key.js';

/** The key of each role that has one; undefined as a whole: no key is required. */
export type KeysOfRoles = Readonly<Partial<Record<Role, ApiKey | undefined>>>;

/** The keys of a gateway (protocol 07 §1.12). */
export class ApiKeys {
  /** From the role with the fewest rights on. */
  private readonly keys: readonly { readonly role: Role; readonly key: RotatedKey }[];

  constructor(keys: KeysOfRoles, options: ApiKeyOptions = {}) {
    this.keys = roles.flatMap((role) => {
      const key = keys[role];
      return key === undefined ? [] : [{ role, key: new RotatedKey(key, options) }];
    });
  }

  /**
   * The role of a key; undefined: it is none of these. Compares with all of them, each in constant time, so that the time
   * reveals neither the key nor its role. A key in the files of two roles has the fewer rights: it was given away as such.
   */
  roleOf(sent: unknown): Role | undefined {
    if (typeof sent !== 'string') return undefined;
    const hash = digest(sent);
    const matching = this.keys.map(({ role, key }) => (key.has(hash) ? role : undefined));
    return matching.find((role) => role !== undefined);
  }

  close(): void {
    for (const { key } of this.keys) key.close();
  }
}

/** `API_KEY_WALLETS or API_KEY`: the settings whose keys may call such an operation. */
const settingsFor = (needed: Role): string =>
  roles
    .filter((role) => permits(role, needed))
    .map((role) => keySettings[role])
    .join(' or ');

/** The check of the header `X-API-KEY` for an operation that needs a role (protocol 07 §1.12), in constant time. */
export const createApiKeyCheck =
  (keys: ApiKeys | undefined) =>
  (sent: string | readonly string[] | undefined, needed: Role): void => {
    if (sent === undefined) {
      if (keys !== undefined)
        throw errorOf('MissingApiKey', 'The header X-API-KEY is missing: send the key of this API in it.');
      return;
    }
    if (typeof sent !== 'string' || sent.length < apiKeyMinLength) {
      throw errorOf(
        'InvalidApiKey',
        `The key in the header X-API-KEY is too short: a key has at least ${apiKeyMinLength} characters.`,
        { limit: apiKeyMinLength },
      );
    }
    if (keys === undefined)
      throw errorOf('ApiKeyNotConfigured', 'The header X-API-KEY was sent, but this API has no key: leave it out.');
    const role = keys.roleOf(sent);
    if (role === undefined) throw errorOf('WrongApiKey', 'The key in the header X-API-KEY is not that of this API.');
    if (!permits(role, needed))
      throw errorOf(
        'KeyNotPermitted',
        `The key in the header X-API-KEY has the role ${role}, but this operation needs the role ${needed}: send the key of ${settingsFor(needed)}.`,
      );
  };
