export interface Account {
  readonly address: string;
  readonly group: number;
  /** For people, e.g. `1000000 COIN`. */
  readonly balance: string;
}

/** What a person, or a program with `--json`, wants to know of a network that is ready. */
export interface Announcement {
  readonly baseUrl: string;
  readonly docsUrl: string;
  readonly dataDir: string;
  readonly mining: string;
  readonly networkId: number;
  /** Where health and metrics are: `/health/live`, `/health/ready` and `/metrics` of each. */
  readonly services: readonly { readonly name: string; readonly url: string }[];
  readonly accounts: readonly Account[];
  /** PostgreSQL, NATS and Redis of a cluster: their ports, and whether they are the cluster's own. */
  readonly servers?: readonly { readonly name: string; readonly place: string }[];
  /** Folder of the services' logs, of a cluster. */
  readonly logs?: string;
  /** Only of the development network, where everybody knows it. */
  readonly mnemonic?: string;
}

const row = (columns: readonly string[], widths: readonly number[]): string =>
  columns
    .map((text, i) => text.padEnd(widths[i] ?? 0))
    .join('  ')
    .trimEnd();

/** A head and rows, in columns as wide as their widest text. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => {
  const widths = head.map((text, i) => Math.max(text.length, ...rows.map((columns) => columns[i]?.length ?? 0)));
  return [row(head, widths), ...rows.map((columns) => row(columns, widths))];
};

/** In one line: the addresses are alike but for the port. */
const servicesLine = (services: Announcement['services']): string =>
  services.map(({ name, url }) => `${name} :${new URL(url).port}`).join(', ');

/** The text at the terminal. */
export const announcementText = (announcement: Announcement): string => {
  const { baseUrl, docsUrl, dataDir, mining, services, accounts, mnemonic, networkId, servers, logs } = announcement;
  const first = accounts[0];
  return [
    '',
    `Your network is ready (network id ${networkId}).`,
    '',
    `  API     ${baseUrl}`,
    `  Docs    ${docsUrl}`,
    `  Mining  ${mining}`,
    `  Data    ${dataDir}`,
    `  Health  /health/ready and /metrics of ${servicesLine(services)}`,
    ...(servers === undefined ? [] : [`  Servers ${servers.map(({ name, place }) => `${name} ${place}`).join(', ')}`]),
    ...(logs === undefined ? [] : [`  Logs    ${logs}`]),
    '',
    ...(accounts.length === 0
      ? []
      : [
          'Funded accounts',
          ...table(
            ['group', 'address', 'balance'],
            accounts.map(({ group, address, balance }) => [String(group), address, balance]),
          ).map((line) => `  ${line}`),
          '',
        ]),
    ...(mnemonic === undefined
      ? []
      : ['Their mnemonic (everybody knows it: never send real coins there)', `  ${mnemonic}`, '']),
    'Try',
    `  curl ${baseUrl}${first ? `/addresses/${first.address}/balance` : '/infos/self-clique'}`,
    '',
    'Ctrl-C stops it; the next start goes on with the same chain.',
    '',
  ].join('\n');
};
