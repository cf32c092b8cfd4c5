/** Roles of API keys. Each has the rights of those before it (protocol 07 §1.12). */
export const roles = ['read', 'wallets', 'operate'] as const;
export type Role = (typeof roles)[number];

/** The setting with the key of each role. */
export const keySettings = {
  read: 'API_KEY_READ',
  wallets: 'API_KEY_WALLETS',
  operate: 'API_KEY',
} as const satisfies Readonly<Record<Role, string>>;

/** Whether a key of this role may call an operation that needs `needed`. */
export const permits = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);
