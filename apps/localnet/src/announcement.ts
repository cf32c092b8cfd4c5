import { styleText } from 'node:util';

export interface Account {
  readonly address: string;
  readonly group: number;
  /** For people, e.g. `1000000 COIN`. */
  readonly balance: string;
  /** 32 bytes, hexadecimal; only of the development network, where it is public. */
  readonly privateKey?: string;
}

/** Facts about a ready network, for a person, or for a program with `--json`. */
export interface Announcement {
  readonly baseUrl: string;
  readonly docsUrl: string;
  /** Absent without an explorer. */
  readonly explorerUrl?: string;
  /** Address of the push of blocks. */
  readonly wsUrl: string;
  readonly dataDir: string;
  readonly mining: string;
  /** Seconds between two heartbeat blocks of each group; 0: none. */
  readonly heartbeatSeconds: number;
  /** Version of the Node that it runs on: `26.12.1`. */
  readonly node: string;
  readonly networkId: number;
  readonly coinSymbol: string;
  /** Shapes of the API: as documented, or as existing client libraries expect. */
  readonly profile: 'document' | 'reference';
  /** Addresses of health and metrics: `/health/live`, `/health/ready` and `/metrics` of each. */
  readonly services: readonly { readonly name: string; readonly url: string }[];
  readonly accounts: readonly Account[];
  /** PostgreSQL, NATS and Redis of a cluster: their ports, and whether the cluster has started them. */
  readonly servers?: readonly { readonly name: string; readonly place: string }[];
  /** Folder of the services' logs, of a cluster. */
  readonly logs?: string;
  /** Only of the development network, where it is public. */
  readonly mnemonic?: string;
  /** Of the funded accounts, unlocked; only of the development network, and only on loopback. */
  readonly wallet?: { readonly name: string; readonly password: string; readonly locksAfterSeconds: number };
}

/** Columns of a terminal of default width. */
const width = 100;

/** `label` and its text, wrapped below itself to the width of the terminal. */
const entry = (label: string, text: string, indent: number): string[] => {
  const lines: string[] = [];
  let line = `  ${label}`.padEnd(indent - 1);
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > width && line.trim() !== '') {
      lines.push(line);
      line = ' '.repeat(indent - 1);
    }
    line += ` ${word}`;
  }
  return [...lines, line];
};

/** Labels and texts in two columns. */
const entries = (rows: readonly (readonly [label: string, text: string])[]): string[] => {
  const indent = 4 + Math.max(...rows.map(([label]) => label.length));
  return rows.flatMap(([label, text]) => entry(label, text, indent));
};

/** `12980-12984, 22973` */
const portsText = (services: Announcement['services']): string => {
  const ports = services.map(({ url }) => Number(new URL(url).port)).sort((a, b) => a - b);
  const ranges: [first: number, last: number][] = [];
  for (const port of ports) {
    const range = ranges.at(-1);
    if (range?.[1] === port - 1) range[1] = port;
    else ranges.push([port, port]);
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(', ');
};

const explorerText = ({ explorerUrl }: Announcement): string | undefined =>
  explorerUrl && `${explorerUrl}: all chains, live; its own API: ${explorerUrl}/docs`;

const places = (announcement: Announcement): string[] => {
  const { baseUrl, docsUrl, profile, wsUrl, mining, heartbeatSeconds, dataDir, services, servers, logs, node } =
    announcement;
  const clients = 'API_PROFILE=reference, which published clients expect: docs/existing-tools.md';
  const heartbeat = `each group makes a block every ${heartbeatSeconds} s: confirmations grow; MINING_HEARTBEAT=0 stops it`;
  const rows: [string, string | undefined][] = [
    ['Explorer', explorerText(announcement)],
    ['API', baseUrl],
    ['Docs', docsUrl],
    ['Clients', profile === 'reference' ? clients : undefined],
    ['WebSocket', `${wsUrl} sends every new block`],
    ['Mining', mining],
    ['Heartbeat', heartbeatSeconds > 0 ? heartbeat : undefined],
    ['Data', dataDir],
    ['Health', `${baseUrl}/health/cluster; /metrics on ports ${portsText(services)}`],
    ['Servers', servers?.map(({ name, place }) => `${name} ${place}`).join(', ')],
    ['Logs', logs],
    ['Runs on', `Node ${node}`],
  ];
  return entries(rows.filter((row): row is [string, string] => row[1] !== undefined));
};

const accountsText = ({ accounts, mnemonic, wallet }: Announcement): string[] => {
  const rows = accounts.flatMap(({ group, address, balance, privateKey }): [string, string][] => [
    [`Group ${group}`, `${address}  ${balance}`],
    ...(privateKey === undefined ? [] : [['', `private key ${privateKey}`] as [string, string]]),
  ]);
  if (mnemonic !== undefined) rows.push(['Mnemonic', mnemonic]);
  if (wallet !== undefined) {
    const { name, password, locksAfterSeconds } = wallet;
    const locks = `locks after ${locksAfterSeconds} s without a request`;
    rows.push(['Wallet', `${name}, password ${password}: holds these accounts, unlocked; ${locks}`]);
  }
  return rows.length === 0 ? [] : entries(rows);
};

/** A shell may read the brackets of an IPv6 address as a pattern of file names. */
const quoted = (url: string): string => (url.includes('[') ? `'${url}'` : url);

/** The first account pays the second one; without an open wallet its balance is queried. */
const firstCommands = ({ baseUrl, accounts, wallet, coinSymbol }: Announcement): string[] => {
  const [first, second] = accounts;
  if (!first) return [`  curl ${quoted(`${baseUrl}/infos/self-clique`)}`];
  const balance = `  curl ${quoted(`${baseUrl}/addresses/${first.address}/balance`)}`;
  if (!wallet || !second) return [balance];
  const body = `{"destinations":[{"address":"${second.address}","amount":"1 ${coinSymbol}"}]}`;
  return [balance, `  curl -X POST ${quoted(`${baseUrl}/wallets/${wallet.name}/transfer`)} -d \\`, `  '${body}'`];
};

const plain = (text: string): string => text;
const bold = (text: string): string => styleText('bold', text, { validateStream: false });

/** The text at the terminal; `styled` for one that shows styles. */
export const announcementText = (announcement: Announcement, styled = false): string => {
  const { mnemonic, accounts, networkId, explorerUrl } = announcement;
  const [first, ...others] = places(announcement);
  const title = styled ? bold : plain;
  const warning = mnemonic === undefined ? '' : '. Everybody knows their keys: never send real coins there';
  return [
    '',
    title(`Your network is ready (network id ${networkId})`),
    '',
    explorerUrl === undefined ? first! : title(first!),
    ...others,
    '',
    ...(accounts.length === 0 ? [] : [title(`Funded accounts${warning}`), ...accountsText(announcement), '']),
    title('Try'),
    ...firstCommands(announcement),
    '',
    'Not supported yet: peers.',
    'Ctrl-C stops the network; the next start goes on with the same chain.',
    '',
  ].join('\n');
};
